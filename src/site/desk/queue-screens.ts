// Queue screens of the desk: shows the pending items of the review queue by urgency, and on the
// first screen the worklist of the day: an hour's work in order, each row with one action (contract
// 14.21, 14.43).
// Kinds of items: a submission, `batch` = an imported calendar, `report` = a correction, an alert
// of a source. A correction of the channel (`door`) `source` reports that an event disappeared from
// its followed source. `is_doubtful`: the sender exceeded a soft limit.
import { Temporal } from 'temporal-polyfill';
import { loadReviewQueue } from '../../desk/review-queue.ts';
import { GAP_DAYS, loadTodayWorklist, USUAL_MIN_EVENTS } from '../../desk/today-worklist.ts';
import {
  listOverriddenRecords,
  createRecordSources,
  type RecordSources,
} from '../../desk/record-overrides.ts';
import { formatTimestamp, toLocalDay } from '../../domain/local-time.ts';
import { IMPORT_PROBLEMS } from '../../domain/imported-events.ts';
import type { ReleaseStatus } from '../../domain/health.ts';
import { type FactDue, computeDecay } from '../../domain/fact-freshness.ts';
import type { Lang } from '../../domain/lang.ts';
import { URGENCY_GROUPS, type QueueItem } from '../../domain/review-queue.ts';
import { formatBriefDay, formatBriefWhen, formatDateNoWeekday } from '../../i18n/format-dates.ts';
import { formatTimestampMinute, formatStart } from '../../i18n/format-desk.ts';
import { formatSourceDates } from '../../i18n/format-facts.ts';
import { DESK_PATHS, pagePath, withQuery } from '../../i18n/paths.ts';
import { t, tPlural } from '../../i18n/translate.ts';
import { getCorrection, listUnparsableChanges } from '../../inbox/changes.ts';
import { listFailedEmails, getMailHealth } from '../../inbox/outbox.ts';
import { listOmittedRecords } from '../../snapshot/list-records.ts';
import {
  type DeskListView,
  MAX_LIST_ROWS,
  type ListRow,
  editPath,
  buildOverrideRows,
  formatTakenSenders,
} from './list-screens.ts';
import {
  defineScreen,
  type DeskRequest,
  noRecord,
  queueItemPath,
  queueSearchTerm,
} from './screen.ts';

/** The review queue. */
export const queueScreen = defineScreen({ name: 'list', find: noRecord, loadView: loadQueue });

/** Loads the pending items in groups of urgency; with a search term, only those that match it. */
async function loadQueue(request: DeskRequest): Promise<DeskListView> {
  const { context, visit } = request;
  const { lang, inbox } = visit;
  const search_term = queueSearchTerm(visit.query);
  const items = await loadReviewQueue(inbox, context.snapshot, context.now_ms, search_term);
  const listed_items = items.slice(0, MAX_LIST_ROWS);
  const buildGroup = async (group: QueueItem['group']) => {
    const count = items.filter((item) => item.group === group).length;
    const listed_of_group = listed_items.filter((item) => item.group === group);
    return {
      id: group,
      title: `${t(lang, `desk.group.${group}`)} (${count})`,
      rows: await Array.fromAsync(listed_of_group, (item) => buildItemRow(request, item)),
    };
  };
  const groups = (await Array.fromAsync(URGENCY_GROUPS, buildGroup)).filter(
    ({ rows }) => rows.length > 0,
  );
  const empty_text = t(lang, search_term === '' ? 'desk.queue.empty' : 'desk.queue.none');
  const truncated_text = t(lang, 'desk.events.cut', { count: MAX_LIST_ROWS });
  return {
    screen: 'queue',
    intro: items.length > MAX_LIST_ROWS ? truncated_text : t(lang, 'desk.queue.lead'),
    search_term,
    groups: groups.length > 0 ? groups : [{ id: 'none', title: null, empty_text, rows: [] }],
  };
}

