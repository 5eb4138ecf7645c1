// Decision log: lists editors' decisions with their subject, the fields they changed and whether
// they can be undone, and searches and paginates the log of all decisions. The subject is a
// reference (of a submission, correction or imported calendar) or the id of a record. The outcomes
// of a decision are the changes (stored proposals) that it concerns, with their status before and
// after.
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

/** Decisions listed on the screen of one record or queue item. */
const MAX_HISTORY = 20;
const LOG_PAGE_SIZE = 30;
/** A search considers this many references by title. */
const MAX_SUBJECTS = 500;

/** Two or three versions of one field: before and after, or source and desk. */
export interface FieldComparison {
  readonly label: string;
  readonly versions: readonly { readonly label: string; readonly text: string }[];
  /** The source has changed since the desk edited the field. */
  readonly is_outdated: boolean;
}

/** Compares a field before and after a change. */
export const compareField = (
  label: string,
  before: string,
  after: string,
  lang: Lang,
): FieldComparison => ({
  label,
  versions: [
    { label: t(lang, 'desk.change.before'), text: before },
    { label: t(lang, 'desk.change.after'), text: after },
  ],
  is_outdated: false,
});

/** Subject of a decision; `path` is null if the desk has no screen for it. */
interface Subject {
  readonly title: string;
  readonly path: string | null;
}

/**
 * Compares the fields of two or three versions of a record, and returns those that differ.
 * @param versions Before and after, or: the source when it was edited, the present source, the
 * desk.
 */
export const compareFields = (
  kind: RecordKind,
  versions: readonly { readonly label: MessageKey; readonly record: RecordFields }[],
  options: OptionsByControl,
  lang: Lang,
): readonly FieldComparison[] =>
  listRecordControls(kind).flatMap((control) => {
    const texts = versions.map(({ label, record }) => ({
      label: t(lang, label),
      text:
        formatControlValue(control, recordToControls([control], record), options, lang) ||
        t(lang, 'desk.edit.absent'),
    }));
    const [source_at_edit, present_source] = texts;
    const label = fieldPathLabel(`${kind}.${control.name}`, lang);
    const is_outdated = texts.length > 2 && source_at_edit?.text !== present_source?.text;
    const is_same = new Set(texts.map(({ text }) => text)).size < 2;
    return is_same ? [] : [{ label, versions: texts, is_outdated }];
  });

/** View model of a decision: subject, undo check, changed fields. */
export interface DecisionLine extends Subject, UndoCheck {
  readonly decision: Decision;
  /** Changed fields, if the decision is an edit of a record. */
  readonly changes: readonly FieldComparison[];
}

export async function buildDecisionLines(
  request: DeskRequest,
  decisions: readonly Decision[],
): Promise<readonly DecisionLine[]> {
  const { inbox, readReleaseNews } = request.visit;
  const { is_building } = await readReleaseNews();
  const sources = createRecordSources(inbox, request.context.snapshot);
  return Array.fromAsync(decisions, async (decision) => ({
    decision,
    changes: [],
    ...(await checkUndo(inbox, decision, is_building)),
    ...(isAccessAction(decision.action)
      ? { title: decision.subject, path: null }
      : await findSubject(request, sources, decision.subject)),
  }));
}

/** Resolves a reference or record id to its title and path. */
async function findSubject(
  { context, visit: { inbox, lang } }: DeskRequest,
  sources: RecordSources,
  subject: string,
): Promise<Subject> {
  const title =
    (await getCurrentChange(inbox, subject))?.title ??
    (await getImportByReference(inbox, subject))?.name;
  if (title !== undefined)
    return { title: `${subject} ${title}`, path: `${DESK_PATHS.items}/${subject}` };
  const detail = getEvent(context.snapshot, subject, context.now_ms);
  if (detail !== null && detail !== 'gone')
    return { title: detail.event.title[lang], path: editPath(detail.event.id) };
  const source = await sources.get(subject);
  if (source !== null) return { title: recordTitle(source.record, lang), path: editPath(subject) };
  const desk_notice = (await listDeskNotices(inbox)).find(({ id }) => id === subject);
  return { title: desk_notice?.notice.title[lang] ?? subject, path: null };
}

