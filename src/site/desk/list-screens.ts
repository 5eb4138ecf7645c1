// List screens of the desk: searches editable records, shows the state of followed sources
// (calendars and pages that the service imports regularly), and manages the notices written at the
// desk. Stored names: `brought` = counters of the last import of a source; `batch` = id of its
// imported calendar; `thing` = id of a record.
import {
  closeNotice,
  isNoticeOver,
  listDeskNotices,
  createNotice,
} from '../../desk/desk-notices.ts';
import {
  type RecordWithOverride,
  listOverriddenRecords,
  createRecordSources,
  getRecord,
} from '../../desk/record-overrides.ts';
import { floorToMinute, formatTimestamp } from '../../domain/local-time.ts';
import { refusal } from '../../domain/app-error.ts';
import { cleanLine } from '../../domain/clean-text.ts';
import { listChangedFieldNames, type SourceRecord } from '../../domain/override/record-override.ts';
import { IMPORT_PROBLEMS } from '../../domain/imported-events.ts';
import { splitWords } from '../../domain/text-folding.ts';
import { RECORD_KINDS } from '../../domain/record-history.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import { unfilteredEventFilter } from '../../domain/query/event-query.ts';
import { formatTimestampMinute } from '../../i18n/format-desk.ts';
import { fieldPathLabel } from '../../i18n/format-forms.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { getImportById } from '../../inbox/calendar-imports.ts';
import {
  getSourceState,
  listSourceStates,
  listTakenSenders,
  type SourceState,
} from '../../inbox/followed-sources.ts';
import { findEvents } from '../../snapshot/find-events.ts';
import type { Snapshot } from '../../snapshot/open-snapshot.ts';
import { redirectAfterPost } from '../visitor-request.ts';
import { defineScreen, type DeskRequest, noRecord, redirectWithMessage } from './screen.ts';

/** Further rows show up by a narrower search, or as the first ones are decided. */
export const MAX_LIST_ROWS = 100;

export interface ListRow {
  /** Key that the buttons of the row send; absent for rows without buttons. */
  readonly id?: string;
  readonly title: string;
  /** Screen or page of the row; null if it has none. */
  readonly path: string | null;
  /** Label of the link to `path`; without it the title is the link. */
  readonly action_label?: string;
  /** Short texts side by side. */
  readonly facts?: readonly string[];
  /** Highlighted texts after the facts. */
  readonly warnings?: readonly string[];
  /** Lines below the facts. */
  readonly notes?: readonly string[];
  /** Buttons: the value of `does`, and the label. */
  readonly buttons?: readonly (readonly [action: string, label: string])[];
  /** A visitor's text as submitted. */
  readonly quote?: { readonly lang: Lang; readonly text: string };
  /** Links to the web pages that a record's facts come from, with the dates of their review. */
  readonly sources?: readonly {
    readonly url: string;
    readonly name: string;
    readonly dates: string;
  }[];
}

export interface DeskListView {
  readonly screen: 'today' | 'queue' | 'events' | 'sources';
  /** Sentence below the title; null for none. */
  readonly intro: string | null;
  /** Null if the list has no search. */
  readonly search_term: string | null;
  readonly groups: readonly {
    /** HTML id of the heading. */
    readonly id: string;
    /** Null for a group without a heading. */
    readonly title: string | null;
    readonly note?: string | null;
    /** Shown instead of rows if there are none. */
    readonly empty_text?: string;
    readonly rows: readonly ListRow[];
  }[];
}

/** Searches the editable records. */
export const eventsScreen = defineScreen({ name: 'list', find: noRecord, loadView: loadEvents });
/**
 * Shows the followed sources. A button imports one at once: `pull`, or `gone` to accept that its
 * events are gone.
 */