/** Builds the row of a pending item. */
async function buildItemRow({ visit }: DeskRequest, item: QueueItem): Promise<ListRow> {
  const { inbox, lang } = visit;
  const { reference, kind, day, place, starts, received_at, channel } = item;
  // The start on the most urgent day; without an hour if the item has none.
  const start = day && (starts.find((moment) => moment.startsWith(day)) ?? day);
  const correction = kind === 'report' ? await getCorrection(inbox, reference) : null;
  return {
    title: kind === 'batch' ? formatImportTitle(item, lang) : item.title,
    path: queueItemPath(reference),
    facts: [
      start === null ? '' : `${t(lang, 'desk.starts')} ${formatStart(start, lang, received_at)}`,
      place ?? '',
      t(lang, correction?.door === 'source' ? 'desk.vanished' : `desk.kind.${kind}`),
    ].filter(Boolean),
    warnings: item.is_doubtful ? [t(lang, 'desk.doubtful')] : [],
    ...(correction && { quote: { lang: correction.text.lang, text: correction.text.change } }),
    notes: [
      [
        reference,
        `${t(lang, 'desk.came')} ${formatTimestampMinute(received_at)}`,
        t(lang, `desk.channel.${channel}`),
      ].join(' · '),
    ],
  };
}

const formatImportTitle = (
  { title: name, starts: { length: count } }: QueueItem,
  lang: Lang,
): string => t(lang, name === '' ? 'desk.batch.unnamed' : 'desk.batch', { name, count });

/**
 * The action on a row of each section, as a part of its i18n key. Sections, in working order:
 * `requests` of senders to cancel or postpone; `unconfirmed` events of the next days; `sources`
 * with problems; `waiting`: other pending items; `left_out`: records that the last build omitted;
 * `outdated` overrides; `due`: facts to review; `gaps`: days and categories with too few events.
 */
const ACTIONS = {
  requests: 'decide',
  unconfirmed: 'confirm',
  sources: 'look',
  waiting: 'decide',
  left_out: 'mend',
  outdated: 'settle',
  due: 'check',
  gaps: 'add',
} as const;

type TodayWorklist = Awaited<ReturnType<typeof loadTodayWorklist>>;

/** Definition of the first screen, which the router also uses for the path of logging out. */
export const TODAY_SCREEN_DEFINITION = { name: 'list', find: noRecord, loadView: loadToday };
export const todayScreen = defineScreen(TODAY_SCREEN_DEFINITION);

/** View model of the first screen: the worklist, with the status of releases and email. */
export interface TodayView extends DeskListView {
  readonly release_status: ReleaseStatus;
  readonly mail_problems: Awaited<ReturnType<typeof loadMailProblems>>;
}

/** Loads the non-empty sections of the worklist, in working order. */
async function loadToday(request: DeskRequest): Promise<TodayView> {
  const groups = (await loadTodaySections(request)).filter(({ rows }) => rows.length > 0);
  const { lang, readReleaseNews } = request.visit;
  return {
    screen: 'today',
    intro: t(lang, groups.length > 0 ? 'desk.today.lead' : 'desk.today.all'),
    search_term: null,
    groups,
    release_status: await readReleaseNews(),
    mail_problems: await loadMailProblems(request),
  };
}

