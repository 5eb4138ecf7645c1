// What waits at the desk, by urgency; and its first page: an hour's work in order, each line with its one action
// (contract 14.21, 14.43).
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
} from './list-screens.ts';
import {
  defineScreen,
  type DeskRequest,
  noRecord,
  queueItemPath,
  queueSearchTerm,
} from './screen.ts';

export const queueScreen = defineScreen({ name: 'list', find: noRecord, load: readWaiting });

async function readWaiting(request: DeskRequest): Promise<DeskListView> {
  const { state, visit } = request;
  const { lang, inbox } = visit;
  const q = queueSearchTerm(visit.query);
  const found = await loadReviewQueue(inbox, state.snapshot, state.now_ms, q);
  const shown = found.slice(0, MAX_LIST_ROWS);
  const toGroup = async (group: QueueItem['group']) => {
    const own = shown.filter((item) => item.group === group);
    return {
      id: group,
      title: `${t(lang, `desk.group.${group}`)} (${found.filter((item) => item.group === group).length})`,
      rows: await Array.fromAsync(own, (item) => toRow(request, item)),
    };
  };
  const groups = (await Array.fromAsync(URGENCY_GROUPS, toGroup)).filter(
    ({ rows }) => rows.length > 0,
  );
  const empty = t(lang, q === '' ? 'desk.queue.empty' : 'desk.queue.none');
  const cut = t(lang, 'desk.events.cut', { count: MAX_LIST_ROWS });
  return {
    room: 'queue',
    lead: found.length > MAX_LIST_ROWS ? cut : t(lang, 'desk.queue.lead'),
    q,
    groups: groups.length > 0 ? groups : [{ id: 'none', title: null, empty, rows: [] }],
  };
}

async function toRow({ visit }: DeskRequest, item: QueueItem): Promise<ListRow> {
  const { inbox, lang } = visit;
  const { reference, kind, day, place, starts, received_at, channel } = item;
  const start = day && (starts.find((one) => one.startsWith(day)) ?? day);
  const reported = kind === 'report' ? await getCorrection(inbox, reference) : null;
  return {
    title: kind === 'batch' ? toBatchTitle(item, lang) : item.title,
    path: queueItemPath(reference),
    facts: [
      start === null ? '' : `${t(lang, 'desk.starts')} ${formatStart(start, lang, received_at)}`,
      place ?? '',
      t(lang, reported?.door === 'source' ? 'desk.vanished' : `desk.kind.${kind}`),
    ].filter(Boolean),
    unsure: item.is_doubtful ? [t(lang, 'desk.doubtful')] : [],
    ...(reported && { words: { lang: reported.text.lang, text: reported.text.change } }),
    notes: [
      [
        reference,
        `${t(lang, 'desk.came')} ${formatTimestampMinute(received_at)}`,
        t(lang, `desk.channel.${channel}`),
      ].join(' · '),
    ],
  };
}

const toBatchTitle = ({ title: name, starts: { length: count } }: QueueItem, lang: Lang): string =>
  t(lang, name === '' ? 'desk.batch.unnamed' : 'desk.batch', { name, count });

