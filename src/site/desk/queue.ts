// What waits at the desk, by urgency; and its first page: an hour's work in order, each line with its one action
// (contract 14.21, 14.43).
import { Temporal } from 'temporal-polyfill';
import { readQueue } from '../../desk/queue.ts';
import { GAP_DAYS, readToday, USUAL } from '../../desk/today.ts';
import { listEdited, openSources, type Sources } from '../../desk/things.ts';
import { formatTimestamp, toLocalDay } from '../../domain/local-time.ts';
import { FEED_PROBLEMS } from '../../domain/feed.ts';
import type { ReleaseNews } from '../../domain/health.ts';
import { type DueFact, toFall } from '../../domain/knowledge.ts';
import type { Lang } from '../../domain/lang.ts';
import { QUEUE_GROUPS, type QueueItem } from '../../domain/queue.ts';
import { toBriefDay, toBriefWhen, toDayOfMonth } from '../../i18n/dates.ts';
import { toMinute, toStart } from '../../i18n/desk-words.ts';
import { toSourceDays } from '../../i18n/fact-words.ts';
import { DESK_PATHS, toPagePath, withQuery } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { getCorrection, listUnreadable } from '../../inbox/changes.ts';
import { listFailedMail, readMailHealth } from '../../inbox/letters.ts';
import { listLeftOut } from '../../snapshot/list-things.ts';
import { type ListView, MAX_ROWS, type Row, toEditPath, toEditRows } from './lists.ts';
import { defineRoom, type DeskRequest, findNone, toItemPath, toQuery } from './room.ts';

export const queueRoom = defineRoom({ name: 'list', find: findNone, load: readWaiting });

async function readWaiting(request: DeskRequest): Promise<ListView> {
  const { state, visit } = request;
  const { lang, inbox } = visit;
  const q = toQuery(visit.query);
  const found = await readQueue(inbox, state.snapshot, state.now_ms, q);
  const shown = found.slice(0, MAX_ROWS);
  const toGroup = async (group: QueueItem['group']) => {
    const own = shown.filter((item) => item.group === group);
    return {
      id: group,
      title: `${t(lang, `desk.group.${group}`)} (${found.filter((item) => item.group === group).length})`,
      rows: await Array.fromAsync(own, (item) => toRow(request, item)),
    };
  };
  const groups = (await Array.fromAsync(QUEUE_GROUPS, toGroup)).filter(
    ({ rows }) => rows.length > 0,
  );
  const empty = t(lang, q === '' ? 'desk.queue.empty' : 'desk.queue.none');
  const cut = t(lang, 'desk.events.cut', { count: MAX_ROWS });
  return {
    room: 'queue',
    lead: found.length > MAX_ROWS ? cut : t(lang, 'desk.queue.lead'),
    q,
    groups: groups.length > 0 ? groups : [{ id: 'none', title: null, empty, rows: [] }],
  };
}