/** Loads all sections of the worklist; those without work have no rows. */
async function loadTodaySections(request: DeskRequest) {
  const { context, visit } = request;
  const { snapshot, now_ms } = context;
  const { inbox, lang } = visit;
  const worklist = await loadTodayWorklist(inbox, snapshot, now_ms);
  const { requests, unconfirmed, sources, waiting, due } = worklist;
  const record_sources = createRecordSources(inbox, snapshot);
  const outdated = (await listOverriddenRecords(inbox, record_sources)).filter(
    ({ is_outdated }) => is_outdated,
  );
  const buildSection = (
    id: keyof typeof ACTIONS,
    rows: readonly ListRow[],
    count = rows.length,
    note: string | null = null,
  ) => ({
    id,
    title: `${t(lang, `desk.today.${id}`)} (${count})`,
    note,
    rows: rows.map((row) => ({ ...row, action_label: t(lang, `desk.today.act.${ACTIONS[id]}`) })),
  });
  const buildItemRows = (items: readonly QueueItem[]) =>
    Array.fromAsync(items.slice(0, MAX_LIST_ROWS), (item) => buildItemRow(request, item));
  const oldest_received_at = waiting.map(({ received_at }) => received_at).sort()[0] ?? '';
  const oldest_note = t(lang, 'desk.today.oldest', {
    at: formatTimestampMinute(oldest_received_at),
  });
  const gaps_note = t(lang, 'desk.today.gaps.note', { days: GAP_DAYS, least: USUAL_MIN_EVENTS });
  return [
    buildSection('requests', await buildItemRows(requests), requests.length),
    buildSection(
      'unconfirmed',
      unconfirmed.map((event) => buildUnconfirmedRow(event, request)),
    ),
    buildSection(
      'sources',
      sources.map((source) => buildSourceRow(source, lang)),
    ),
    buildSection('waiting', await buildItemRows(waiting), waiting.length, oldest_note),
    buildSection('left_out', await listOmittedRows(request, record_sources)),
    buildSection('outdated', buildOverrideRows(outdated, lang)),
    buildSection(
      'due',
      due.slice(0, MAX_LIST_ROWS).map((fact) => buildDueRow(fact, request)),
      due.length,
    ),
    buildSection('gaps', listGapRows(worklist, request), undefined, gaps_note),
  ];
}

/**
 * Lists overrides that the last build omitted as invalid, and pending changes that cannot be
 * parsed.
 */
async function listOmittedRows(
  { context: { snapshot }, visit: { inbox, lang } }: DeskRequest,
  sources: RecordSources,
): Promise<readonly ListRow[]> {
  // Each line is the id of a record and why it is invalid.
  const omitted = await Array.fromAsync(listOmittedRecords(snapshot), async (line) => {
    const [id = ''] = line.split(' ');
    const path = (await sources.get(id)) === null ? null : editPath(id);
    return { title: line, path };
  });
  const unparsable = (await listUnparsableChanges(inbox))
    .filter((change) => change.state === 'waiting')
    .map(({ reference }) => ({
      title: t(lang, 'desk.today.unreadable', { reference }),
      path: null,
    }));
  return [...omitted, ...unparsable];
}

/** Lists days with too few events, and usual categories that have none. */
function listGapRows(
  { gaps, thin_days }: TodayWorklist,
  { context: { now_ms }, visit: { lang } }: DeskRequest,
): readonly ListRow[] {
  const submit_path = pagePath('submit', lang);
  return [
    ...thin_days.map(({ day, count }) => ({
      title: formatBriefDay(day, toLocalDay(now_ms).year, lang),
      path: withQuery(submit_path, { start_date: day.toString() }),
      facts: [tPlural(lang, 'desk.today.thin', count)],
    })),
    ...gaps.map(({ zone, category, count }) => ({
      title: `${category.name[lang]} · ${zone.name[lang]}`,
      path: withQuery(submit_path, { category: category.key, zone: zone.key }),
      facts: [t(lang, 'desk.today.usual', { count })],
    })),
  ];
}

/** Builds the row of an event that takes place soon and is not confirmed. */
function buildUnconfirmedRow(
  { card: { event, venue }, occurrence }: TodayWorklist['unconfirmed'][number],
  { context: { now_ms }, visit: { lang } }: DeskRequest,
): ListRow {
  const { source_url: url, source } = event;
  return {
    title: event.title[lang],
    path: `${editPath(event.id)}#f-sources`,
    facts: [formatBriefWhen(occurrence, toLocalDay(now_ms).year, lang), venue?.name ?? ''],
    sources: url === null ? [] : [buildSourceLink(url, formatSourceDates(event, lang, source))],
  };
}

