// What was changed in a thing: each decision with what its fields said before and after it.
import { type Edit, listChanged, type SourceRecord } from '../../domain/edit/edit.ts';
import { listEditsEver } from '../../inbox/applied.ts';
import { listDecisionsOn, listOutcomes } from '../../inbox/decisions.ts';
import { inTurn } from '../../inbox/in-turn.ts';
import type { Inbox } from '../../inbox/open.ts';
import type { EditDecision } from './edit-screens.ts';

const MAX_SHOWN = 20;

/** The newest first. */
export async function readEditHistory(
  inbox: Inbox,
  source: SourceRecord,
): Promise<readonly EditDecision[]> {
  const edits = new Map((await listEditsEver(inbox, source.id)).map((edit) => [edit.id, edit]));
  return inTurn(await listDecisionsOn(inbox, source.id, MAX_SHOWN), async (decision) => {
    const outcomes = (await listOutcomes(inbox, decision.id)).filter(({ id }) => edits.has(id));
    const find = (part: 'before' | 'after'): Edit | undefined => {
      const applied = outcomes.find((outcome) => outcome[part].state === 'applied');
      return applied && edits.get(applied.id);
    };
    return { decision, changes: toChanges(find('before'), find('after')) };
  });
}

/** Where there was or is no edit, the source spoke. */
function toChanges(was: Edit | undefined, is: Edit | undefined): EditDecision['changes'] {
  const spoken = (is ?? was)?.source ?? {};
  const [before, now] = [was?.record ?? spoken, is?.record ?? spoken];
  return listChanged(before, now).map((field) => ({
    field,
    before: before[field],
    after: now[field],
  }));
}