/** Loads the decisions on one queue item or record, newest first. */
export const loadDecisionHistory = async (
  request: DeskRequest,
  subject: string,
): Promise<readonly DecisionLine[]> =>
  buildDecisionLines(
    request,
    await listDecisions(request.visit.inbox, MAX_HISTORY, { subjects: [subject] }),
  );

/** Returns the editor's last decision, or null if it cannot be undone. */
export async function getLastDecision(request: DeskRequest): Promise<DecisionLine | null> {
  const { editor } = request.session;
  const decisions = await listDecisions(request.visit.inbox, 1, { editor });
  const [line] = await buildDecisionLines(request, decisions);
  return line?.refusal === null ? line : null;
}

/** Loads the decisions on a record, with the fields that each one changed. */
export async function loadOverrideHistory(
  request: DeskRequest,
  { kind, id }: SourceRecord,
  options: OptionsByControl,
): Promise<readonly DecisionLine[]> {
  const { inbox, lang } = request.visit;
  const overrides = new Map(
    (await listAllOverrides(inbox, id)).map((override) => [override.id, override]),
  );
  return Array.fromAsync(await loadDecisionHistory(request, id), async (line) => {
    const { outcomes } = line.decision;
    // The version of the record that was applied before or after the decision.
    const findApplied = (part: 'before' | 'after'): RecordOverride | undefined =>
      outcomes
        .filter((outcome) => outcome[part].state === 'applied')
        .flatMap((outcome) => overrides.get(outcome.id) ?? [])[0];
    const [before, after] = [findApplied('before'), findApplied('after')];
    // Without an override, the desk shows the record of the source.
    const source_record = (after ?? before)?.source ?? {};
    const versions = [
      { label: 'desk.change.before', record: before?.record ?? source_record },
      { label: 'desk.change.after', record: after?.record ?? source_record },
    ] as const;
    return { ...line, changes: compareFields(kind, versions, options, lang) };
  });
}

/** Log of all decisions. Every undo button of the desk sends its form here. */
export const logScreen = defineScreen({
  name: 'log',
  find: noRecord,
  loadView: loadLog,
  handleForm: async ({ visit: { inbox, fields, readReleaseNews }, actor }) => {
    const { is_building } = await readReleaseNews();
    await undoDecision(inbox, Number(fields.id), actor, is_building);
    return redirectWithMessage(DESK_PATHS.log, 'undone');
  },
});

export type LogView = Awaited<ReturnType<typeof loadLog>>;

/** Loads a page of the log: all decisions, or those on the subjects that match the search term. */
async function loadLog(request: DeskRequest) {
  const { inbox, query } = request.visit;
  const search_term = queueSearchTerm(query);
  // A decision's number, such as `n.º 12` or `#12`.
  const decision_number = /^(?:n\.?º ?|#)?(\d{1,9})$/i.exec(search_term)?.[1];
  const page = Math.max(1, Math.floor(Number(query.page)) || 1);
  const subjects = search_term === '' ? null : await listSubjects(request, search_term);
  const decisions =
    decision_number === undefined
      ? await listDecisions(inbox, LOG_PAGE_SIZE + 1, { subjects }, (page - 1) * LOG_PAGE_SIZE)
      : [await getDecision(inbox, Number(decision_number))].filter((decision) => decision !== null);
  const logPath = (page_number: number) =>
    withQuery(DESK_PATHS.log, {
      ...(search_term && { q: search_term }),
      page: String(page_number),
    });
  return {
    search_term,
    lines: await buildDecisionLines(request, decisions.slice(0, LOG_PAGE_SIZE)),
    newer_path: page > 1 ? logPath(page - 1) : null,
    older_path: decisions.length > LOG_PAGE_SIZE ? logPath(page + 1) : null,
  };
}

/**
 * Lists the references and ids that match a search term: an id, an event's address, or words of a
 * title.
 */
async function listSubjects(
  { context, visit }: DeskRequest,
  search_term: string,
): Promise<readonly string[]> {
  const last_segment = search_term.replace(/^.*\//, '');
  const detail = getEvent(context.snapshot, last_segment.toLowerCase(), context.now_ms);
  const event_ids = detail === null || detail === 'gone' ? [] : [detail.event.id];
  const references = [
    last_segment.toUpperCase(),
    ...(await findReferencesByTitle(visit.inbox, search_term, MAX_SUBJECTS)),
  ];
  return [last_segment, ...event_ids, ...references, ...references.map(eventIdOfSubmission)];
}
