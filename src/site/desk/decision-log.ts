// Decisions as lines of the desk: what each is about, in words and with its place, what it changed, and whether it
// can be undone; and the log of all of them, searched and by pages.
import { checkUndo, undoDecision, type UndoCheck } from '../../desk/decisions.ts';
import { eventIdOfSubmission } from '../../desk/reference-data.ts';
import { listDeskNotices } from '../../desk/desk-notices.ts';
import { listRecordControls } from '../../desk/record-form.ts';
import { createRecordSources, type RecordSources } from '../../desk/record-overrides.ts';
import { type Decision, isAccessAction } from '../../domain/change.ts';
import type {
  RecordOverride,
  SourceRecord,
  RecordFields,
} from '../../domain/override/record-override.ts';
import { recordToControls } from '../../domain/override/record-form.ts';
import type { RecordKind } from '../../domain/record-history.ts';
import type { Lang } from '../../domain/lang.ts';
import { type OptionsByControl, formatControlValue } from '../../i18n/format-overrides.ts';
import { fieldPathLabel } from '../../i18n/format-forms.ts';
import { DESK_PATHS, withQuery } from '../../i18n/paths.ts';
import { type MessageKey, t } from '../../i18n/translate.ts';
import { listAllOverrides } from '../../inbox/applied-changes.ts';
import { getImportByReference } from '../../inbox/calendar-imports.ts';
import { findReferencesByTitle, getDecision, listDecisions } from '../../inbox/decisions.ts';
import { getCurrentChange } from '../../inbox/changes.ts';
import { getEvent } from '../../snapshot/get-record.ts';
import { editPath, recordTitle } from './list-screens.ts';
import {
  defineScreen,
  type DeskRequest,
  noRecord,
  redirectWithMessage,
  queueSearchTerm,
} from './screen.ts';

/** Most decisions shown on one thing, and on a page of the log. */
const MAX_SHOWN = 20;
const A_PAGE = 30;
const MAX_SUBJECTS = 500;

/** One field in the words of several: of before and after, or of source and desk. */
export interface FieldComparison {
  readonly label: string;
  readonly says: readonly { readonly who: string; readonly words: string }[];
  /** The source has changed since the desk said otherwise. */
  readonly is_unsure: boolean;
}

/** A field before and after. */
export const compareField = (
  label: string,
  before: string,
  after: string,
  lang: Lang,
): FieldComparison => ({
  label,
  says: [
    { who: t(lang, 'desk.change.before'), words: before },
    { who: t(lang, 'desk.change.after'), words: after },
  ],
  is_unsure: false,
});

/** The words of what a decision is about, and where that is; no place where there is nothing to show. */
interface Subject {
  readonly title: string;
  readonly path: string | null;
}

/** The fields of which several say something else; unsure where the first two of three do. */
export const compareFields = (
  kind: RecordKind,
  says: readonly { readonly who: MessageKey; readonly record: RecordFields }[],
  choices: OptionsByControl,
  lang: Lang,
): readonly FieldComparison[] =>
  listRecordControls(kind).flatMap((control) => {
    const lines = says.map(({ who, record }) => ({
      who: t(lang, who),
      words:
        formatControlValue(control, recordToControls([control], record), choices, lang) ||
        t(lang, 'desk.edit.absent'),
    }));
    const [first, second] = lines;
    const label = fieldPathLabel(`${kind}.${control.name}`, lang);
    return new Set(lines.map(({ words }) => words)).size < 2
      ? []
      : [{ label, says: lines, is_unsure: lines.length > 2 && first?.words !== second?.words }];
  });

export interface DecisionLine extends Subject, UndoCheck {
  readonly decision: Decision;
  /** What it changed of a thing. */
  readonly changes: readonly FieldComparison[];
}

export async function buildDecisionLines(
  request: DeskRequest,
  decisions: readonly Decision[],
): Promise<readonly DecisionLine[]> {
  const { inbox, readReleaseNews } = request.visit;
  const { is_building } = await readReleaseNews();
  const sources = createRecordSources(inbox, request.state.snapshot);
  return Array.fromAsync(decisions, async (decision) => ({
    decision,
    changes: [],
    ...(await checkUndo(inbox, decision, is_building)),
    ...(isAccessAction(decision.action)
      ? { title: decision.subject, path: null }
      : await findSubject(request, sources, decision.subject)),
  }));
}

