// What was changed in a thing: each decision with what its fields said before and after it.
import * as v from 'valibot';
import { listChanged, type SourceRecord } from '../../domain/edit/edit.ts';
import type { Columns } from '../../inbox/decided-rows.ts';
import { listChanges, listDecisionsOn } from '../../inbox/decisions.ts';
import type { Inbox } from '../../inbox/open.ts';
import { EditRow } from '../../inbox/edits.ts';
import type { EditDecision } from './edit-screens.ts';

const MAX_SHOWN = 20;

/** The newest first. */
export const readEditHistory = (inbox: Inbox, source: SourceRecord): readonly EditDecision[] =>
  listDecisionsOn(inbox, source.id, MAX_SHOWN).map((decision) => ({
    decision,
    changes: listChanges(inbox, decision.id).flatMap(({ table, row, after }) =>
      table === 'edits' ? toChanges(row, after ?? null) : [],
    ),
  }));

/** Where there was or is no edit, the source spoke. */
function toChanges(row: Columns | null, after: Columns | null): EditDecision['changes'] {
  const [was, is] = [row && v.parse(EditRow, row), after && v.parse(EditRow, after)];
  const spoken = (is ?? was)?.source ?? {};
  const [before, now] = [was?.record ?? spoken, is?.record ?? spoken];
  return listChanged(before, now).map((field) => ({
    field,
    before: before[field],
    after: now[field],
  }));
}
