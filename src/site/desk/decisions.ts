// Decisions as lines of the desk: what each is about, in words and with its place, what it changed, and
// whether it can be undone.
import { listFields, openSources, type Sources } from '../../desk/things.ts';
import { type Decision, isAccessDecision } from '../../domain/change.ts';
import type { FieldChoices } from '../../domain/edit/form.ts';
import { toFieldLabel, toWords } from '../../i18n/edit-words.ts';
import { checkUndo, type UndoCheck } from '../../desk/decide.ts';
import { listNotices } from '../../desk/notices.ts';
import { type Edit, listChanged, type SourceRecord } from '../../domain/edit/edit.ts';
import type { Lang } from '../../domain/lang.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { listEditsEver } from '../../inbox/applied.ts';
import { getBatch } from '../../inbox/batches.ts';
import { listDecisionsOn, listOutcomes } from '../../inbox/decisions.ts';
import { getSubmission, getCorrection } from '../../inbox/submissions.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import { toEditPath, toThingTitle } from './find.ts';
import type { DeskRequest } from './room.ts';

/** Most decisions shown on one thing. */
const MAX_SHOWN = 20;

/** One field in the words of several: of before and after, or of source and desk. */
export interface FieldLines {
  readonly label: string;
  readonly says: readonly { readonly who: string; readonly words: string }[];
  /** The source has changed since the desk said otherwise. */
  readonly is_unsure: boolean;
}

/** A field before and after. */
export const toChange = (label: string, before: string, after: string, lang: Lang): FieldLines => ({
  label,
  says: [
    { who: t(lang, 'desk.change.before'), words: before },
    { who: t(lang, 'desk.change.after'), words: after },
  ],
  is_unsure: false,
});

export interface DecisionLine extends Subject, UndoCheck {
  readonly decision: Decision;
  /** What it changed of a thing. */
  readonly changes: readonly FieldLines[];
}

export async function toDecisionLines(
  request: DeskRequest,
  decisions: readonly Decision[],
): Promise<readonly DecisionLine[]> {
  const { inbox, readReleaseNews } = request.visit;
  const { is_building } = await readReleaseNews();
  const sources = openSources(inbox, request.state.snapshot);
  return Array.fromAsync(decisions, async (decision) => ({
    decision,
    changes: [],
    ...(await checkUndo(inbox, decision, is_building)),
    ...(isAccessDecision(decision.action)
      ? { title: decision.subject, path: null }
      : await findSubject(request, sources, decision.subject)),
  }));
}

/** The words and the place of what a decision is about; no place where there is nothing to show. */
interface Subject {
  readonly title: string;
  readonly path: string | null;
}

/** An id says nothing to a person: the words of what it is about, and where that is. */
async function findSubject(
  { state, visit: { inbox, lang } }: DeskRequest,
  sources: Sources,
  subject: string,
): Promise<Subject> {
  const toItem = (reference: string | null, words: string, room: string): Subject => ({
    title: `${reference} ${words}`,
    path: `${room}/${reference}`,
  });
  const stored = await getSubmission(inbox, subject);
  if (stored !== null) return toItem(stored.reference, stored.submission.title, DESK_PATHS.items);
  const batch = await getBatch(inbox, subject);
  if (batch !== null) return toItem(batch.reference, batch.name, DESK_PATHS.batches);
  const report = await getCorrection(inbox, subject);
  if (report !== null) return toItem(report.reference, report.about.title, DESK_PATHS.corrections);
  const detail = getEvent(state.snapshot, subject, state.now_ms);
  if (detail !== null && detail !== 'gone')
    return { title: detail.event.title[lang], path: toEditPath(detail.event.id) };
  const source = await sources.get(subject);
  if (source !== null)
    return { title: toThingTitle(source.record, lang), path: toEditPath(subject) };
  const found = (await listNotices(inbox)).find(({ id }) => id === subject);
  return { title: found?.notice.title[lang] ?? subject, path: null };
}

/** What was decided on one submission, correction, event or notice, the newest first. */
export const readHistory = async (
  request: DeskRequest,
  subject: string,
): Promise<readonly DecisionLine[]> =>
  toDecisionLines(request, await listDecisionsOn(request.visit.inbox, subject, MAX_SHOWN));

/** The same of a thing, with what its fields said before and after. */
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