async function toRow({ visit }: DeskRequest, item: QueueItem): Promise<Row> {
  const { inbox, lang } = visit;
  const { reference, kind, day, place, starts, received_at, channel } = item;
  const start = day && (starts.find((one) => one.startsWith(day)) ?? day);
  const reported = kind === 'report' ? await getCorrection(inbox, reference) : null;
  return {
    title: kind === 'batch' ? toBatchTitle(item, lang) : item.title,
    path: toItemPath(reference),
    facts: [
      start === null ? '' : `${t(lang, 'desk.starts')} ${toStart(start, lang, received_at)}`,
      place ?? '',
      t(lang, reported?.door === 'source' ? 'desk.vanished' : `desk.kind.${kind}`),
    ].filter(Boolean),
    unsure: item.is_doubtful ? [t(lang, 'desk.doubtful')] : [],
    ...(reported && { words: { lang: reported.text.lang, text: reported.text.change } }),
    notes: [
      [
        reference,
        `${t(lang, 'desk.came')} ${toMinute(received_at)}`,
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

type Today = Awaited<ReturnType<typeof readToday>>;

export const TODAY = { name: 'list', find: findNone, load: readHour };
export const todayRoom = defineRoom(TODAY);

/** With how publishing and letters go. */
export interface TodayView extends ListView {
  readonly news: ReleaseNews;
  readonly mail: Awaited<ReturnType<typeof readMailNews>>;
}

/** The sections that have something, in the order in which they are worked through. */
async function readHour(request: DeskRequest): Promise<TodayView> {
  const { state, visit } = request;
  const { snapshot, now_ms } = state;
  const { inbox, lang } = visit;
  const today = await readToday(inbox, snapshot, now_ms);
  const { requests, unconfirmed, sources, waiting, due } = today;
  const known = openSources(inbox, snapshot);
  const outdated = (await listEdited(inbox, known)).filter(({ is_outdated }) => is_outdated);
  const left_out = await Array.fromAsync(listLeftOut(snapshot), (line) => toLeftOut(line, known));
  const unreadable = (await listUnreadable(inbox)).filter((one) => one.state === 'waiting');
  for (const { reference } of unreadable)
    left_out.push({ title: t(lang, 'desk.today.unreadable', { reference }), path: null });
  const toSection = (
    id: keyof typeof ACTS,
    rows: readonly Row[],
    count = rows.length,
    said?: Readonly<Record<string, string | number>>,
  ) => ({
    id,
    title: `${t(lang, `desk.today.${id}`)} (${count})`,
    note: said ? t(lang, id === 'gaps' ? 'desk.today.gaps.note' : 'desk.today.oldest', said) : null,
    rows: rows.map((row) => ({ ...row, act: t(lang, `desk.today.act.${ACTS[id]}`) })),
  });
  const toItems = (items: readonly QueueItem[]) =>
    Array.fromAsync(items.slice(0, MAX_ROWS), (item) => toRow(request, item));
  const at = toMinute(waiting.map(({ received_at }) => received_at).sort()[0] ?? '');
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
    toSection('outdated', toEditRows(outdated, lang)),
    toSection(
      'due',
      due.slice(0, MAX_ROWS).map((fact) => toDueRow(fact, request)),
      due.length,
    ),
    toSection('gaps', listGapRows(today, request), undefined, { days: GAP_DAYS, least: USUAL }),
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
async function toLeftOut(line: string, sources: Sources): Promise<Row> {
  const [id = ''] = line.split(' ');
  const path = (await sources.get(id)) === null ? null : toEditPath(id);
  return { title: line, path };
}

/** Nothing of a town as usual, and days with next to nothing. */
function listGapRows(
  { gaps, thin_days }: Today,
  { state: { now_ms }, visit: { lang } }: DeskRequest,
): readonly Row[] {
  const add = toPagePath('submit', lang);
  return [
    ...thin_days.map(({ day, count }) => ({
      title: toBriefDay(day, toLocalDay(now_ms).year, lang),
      path: withQuery(add, { start_date: day.toString() }),
      facts: [tCount(lang, 'desk.today.thin', count)],
    })),
    ...gaps.map(({ zone, category, count }) => ({
      title: `${category.name[lang]} · ${zone.name[lang]}`,
      path: withQuery(add, { category: category.key, zone: zone.key }),
      facts: [t(lang, 'desk.today.usual', { count })],
    })),
  ];
}

function toUnconfirmedRow(
  { card: { event, venue }, occurrence }: Today['unconfirmed'][number],
  { state: { now_ms }, visit: { lang } }: DeskRequest,
): Row {
  const { source_url: url, source } = event;
  return {
    title: event.title[lang],
    path: `${toEditPath(event.id)}#f-sources`,
    facts: [toBriefWhen(occurrence, toLocalDay(now_ms).year, lang), venue?.name ?? ''],
    sources: url === null ? [] : [toSource(url, toSourceDays(event, lang, source))],
  };
}

function toSourceRow(
  { key, items, problem, failing_ms, is_dead }: Today['sources'][number],
  lang: Lang,
): Row {
  const [first] = items;
  const fault = FEED_PROBLEMS.find((one) => one === problem);
  const at = failing_ms === null ? null : toMinute(formatTimestamp(failing_ms));
  return {
    title: key,
    path: first ? toItemPath(first.reference) : `${DESK_PATHS.sources}#${key}`,
    facts: [items.length > 0 ? tCount(lang, 'desk.batch.waiting', countEvents(items)) : ''],
    unsure: [
      at === null ? '' : t(lang, is_dead ? 'desk.today.dead' : 'desk.sources.failing', { at }),
      fault ? t(lang, `batch.problem.${fault}`, { when: '' }) : '',
      problem === 'stopped' ? t(lang, 'desk.sources.stopped') : '',
    ],
  };
}

const countEvents = (items: readonly QueueItem[]): number =>
  items.reduce((sum, { kind, starts }) => sum + (kind === 'batch' ? starts.length : 1), 0);

function toDueRow(fact: DueFact, { state: { now_ms }, visit: { lang } }: DeskRequest): Row {
  const today = toLocalDay(now_ms);
  const is_over = fact.day < today.toString();
  const day = toDayOfMonth(Temporal.PlainDate.from(fact.day), lang);
  // A notice has an id for each day.
  const [thing = ''] = fact.id.split('-');
  return {
    title: fact.name[lang],
    path: `${toEditPath(thing)}#f-sources`,
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
function sayFall(fact: DueFact, today: Temporal.PlainDate, lang: Lang): string {
  const fall = toFall(fact, today);
  if (fall === null) return t(lang, 'desk.due.stays');
  const { now, next } = fall;
  const has_become = now !== fact.stated && now !== 'confirmed';
  const day = next && toDayOfMonth(next.from, lang);
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
  const health = await readMailHealth(inbox, now_ms);
  const is_late = (health.oldest_seconds ?? 0) > LATE_SECONDS;
  if (health.failed === 0 && !is_late) return null;
  return { health, failed: await listFailedMail(inbox, FAILED_SHOWN) };
}
