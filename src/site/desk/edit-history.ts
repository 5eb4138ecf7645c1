// What was changed in a thing: each decision with what its fields said before and after it.
import * as v from 'valibot';
import { isSameValue, type SourceRecord } from '../../domain/patch.ts';
import type { Columns } from '../../inbox/decided-rows.ts';
import { listChanges, listDecisionsOn } from '../../inbox/decisions.ts';
import type { Inbox } from '../../inbox/open.ts';
import type { EditDecision } from './edit-screens.ts';

const MAX_SHOWN = 20;

const Record = v.pipe(
  v.object({ record: v.string(), field: v.string() }),
  v.transform(({ record, field }) => ({ field, record: JSON.parse(record) })),
  v.object({
    field: v.string(),
    record: v.object({ value: v.optional(v.unknown()), source: v.optional(v.unknown()) }),
  }),
);

/** The newest first. */
export const readEditHistory = (inbox: Inbox, source: SourceRecord): readonly EditDecision[] =>
  listDecisionsOn(inbox, source.id, MAX_SHOWN).map((decision) => ({
    decision,
    changes: listChanges(inbox, decision.id).flatMap(({ table, row, after }) =>
      table === 'patches' ? toChange(source, row, after ?? null) : [],
    ),
  }));

/** Where there was or is no patch, the source spoke. */
function toChange(
  source: SourceRecord,
  row: Columns | null,
  after: Columns | null,
): EditDecision['changes'] {
  const [was, is] = [row && v.parse(Record, row), after && v.parse(Record, after)];
  const field = (was ?? is)?.field ?? '';
  const spoken = (is ?? was)?.record.source ?? source.record[field];
  const [before, now] = [was ? was.record.value : spoken, is ? is.record.value : spoken];
  return isSameValue(before, now) ? [] : [{ field, before, after: now }];
}
