// The lists of the desk, all of the same rows: what can be edited, found by a word or an address, and
// what is; what is followed; and the notices that were written here.
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
  type SourceState,
} from '../../inbox/followed-sources.ts';
import { findEvents } from '../../snapshot/find-events.ts';
import type { Snapshot } from '../../snapshot/open-snapshot.ts';
import { redirectAfterPost } from '../visitor-request.ts';
import { defineScreen, type DeskRequest, noRecord, redirectWithMessage } from './screen.ts';

/** Most rows of a list; the rest comes up by another word, or as these are looked at. */
export const MAX_LIST_ROWS = 100;

export interface ListRow {
  /** Of a row that has buttons. */
  readonly id?: string;
  readonly title: string;
  readonly path: string | null;
  /** What is done there, where its title does not lead there. */
  readonly act?: string;
  /** Words side by side, what is not sure of it, and lines below them. */
  readonly facts?: readonly string[];
  readonly unsure?: readonly string[];
  readonly notes?: readonly string[];
  /** What its forms do, in words. */
  readonly buttons?: readonly (readonly [does: string, words: string])[];
  /** A reader's, as they were written. */
  readonly words?: { readonly lang: Lang; readonly text: string };
  readonly sources?: readonly {
    readonly url: string;
    readonly name: string;
    readonly days: string;
  }[];
}

export interface DeskListView {
  readonly room: 'today' | 'queue' | 'events' | 'sources';
  readonly lead: string | null;
  /** What was looked for, where anything can be. */
  readonly q: string | null;
  readonly groups: readonly {
    readonly id: string;
    readonly title: string | null;
    readonly note?: string | null;
    /** Said where it has no rows. */
    readonly empty?: string;
    readonly rows: readonly ListRow[];
  }[];
}

export const eventsScreen = defineScreen({ name: 'list', find: noRecord, load: readEvents });
export const sourcesScreen = defineScreen({
  name: 'list',
  find: noRecord,
  load: readSources,
  act: async ({ visit: { inbox, sources, fields, lang } }, _, show) => {
    const { key = '', does } = fields;
    if (!sources.list().some((one) => one.key === key)) throw refusal('not_asked_for');
    const readTried = async () => (await getSourceState(inbox, key))?.tried_ms;
    const before = await readTried();
    await sources.pull(key, does === 'gone');
    if ((await readTried()) === before)
      return show({ status: 503, notice: t(lang, 'desk.sources.busy') });
    return redirectAfterPost(`${DESK_PATHS.sources}?done=pulled#${key}`);
  },
});

const isTexts = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Its name in a language, from a record of its source. */
export function recordTitle({ name, title }: SourceRecord['record'], lang: Lang): string {
  if (typeof name === 'string') return name;
  return isTexts(title) ? String(title[lang] ?? '') : '';
}

export const editPath = (id: string): string => `${DESK_PATHS.edit}/${id}`;

/** The events ahead; of a search everything that it means, first the very thing of an address. */
async function readEvents(request: DeskRequest): Promise<DeskListView> {
  const { state, visit } = request;
  const { lang } = visit;
  const q = cleanLine(visit.query.q ?? '').slice(0, 100);
  const words = splitWords(q);
  const open = unfilteredEventFilter(floorToMinute(state.now_ms), MAX_LIST_ROWS);
  const filter = { ...open, words: words.length > 0 ? words : null };
  const { cards, next } = findEvents(state.snapshot, filter, lang);
  const events = cards.map(({ event: { id, title, status } }) => ({
    title: title[lang],
    path: editPath(id),
    facts: status === 'published' ? [] : [t(lang, `status.${status}`)],
  }));
  const things = words.length > 0 ? await findThings(request, q) : [];
  const found = new Set(things.map(({ path }) => path));
  const rows = [...things, ...events.filter(({ path }) => !found.has(path))];
  const sources = createRecordSources(visit.inbox, state.snapshot);
  const edited =
    q === '' ? buildOverrideRows(await listOverriddenRecords(visit.inbox, sources), lang) : [];
  const held = { id: 'edited', title: t(lang, 'desk.events.edited'), rows: edited };
  const note = next === null ? null : t(lang, 'desk.events.cut', { count: events.length });
  const empty = t(lang, 'desk.events.none');
  return {
    room: 'events',
    lead: null,
    q,
    groups: [
      { id: 'events', title: null, note, empty, rows },
      ...(edited.length > 0 ? [held] : []),
    ],
  };
}

/** Places, organizers, notices and events of any day. */
async function findThings({ state, visit }: DeskRequest, q: string): Promise<readonly ListRow[]> {
  const { lang, inbox } = visit;
  const addressed = findAddressed(state.snapshot, q);
  const wanted = splitWords(q);
  const sources = createRecordSources(inbox, state.snapshot);
  const all = (await Array.fromAsync(RECORD_KINDS, sources.list)).flat();
  const isExact = ({ id }: SourceRecord): boolean => id === q || addressed.has(id);
  const isMeant = ({ record, file }: SourceRecord): boolean => {
    const titles = LANGS.map((one) => recordTitle(record, one));
    const words = splitWords([...titles, file].join(' '));
    return wanted.every((word) => words.some((one) => one.startsWith(word)));
  };
  return all
    .filter((source) => isExact(source) || isMeant(source))
    .sort((a, b) => Number(isExact(b)) - Number(isExact(a)))
    .slice(0, MAX_LIST_ROWS)
    .map(({ id, kind, record }) => ({
      title: recordTitle(record, lang),
      path: editPath(id),
      facts: [t(lang, `desk.find.kind.${kind}`)],
    }));
}

