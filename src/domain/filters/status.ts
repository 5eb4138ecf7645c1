// The filter by what became of an event (contract 7.29).
import * as v from 'valibot';
import { EVENT_STATUSES } from '../event/fields.ts';
import type { EventStatus } from '../event/event.ts';
import { type Filter, readText } from './filter.ts';

const StatusSchema = v.picklist(
  EVENT_STATUSES,
  ({ input }) => `status: '${input}' is not accepted. Use ${EVENT_STATUSES.join(', ')}`,
);

/** `status`. */
export const status: Filter<'status', { readonly status: EventStatus | null }, EventStatus> = {
  name: 'status',
  parameters: [
    {
      name: 'status',
      other_names: ['estado', 'estatus'],
      schema: { type: 'string', enum: EVENT_STATUSES },
      example: 'published',
    },
  ],
  off: { status: null },
  read: (params, { issues }) => ({
    status: readText<EventStatus | null>(StatusSchema, params.status, null, issues.form),
  }),
  isOn: ({ status }) => status !== null,
  toPhrases: ({ status }) => (status === null ? [] : [{ key: status, parts: {} }]),
};