export const sourcesScreen = defineScreen({
  name: 'list',
  find: noRecord,
  loadView: loadSources,
  handleForm: async ({ visit: { inbox, sources, fields, lang } }, _, render) => {
    const { key = '', does } = fields;
    if (!sources.list().some((source) => source.key === key)) throw refusal('not_asked_for');
    // The import runs in a child process; without a new attempt, it was busy.
    const getLastAttempt = async () => (await getSourceState(inbox, key))?.tried_ms;
    const last_attempt_ms = await getLastAttempt();
    await sources.pull(key, does === 'gone');
    if ((await getLastAttempt()) === last_attempt_ms)
      return render({ status: 503, message: t(lang, 'desk.sources.busy') });
    return redirectAfterPost(`${DESK_PATHS.sources}?done=pulled#${key}`);
  },
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Returns the name or title of a source record in a language; empty if it has neither. */
export function recordTitle({ name, title }: SourceRecord['record'], lang: Lang): string {
  if (typeof name === 'string') return name;
  return isObject(title) ? String(title[lang] ?? '') : '';
}

/** Returns the path of the screen that edits a record. */
export const editPath = (id: string): string => `${DESK_PATHS.edit}/${id}`;

/**
 * Lists upcoming events; for a search, all matching records, those with an exact id or address
 * first.
 */
async function loadEvents(request: DeskRequest): Promise<DeskListView> {
  const { context, visit } = request;
  const { lang } = visit;
  const search_term = cleanLine(visit.query.q ?? '').slice(0, 100);
  const words = splitWords(search_term);
  const unfiltered = unfilteredEventFilter(floorToMinute(context.now_ms), MAX_LIST_ROWS);
  const filter = { ...unfiltered, words: words.length > 0 ? words : null };
  const { cards, next: next_cursor } = findEvents(context.snapshot, filter, lang);
  const events = cards.map(({ event: { id, title, status } }) => ({
    title: title[lang],
    path: editPath(id),
    facts: status === 'published' ? [] : [t(lang, `status.${status}`)],
  }));
  const matches = words.length > 0 ? await findRecords(request, search_term) : [];
  // Matches may repeat upcoming events.
  const match_paths = new Set(matches.map(({ path }) => path));
  const rows = [...matches, ...events.filter(({ path }) => !match_paths.has(path))];
  const sources = createRecordSources(visit.inbox, context.snapshot);
  const override_rows =
    search_term === ''
      ? buildOverrideRows(await listOverriddenRecords(visit.inbox, sources), lang)
      : [];
  const overrides = { id: 'edited', title: t(lang, 'desk.events.edited'), rows: override_rows };
  const note = next_cursor === null ? null : t(lang, 'desk.events.cut', { count: events.length });
  const empty_text = t(lang, 'desk.events.none');
  return {
    screen: 'events',
    intro: null,
    search_term,
    groups: [
      { id: 'events', title: null, note, empty_text, rows },
      ...(override_rows.length > 0 ? [overrides] : []),
    ],
  };
}

/**
 * Finds records of every kind and date by words of their title or file name, or by id or address.
 */
async function findRecords(
  { context, visit }: DeskRequest,
  search_term: string,
): Promise<readonly ListRow[]> {
  const { lang, inbox } = visit;
  const ids_of_address = findIdsByAddress(context.snapshot, search_term);
  const search_words = splitWords(search_term);
  const sources = createRecordSources(inbox, context.snapshot);
  const records = (await Array.fromAsync(RECORD_KINDS, sources.list)).flat();
  const isExact = ({ id }: SourceRecord): boolean => id === search_term || ids_of_address.has(id);
  const matchesWords = ({ record, file }: SourceRecord): boolean => {
    const titles = LANGS.map((title_lang) => recordTitle(record, title_lang));
    const words = splitWords([...titles, file].join(' '));
    return search_words.every((search_word) => words.some((word) => word.startsWith(search_word)));
  };
  return records
    .filter((source) => isExact(source) || matchesWords(source))
    .sort((a, b) => Number(isExact(b)) - Number(isExact(a)))
    .slice(0, MAX_LIST_ROWS)
    .map(({ id, kind, record }) => ({
      title: recordTitle(record, lang),
      path: editPath(id),
      facts: [t(lang, `desk.find.kind.${kind}`)],
    }));
}

/** Finds the ids of the records that have the slug at the end of an address, or the slug itself. */
function findIdsByAddress(snapshot: Snapshot, address: string): ReadonlySet<string> {
  const path = address.replace(/[?#].*$/, '').replace(/\.(md|ics)$/, '');
  const slug = path.split('/').filter(Boolean).at(-1) ?? '';
  const ids = (['event', 'venue', 'organizer'] as const).map((kind) => snapshot.findId(kind, slug));
  return new Set(ids.filter((id) => id !== null));
}

/** Builds a row for each record with an override, with the fields that differ from its source. */
export const buildOverrideRows = (
  overridden: readonly RecordWithOverride[],
  lang: Lang,
): readonly ListRow[] =>
  overridden.map(({ source: { id, kind, record: source_record }, record }) => ({
    title: recordTitle(record, lang),
    path: editPath(id),
    facts: [
      t(lang, `desk.find.kind.${kind}`),
      ...listChangedFieldNames(source_record, record).map((field) =>
        fieldPathLabel(`${kind}.${field}`, lang),
      ),
    ],
  }));

/** Counters of the last import, in the order of the row. */
const IMPORT_COUNTERS = [
  ...(['new', 'changed', 'cancelled', 'gone', 'known', 'incomplete', 'unread'] as const),
  ...(['expired', 'outside', 'test'] as const),
];

/** Lists the state of every followed source, also of removed ones; those with warnings first. */
async function loadSources({
  visit: { inbox, sources, lang },
}: DeskRequest): Promise<DeskListView> {
  const source_names = new Map(sources.list().map(({ key, name }) => [key, name]));
  const states = new Map((await listSourceStates(inbox)).map((state) => [state.key, state]));
  const formatMoment = (ms: number) => formatTimestampMinute(formatTimestamp(ms));
  const buildRow = async (key: string) => {
    const state: Partial<SourceState> = states.get(key) ?? {};
    const {
      batch = null,
      read_ms,
      next_ms,
      failing_ms,
      problem,
      brought: counts_by_kind = {},
      senders = {},
    } = state;
    const calendar_import = batch === null ? null : await getImportById(inbox, batch);
    const import_problem = IMPORT_PROBLEMS.find((known) => known === problem);
    const counts = IMPORT_COUNTERS.filter((name) => (counts_by_kind[name] ?? 0) > 0).map(
      (name) => `${t(lang, `desk.sources.${name}`)} ${counts_by_kind[name]}`,
    );
    const last_import_text = read_ms && t(lang, 'desk.sources.read', { at: formatMoment(read_ms) });
    // The source lost too many events at once: an editor confirms that they are gone.
    const needs_confirmation = problem === 'stopped' || problem === 'emptied';
    return {
      id: key,
      title: source_names.get(key) ?? key,
      path: calendar_import?.reference ? `${DESK_PATHS.items}/${calendar_import.reference}` : null,
      facts: [
        last_import_text || t(lang, 'desk.sources.never'),
        next_ms && source_names.has(key)
          ? t(lang, 'desk.sources.next', { at: formatMoment(next_ms) })
          : '',
      ].filter(Boolean),
      warnings: [
        failing_ms ? t(lang, 'desk.sources.failing', { at: formatMoment(failing_ms) }) : '',
        import_problem ? t(lang, `batch.problem.${import_problem}`, { when: '' }) : '',
        problem === 'stopped' ? t(lang, 'desk.sources.stopped') : '',
        ...formatTakenSenders(listTakenSenders({ key, senders }), lang),
      ].filter(Boolean),
      notes: counts.length > 0 ? [counts.join(' · ')] : [],
      buttons: source_names.has(key)
        ? (['pull', ...(needs_confirmation ? (['gone'] as const) : [])] as const).map(
            (action) => [action, t(lang, `desk.sources.do.${action}`)] as const,
          )
        : [],
    };
  };
  const all_rows = await Array.fromAsync(
    new Set([...source_names.keys(), ...states.keys()]),
    buildRow,
  );
  const rows = all_rows.toSorted(
    (a, b) => Number(b.warnings.length > 0) - Number(a.warnings.length > 0),
  );
  const groups = [{ id: 'sources', title: null, empty_text: t(lang, 'desk.sources.none'), rows }];
  return { screen: 'sources', intro: t(lang, 'desk.sources.lead'), search_term: null, groups };
}

/** Senders of one source that are named at once. */
const MAX_TAKEN_SENDERS = 5;

/** Formats the senders of a source's alerts that another source used first. */
export const formatTakenSenders = (
  taken_senders: ReturnType<typeof listTakenSenders>,
  lang: Lang,
): readonly string[] =>
  taken_senders
    .slice(0, MAX_TAKEN_SENDERS)
    .map(([sender, source]) => t(lang, 'desk.sources.sender', { sender, source }));

/** Lists the notices written at the desk, closes them, and creates new ones. */
export const noticesScreen = defineScreen({
  name: 'notices',
  find: noRecord,
  loadView: loadNotices,
  handleForm: async ({ visit: { inbox, fields, lang }, actor }, _, render) => {
    if (fields.does === 'close') {
      await closeNotice(inbox, actor, fields.id ?? '');
      return redirectWithMessage(DESK_PATHS.notices, 'decided');
    }
    const invalid_fields = await createNotice(inbox, actor, fields);
    if (invalid_fields.length === 0) return redirectWithMessage(DESK_PATHS.notices, 'decided');
    const issues = invalid_fields.map((name) => [name, t(lang, 'desk.notice.issue')] as const);
    const message = { status: 422, message: t(lang, 'desk.refused.issues') };
    return render(message, new Map(issues));
  },
});

/** View model of the notices written at the desk. */
export type DeskNoticesView = Awaited<ReturnType<typeof loadNotices>>;

/** Loads the notices written at the desk, and the form for a new one with the submitted values. */
async function loadNotices(
  { context: { snapshot, now_ms }, visit: { inbox, lang, fields } }: DeskRequest,
  _: '',
  issues: ReadonlyMap<string, string> = new Map(),
) {
  const sources = createRecordSources(inbox, snapshot);
  return {
    /** Sentences, by control. */
    issues,
    values: fields,
    zones: snapshot.taxonomy.zones.map(({ key, name }) => ({ value: key, label: name[lang] })),
    notices: await Array.fromAsync(await listDeskNotices(inbox), async ({ id, thing, notice }) => {
      const edited = await getRecord(inbox, sources, thing);
      return {
        id,
        title: edited === null ? notice.title[lang] : recordTitle(edited.record, lang),
        severity: notice.severity,
        is_closed: !notice.open,
        is_over: isNoticeOver(notice, now_ms),
        edit_path: editPath(thing),
      };
    }),
  };
}