/** The ids of what the last part of an address, or a slug alone, leads to. */
function findAddressed(snapshot: Snapshot, q: string): ReadonlySet<string> {
  const path = q.replace(/[?#].*$/, '').replace(/\.(md|ics)$/, '');
  const slug = path.split('/').filter(Boolean).at(-1) ?? '';
  const ids = (['event', 'venue', 'organizer'] as const).map((kind) => snapshot.findId(kind, slug));
  return new Set(ids.filter((id) => id !== null));
}

/** Things that are edited, each with the fields in which it is another than its source. */
export const buildOverrideRows = (
  edited: readonly RecordWithOverride[],
  lang: Lang,
): readonly ListRow[] =>
  edited.map(({ source: { id, kind, record: said }, record }) => ({
    title: recordTitle(record, lang),
    path: editPath(id),
    facts: [
      t(lang, `desk.find.kind.${kind}`),
      ...listChangedFieldNames(said, record).map((field) =>
        fieldPathLabel(`${kind}.${field}`, lang),
      ),
    ],
  }));

const BROUGHT = [
  ...(['new', 'changed', 'cancelled', 'gone', 'known', 'incomplete', 'unread'] as const),
  ...(['expired', 'outside', 'test'] as const),
];

/** How the reading of each source stands, those that no file names any more too; what fails or asks first. */
async function readSources({
  visit: { inbox, sources, lang },
}: DeskRequest): Promise<DeskListView> {
  const files = new Map(sources.list().map(({ key, name }) => [key, name]));
  const stored = new Map((await listSourceStates(inbox)).map((one) => [one.key, one]));
  const toAt = (ms: number) => formatTimestampMinute(formatTimestamp(ms));
  const toRow = async (key: string) => {
    const read: Partial<SourceState> = stored.get(key) ?? {};
    const { batch = null, read_ms, next_ms, failing_ms, problem, brought = {} } = read;
    const of_batch = batch === null ? null : await getImportById(inbox, batch);
    const fault = IMPORT_PROBLEMS.find((one) => one === problem);
    const counts = BROUGHT.filter((name) => (brought[name] ?? 0) > 0).map(
      (name) => `${t(lang, `desk.sources.${name}`)} ${brought[name]}`,
    );
    const at = read_ms && t(lang, 'desk.sources.read', { at: toAt(read_ms) });
    const is_asking = problem === 'stopped' || problem === 'emptied';
    return {
      id: key,
      title: files.get(key) ?? key,
      path: of_batch?.reference ? `${DESK_PATHS.items}/${of_batch.reference}` : null,
      facts: [
        at || t(lang, 'desk.sources.never'),
        next_ms && files.has(key) ? t(lang, 'desk.sources.next', { at: toAt(next_ms) }) : '',
      ].filter(Boolean),
      unsure: [
        failing_ms ? t(lang, 'desk.sources.failing', { at: toAt(failing_ms) }) : '',
        fault ? t(lang, `batch.problem.${fault}`, { when: '' }) : '',
        problem === 'stopped' ? t(lang, 'desk.sources.stopped') : '',
      ].filter(Boolean),
      notes: counts.length > 0 ? [counts.join(' · ')] : [],
      buttons: files.has(key)
        ? (['pull', ...(is_asking ? (['gone'] as const) : [])] as const).map(
            (does) => [does, t(lang, `desk.sources.do.${does}`)] as const,
          )
        : [],
    };
  };
  const all = await Array.fromAsync(new Set([...files.keys(), ...stored.keys()]), toRow);
  const rows = all.toSorted((a, b) => Number(b.unsure.length > 0) - Number(a.unsure.length > 0));
  const groups = [{ id: 'sources', title: null, empty: t(lang, 'desk.sources.none'), rows }];
  return { room: 'sources', lead: t(lang, 'desk.sources.lead'), q: null, groups };
}

export const noticesScreen = defineScreen({
  name: 'notices',
  find: noRecord,
  load: readNotices,
  act: async ({ visit: { inbox, fields, lang }, actor }, _, show) => {
    if (fields.does === 'close') {
      await closeNotice(inbox, actor, fields.id ?? '');
      return redirectWithMessage(DESK_PATHS.notices, 'decided');
    }
    const wrong = await createNotice(inbox, actor, fields);
    if (wrong.length === 0) return redirectWithMessage(DESK_PATHS.notices, 'decided');
    const faults = wrong.map((name) => [name, t(lang, 'desk.notice.issue')] as const);
    const told = { status: 422, notice: t(lang, 'desk.refused.issues') };
    return show(told, new Map(faults));
  },
});

export type DeskNoticesView = Awaited<ReturnType<typeof readNotices>>;

/** Those that were written here, and the form of a new one with what was typed. */
async function readNotices(
  { state: { snapshot, now_ms }, visit: { inbox, lang, fields } }: DeskRequest,
  _: '',
  issues: ReadonlyMap<string, string> = new Map(),
) {
  const sources = createRecordSources(inbox, snapshot);
  return {
    issues,
    values: fields,
    zones: snapshot.taxonomy.zones.map(({ key, name }) => ({ value: key, label: name[lang] })),
    open: await Array.fromAsync(await listDeskNotices(inbox), async ({ id, thing, notice }) => {
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
