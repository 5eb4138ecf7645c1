// The queue: what waits, what was decided last, how publishing and letters go.
import { readQueue } from '../../desk/queue.ts';
import type { SenderChange } from '../../domain/change.ts';
import type { Lang } from '../../domain/lang.ts';
import type { QueueItem } from '../../domain/queue.ts';
import { listWarnings } from '../../domain/submission/doubts.ts';
import { toMinute, toStart } from '../../i18n/desk-words.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { listDecisions } from '../../inbox/decisions.ts';
import { listFailedMail, readMailHealth } from '../../inbox/letters.ts';
import { getCurrent, listPending } from '../../inbox/changes.ts';
import { toDecisionLines } from './decisions.ts';
import { findDuplicates } from './item.ts';
import type { Row } from './lists.ts';
import { defineRoom, type DeskRequest, findNone, readPlace, toItemPath } from './room.ts';

const DECISIONS_SHOWN = 10;

export const QUEUE = { name: 'queue', find: findNone, load: readView };
export const queueRoom = defineRoom(QUEUE);

export type QueueView = Awaited<ReturnType<typeof readView>>;

async function readView(request: DeskRequest) {
  const { state, visit } = request;
  const { inbox } = visit;
  const question = readPlace(visit);
  const queue = await readQueue(inbox, state.snapshot, question, state.now_ms);
  const pending = await listPending(inbox);
  const rows = await Array.fromAsync(queue.items, async (item) => ({
    group: question.sort === 'urgency' ? item.group : null,
    row: { ...(await toRow(request, item, pending)), path: toItemPath(item.reference, question) },
  }));
  return {
    question,
    counts: queue.counts,
    page: queue.page,
    pages: queue.pages,
    /** By urgency each group has its heading. */
    groups: [...Map.groupBy(rows, ({ group }) => group)].map(([group, own]) => ({
      group,
      rows: own.map(({ row }) => row),
    })),
    decisions: await toDecisionLines(request, await listDecisions(inbox, DECISIONS_SHOWN)),
    news: await visit.readReleaseNews(),
    mail: await readMailNews(request),
  };
}

async function toRow(
  request: DeskRequest,
  item: QueueItem,
  pending: readonly SenderChange[],
): Promise<Omit<Row, 'path'>> {
  const { inbox, lang } = request.visit;
  const { reference, kind, title, day, place, starts, received_at, channel } = item;
  const start = day && (starts.find((one) => one.startsWith(day)) ?? day);
  const change = await getCurrent(inbox, reference);
  const text = change?.maker === 'sender' ? change.text : null;
  const alike = text ? findDuplicates(request, reference, text, pending).length : 0;
  const warnings = text ? listWarnings(text, request.state.now_ms) : [];
  return {
    title: kind === 'batch' ? toBatchTitle(item, lang) : title,
    facts: [
      start === null ? '' : `${t(lang, 'desk.starts')} ${toStart(start, lang, received_at)}`,
      place ?? '',
      t(lang, `desk.kind.${kind}`),
    ].filter(Boolean),
    unsure: [
      ...(alike > 0 ? [tCount(lang, 'desk.duplicates', alike)] : []),
      ...warnings.map((warning) => t(lang, `desk.warning.${warning}`)),
      ...(item.is_doubtful ? [t(lang, 'desk.doubtful')] : []),
    ],
    ...(change?.maker === 'reader'
      ? { words: { lang: change.text.lang, text: change.text.change } }
      : {}),
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