/** Builds the row of a followed source with pending items or problems. */
function buildSourceRow(
  { key, items, problem, failing_ms, is_dead, taken_senders }: TodayWorklist['sources'][number],
  lang: Lang,
): ListRow {
  const [first_item] = items;
  const import_problem = IMPORT_PROBLEMS.find((known) => known === problem);
  const failing_since =
    failing_ms === null ? null : formatTimestampMinute(formatTimestamp(failing_ms));
  return {
    title: key,
    path: first_item ? queueItemPath(first_item.reference) : `${DESK_PATHS.sources}#${key}`,
    facts: [items.length > 0 ? tPlural(lang, 'desk.batch.waiting', countEvents(items)) : ''],
    warnings: [
      failing_since === null
        ? ''
        : t(lang, is_dead ? 'desk.today.dead' : 'desk.sources.failing', { at: failing_since }),
      import_problem ? t(lang, `batch.problem.${import_problem}`, { when: '' }) : '',
      problem === 'stopped' ? t(lang, 'desk.sources.stopped') : '',
      ...formatTakenSenders(taken_senders, lang),
    ],
  };
}

/** Counts the events of items; an imported calendar has one start per event. */
const countEvents = (items: readonly QueueItem[]): number =>
  items.reduce((sum, { kind, starts }) => sum + (kind === 'batch' ? starts.length : 1), 0);

/** Builds the row of a fact that is due for review: its certainty decays with time. */
function buildDueRow(
  fact: FactDue,
  { context: { now_ms }, visit: { lang } }: DeskRequest,
): ListRow {
  const today = toLocalDay(now_ms);
  const is_over = fact.day < today.toString();
  const day = formatDateNoWeekday(Temporal.PlainDate.from(fact.day), lang);
  // A notice has one id per day: `no_…-DATE`. It is edited under the part before the dash.
  const [record_id = ''] = fact.id.split('-');
  return {
    title: fact.name[lang],
    path: `${editPath(record_id)}#f-sources`,
    facts: [
      t(lang, `desk.due.kind.${fact.kind}`),
      t(lang, is_over ? 'desk.due.day.over' : 'desk.due.day.ahead', { day }),
    ],
    notes: [formatDecay(fact, today, lang)],
    sources: fact.sources.flatMap(({ url }) => (url === null ? [] : [buildSourceLink(url)])),
  };
}

const buildSourceLink = (url: string, dates = '') => ({
  url,
  name: new URL(url).hostname,
  dates,
});

/**
 * Formats the present certainty of a fact that is due for review, and the next one if it is not
 * reviewed.
 */
function formatDecay(fact: FactDue, today: Temporal.PlainDate, lang: Lang): string {
  const decay = computeDecay(fact, today);
  if (decay === null) return t(lang, 'desk.due.stays');
  const { now, next } = decay;
  const has_decayed = now !== fact.stated && now !== 'confirmed';
  const day = next && formatDateNoWeekday(next.from, lang);
  return [
    has_decayed ? t(lang, `desk.due.now.${now}`) : '',
    day && next.level !== 'confirmed' ? t(lang, `desk.due.becomes.${next.level}`, { day }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Failed emails listed on the first screen. */
const MAX_FAILED_EMAILS = 10;
/**
 * An approval email waits for the next release, which comes every six hours. Older emails are late.
 */
const LATE_SECONDS = 8 * 3600;

/** Returns the mail health and the failed emails, or null if email is on time or disabled. */
async function loadMailProblems({ context: { site, now_ms }, visit: { inbox } }: DeskRequest) {
  if (!site.sends_mail) return null;
  const health = await getMailHealth(inbox, now_ms);
  const is_late = (health.oldest_seconds ?? 0) > LATE_SECONDS;
  if (health.failed === 0 && !is_late) return null;
  return { health, failed: await listFailedEmails(inbox, MAX_FAILED_EMAILS) };
}