/** What is done with a line of each section. */
const ACTS = {
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

export const TODAY_SCREEN_DEFINITION = { name: 'list', find: noRecord, load: readHour };
export const todayScreen = defineScreen(TODAY_SCREEN_DEFINITION);

/** With how publishing and letters go. */
export interface TodayView extends DeskListView {
  readonly news: ReleaseStatus;
  readonly mail: Awaited<ReturnType<typeof readMailNews>>;
}

/** The sections that have something, in the order in which they are worked through. */
async function readHour(request: DeskRequest): Promise<TodayView> {
  const { state, visit } = request;
  const { snapshot, now_ms } = state;
  const { inbox, lang } = visit;
  const today = await loadTodayWorklist(inbox, snapshot, now_ms);
  const { requests, unconfirmed, sources, waiting, due } = today;
  const known = createRecordSources(inbox, snapshot);
  const outdated = (await listOverriddenRecords(inbox, known)).filter(
    ({ is_outdated }) => is_outdated,
  );
  const left_out = await Array.fromAsync(listOmittedRecords(snapshot), (line) =>
    toLeftOut(line, known),
  );
  const unreadable = (await listUnparsableChanges(inbox)).filter((one) => one.state === 'waiting');
  for (const { reference } of unreadable)
    left_out.push({ title: t(lang, 'desk.today.unreadable', { reference }), path: null });
  const toSection = (
    id: keyof typeof ACTS,
    rows: readonly ListRow[],
    count = rows.length,
    said?: Readonly<Record<string, string | number>>,
  ) => ({
    id,
    title: `${t(lang, `desk.today.${id}`)} (${count})`,
    note: said ? t(lang, id === 'gaps' ? 'desk.today.gaps.note' : 'desk.today.oldest', said) : null,
    rows: rows.map((row) => ({ ...row, act: t(lang, `desk.today.act.${ACTS[id]}`) })),
  });
  const toItems = (items: readonly QueueItem[]) =>
    Array.fromAsync(items.slice(0, MAX_LIST_ROWS), (item) => toRow(request, item));
  const at = formatTimestampMinute(waiting.map(({ received_at }) => received_at).sort()[0] ?? '');
  const groups = [
    toSection('requests', await toItems(requests), requests.length),
    toSection(
      'unconfirmed',
      unconfirmed.map((one) => toUnconfirmedRow(one, request)),
    ),
    toSection(
      'sources',
      sources.map((one) => toSourceRow(one, lang)),
    ),
    toSection('waiting', await toItems(waiting), waiting.length, { at }),
    toSection('left_out', left_out),
    toSection('outdated', buildOverrideRows(outdated, lang)),
    toSection(
      'due',
      due.slice(0, MAX_LIST_ROWS).map((fact) => toDueRow(fact, request)),
      due.length,
    ),
    toSection('gaps', listGapRows(today, request), undefined, {
      days: GAP_DAYS,
      least: USUAL_MIN_EVENTS,
    }),
  ].filter(({ rows }) => rows.length > 0);
  return {
    room: 'today',
    lead: t(lang, groups.length > 0 ? 'desk.today.lead' : 'desk.today.all'),
    q: null,
    groups,
    news: await visit.readReleaseNews(),
    mail: await readMailNews(request),
  };
}

/** An edit that does not pass any more, with what is wrong. */
async function toLeftOut(line: string, sources: RecordSources): Promise<ListRow> {
  const [id = ''] = line.split(' ');
  const path = (await sources.get(id)) === null ? null : editPath(id);
  return { title: line, path };
}

/** Nothing of a town as usual, and days with next to nothing. */
function listGapRows(
  { gaps, thin_days }: TodayWorklist,
  { state: { now_ms }, visit: { lang } }: DeskRequest,
): readonly ListRow[] {
  const add = pagePath('submit', lang);
  return [
    ...thin_days.map(({ day, count }) => ({
      title: formatBriefDay(day, toLocalDay(now_ms).year, lang),
      path: withQuery(add, { start_date: day.toString() }),
      facts: [tPlural(lang, 'desk.today.thin', count)],
    })),
    ...gaps.map(({ zone, category, count }) => ({
      title: `${category.name[lang]} · ${zone.name[lang]}`,
      path: withQuery(add, { category: category.key, zone: zone.key }),
      facts: [t(lang, 'desk.today.usual', { count })],
    })),
  ];
}

function toUnconfirmedRow(
  { card: { event, venue }, occurrence }: TodayWorklist['unconfirmed'][number],
  { state: { now_ms }, visit: { lang } }: DeskRequest,
): ListRow {
  const { source_url: url, source } = event;
  return {
    title: event.title[lang],
    path: `${editPath(event.id)}#f-sources`,
    facts: [formatBriefWhen(occurrence, toLocalDay(now_ms).year, lang), venue?.name ?? ''],
    sources: url === null ? [] : [toSource(url, formatSourceDates(event, lang, source))],
  };
}

function toSourceRow(
  { key, items, problem, failing_ms, is_dead }: TodayWorklist['sources'][number],
  lang: Lang,
): ListRow {
  const [first] = items;
  const fault = IMPORT_PROBLEMS.find((one) => one === problem);
  const at = failing_ms === null ? null : formatTimestampMinute(formatTimestamp(failing_ms));
  return {
    title: key,
    path: first ? queueItemPath(first.reference) : `${DESK_PATHS.sources}#${key}`,
    facts: [items.length > 0 ? tPlural(lang, 'desk.batch.waiting', countEvents(items)) : ''],
    unsure: [
      at === null ? '' : t(lang, is_dead ? 'desk.today.dead' : 'desk.sources.failing', { at }),
      fault ? t(lang, `batch.problem.${fault}`, { when: '' }) : '',
      problem === 'stopped' ? t(lang, 'desk.sources.stopped') : '',
    ],
  };
}

const countEvents = (items: readonly QueueItem[]): number =>
  items.reduce((sum, { kind, starts }) => sum + (kind === 'batch' ? starts.length : 1), 0);

function toDueRow(fact: FactDue, { state: { now_ms }, visit: { lang } }: DeskRequest): ListRow {
  const today = toLocalDay(now_ms);
  const is_over = fact.day < today.toString();
  const day = formatDateNoWeekday(Temporal.PlainDate.from(fact.day), lang);
  // A notice has an id for each day.
  const [thing = ''] = fact.id.split('-');
  return {
    title: fact.name[lang],
    path: `${editPath(thing)}#f-sources`,
    facts: [
      t(lang, `desk.due.kind.${fact.kind}`),
      t(lang, is_over ? 'desk.due.day.over' : 'desk.due.day.ahead', { day }),
    ],
    notes: [sayFall(fact, today, lang)],
    sources: fact.sources.flatMap(({ url }) => (url === null ? [] : [toSource(url)])),
  };
}

const toSource = (url: string, days = '') => ({ url, name: new URL(url).hostname, days });

/** What a fact that is due has become, and what becomes of it where nobody looks. */
function sayFall(fact: FactDue, today: Temporal.PlainDate, lang: Lang): string {
  const fall = computeDecay(fact, today);
  if (fall === null) return t(lang, 'desk.due.stays');
  const { now, next } = fall;
  const has_become = now !== fact.stated && now !== 'confirmed';
  const day = next && formatDateNoWeekday(next.from, lang);
  return [
    has_become ? t(lang, `desk.due.now.${now}`) : '',
    day && next.worth !== 'confirmed' ? t(lang, `desk.due.becomes.${next.worth}`, { day }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Letters shown that were given up. */
const FAILED_SHOWN = 10;
/** A release comes every six hours, and an approval waits for one. */
const LATE_SECONDS = 8 * 3600;

/** Where letters do not arrive; null where they do, or nothing is mailed. */
async function readMailNews({ state: { site, now_ms }, visit: { inbox } }: DeskRequest) {
  if (!site.sends_mail) return null;
  const health = await getMailHealth(inbox, now_ms);
  const is_late = (health.oldest_seconds ?? 0) > LATE_SECONDS;
  if (health.failed === 0 && !is_late) return null;
  return { health, failed: await listFailedEmails(inbox, FAILED_SHOWN) };
}
