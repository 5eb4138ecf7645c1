// The filter by when what an event says last changed, for who keeps a copy (contract 5.8, 7.27).
import type { Filter } from './filter.ts';
import { MOMENT_SCHEMA, readMoment } from './moment.ts';

/** `updated_since`: at this moment or later. */
export const updatedSince: Filter<
  'updated_since',
  { readonly updated_since: string | null },
  'updated_since'
> = {
  name: 'updated_since',
  parameters: [
    {
      name: 'updated_since',
      other_names: ['modified_since', 'changed_since', 'updated_after', 'actualizado_desde'],
      schema: MOMENT_SCHEMA,
      example: '2026-11-20',
    },
  ],
  off: { updated_since: null },
  read: (params, { issues }) => ({
    updated_since: readMoment('updated_since', params.updated_since, issues.form),
  }),
  isOn: ({ updated_since }) => updated_since !== null,
  toPhrases: ({ updated_since }, { params }) =>
    updated_since === null
      ? []
      : [{ key: 'updated_since', parts: { moment: params.updated_since ?? '' } }],
};