/** An id says nothing to a person. */
async function findSubject(
  { state, visit: { inbox, lang } }: DeskRequest,
  sources: RecordSources,
  subject: string,
): Promise<Subject> {
  const sent =
    (await getCurrentChange(inbox, subject))?.title ??
    (await getImportByReference(inbox, subject))?.name;
  if (sent !== undefined)
    return { title: `${subject} ${sent}`, path: `${DESK_PATHS.items}/${subject}` };
  const detail = getEvent(state.snapshot, subject, state.now_ms);
  if (detail !== null && detail !== 'gone')
    return { title: detail.event.title[lang], path: editPath(detail.event.id) };
  const source = await sources.get(subject);
  if (source !== null) return { title: recordTitle(source.record, lang), path: editPath(subject) };
  const found = (await listDeskNotices(inbox)).find(({ id }) => id === subject);
  return { title: found?.notice.title[lang] ?? subject, path: null };
}

/** What was decided on one submission, correction, event or notice, the newest first. */
export const loadDecisionHistory = async (
  request: DeskRequest,
  subject: string,
): Promise<readonly DecisionLine[]> =>
  buildDecisionLines(
    request,
    await listDecisions(request.visit.inbox, MAX_SHOWN, { subjects: [subject] }),
  );

/** What an editor decided last, where it can be undone. */
export async function getLastDecision(request: DeskRequest): Promise<DecisionLine | null> {
  const { editor } = request.session;
  const decisions = await listDecisions(request.visit.inbox, 1, { editor });
  const [line] = await buildDecisionLines(request, decisions);
  return line?.refusal === null ? line : null;
}

/** The same of a thing, with what its fields said before and after. */
export async function loadOverrideHistory(
  request: DeskRequest,
  { kind, id }: SourceRecord,
  choices: OptionsByControl,
): Promise<readonly DecisionLine[]> {
  const { inbox, lang } = request.visit;
  const edits = new Map((await listAllOverrides(inbox, id)).map((edit) => [edit.id, edit]));
  return Array.fromAsync(await loadDecisionHistory(request, id), async (line) => {
    const { outcomes } = line.decision;
    const find = (part: 'before' | 'after'): RecordOverride | undefined =>
      outcomes
        .filter((outcome) => outcome[part].state === 'applied')
        .flatMap((outcome) => edits.get(outcome.id) ?? [])[0];
    const [was, is] = [find('before'), find('after')];
    // Where there was or is no edit, the source spoke.
    const spoken = (is ?? was)?.source ?? {};
    const [before, after] = [was?.record ?? spoken, is?.record ?? spoken];
    const says = [
      { who: 'desk.change.before', record: before },
      { who: 'desk.change.after', record: after },
    ] as const;
    const changes = compareFields(kind, says, choices, lang);
    return { ...line, changes };
  });
}

/** Every decision; from here and from elsewhere they are undone by their number. */
export const logScreen = defineScreen({
  name: 'log',
  find: noRecord,
  load: readLog,
  act: async ({ visit: { inbox, fields, readReleaseNews }, actor }) => {
    const { is_building } = await readReleaseNews();
    await undoDecision(inbox, Number(fields.id), actor, is_building);
    return redirectWithMessage(DESK_PATHS.log, 'undone');
  },
});

export type LogView = Awaited<ReturnType<typeof readLog>>;

/** A page of the log: of all, or of what is meant by a word. */
async function readLog(request: DeskRequest) {
  const { inbox, query } = request.visit;
  const q = queueSearchTerm(query);
  const number = /^(?:n\.?º ?|#)?(\d{1,9})$/i.exec(q)?.[1];
  const page = Math.max(1, Math.floor(Number(query.page)) || 1);
  const subjects = q === '' ? null : await listSubjects(request, q);
  const found =
    number === undefined
      ? await listDecisions(inbox, A_PAGE + 1, { subjects }, (page - 1) * A_PAGE)
      : [await getDecision(inbox, Number(number))].filter((one) => one !== null);
  const toPath = (to: number) => withQuery(DESK_PATHS.log, { ...(q && { q }), page: String(to) });
  return {
    q,
    lines: await buildDecisionLines(request, found.slice(0, A_PAGE)),
    newer: page > 1 ? toPath(page - 1) : null,
    older: found.length > A_PAGE ? toPath(page + 1) : null,
  };
}

/** References and ids that somebody means: one of them, an event's address, or words of a title. */
async function listSubjects({ state, visit }: DeskRequest, q: string): Promise<readonly string[]> {
  const name = q.replace(/^.*\//, '');
  const detail = getEvent(state.snapshot, name.toLowerCase(), state.now_ms);
  const event = detail === null || detail === 'gone' ? [] : [detail.event.id];
  const references = [
    name.toUpperCase(),
    ...(await findReferencesByTitle(visit.inbox, q, MAX_SUBJECTS)),
  ];
  return [name, ...event, ...references, ...references.map(eventIdOfSubmission)];
}
