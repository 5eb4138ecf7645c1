// What was decided on a thing: each decision with the way back, and what its fields said before and after.
import { type Edit, listChanged, type SourceRecord } from '../../domain/edit/edit.ts';
import type { FieldChoices } from '../../domain/edit/form.ts';
import { listFields } from '../../desk/things.ts';
import { listEditsEver } from '../../inbox/applied.ts';
import { listOutcomes } from '../../inbox/decisions.ts';
import { toChange } from './changed-fields.ts';
import { readHistory } from './decision-lines.ts';
import type { FieldLines, DecisionLine } from './edit-screens.ts';
import { toFieldLabel, toWords } from '../../i18n/edit-words.ts';
import type { DeskRequest } from './screens.ts';

/** The newest first. */
export async function readEditHistory(
  request: DeskRequest,
  { kind, id }: SourceRecord,
  choices: FieldChoices,
): Promise<readonly DecisionLine[]> {
  const { inbox, lang } = request.visit;
  const shapes = new Map(listFields(kind));
  const edits = new Map((await listEditsEver(inbox, id)).map((edit) => [edit.id, edit]));
  return Array.fromAsync(await readHistory(request, id), async (line) => {
    const outcomes = await listOutcomes(inbox, line.decision.id);
    const find = (part: 'before' | 'after'): Edit | undefined => {
      const applied = outcomes.find(
        (outcome) => edits.has(outcome.id) && outcome[part].state === 'applied',
      );
      return applied && edits.get(applied.id);
    };
    const [was, is] = [find('before'), find('after')];
    // Where there was or is no edit, the source spoke.
    const spoken = (is ?? was)?.source ?? {};
    const [before, after] = [was?.record ?? spoken, is?.record ?? spoken];
    const changes = listChanged(before, after).flatMap((field): FieldLines[] => {
      const shape = shapes.get(field);
      if (shape === undefined) return [];
      const path = `${kind}.${field}`;
      const say = (value: unknown): string => toWords(shape, value, path, choices, lang);
      return [toChange(toFieldLabel(path, lang), say(before[field]), say(after[field]), lang)];
    });
    return { ...line, changes };
  });
}
