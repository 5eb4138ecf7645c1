// The filter by what became of an event (contract 7.29).
import type { EventStatus } from '../event/event.ts';
import { EVENT_STATUSES } from '../event/fields.ts';
import { type Filter, readChoice } from './filter.ts';

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
    status: readChoice('status', EVENT_STATUSES, params, issues.form),
  }),
  isOn: ({ status }) => status !== null,
  toPhrases: ({ status }) => (status === null ? [] : [{ key: status, parts: {} }]),
};
