// A calendar that somebody brings in: read, compared with what is there, kept while they choose; what
// they send of it stands under one reference and one token (contract 14.34, 14.35).
import { randomBytes } from 'node:crypto';
import { formatTimestamp } from '../domain/cancun-time.ts';
import {
  BATCH_LIMITS,
  type BatchDraft,
  type BatchRow,
  type StoredBatch,
} from '../domain/batch/batch.ts';
import type { FeedEvent, FeedProblem, FeedReading } from '../domain/batch/feed-event.ts';
import { findLikelyPlace } from '../domain/batch/likely-place.ts';
import type { Lang } from '../domain/lang.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import { isLikelyDuplicate, type Likeable } from '../domain/submission/likeness.ts';
import {
  countDrafts,
  deleteOldestDraft,
  getBatchByTokenHash,
  insertBatch,
  isUidKnown,
  listBatchItems,
  pruneDrafts,
  setDraft,
} from '../inbox/batches.ts';
import { inTurn } from '../inbox/in-turn.ts';
import type { Inbox } from '../inbox/open.ts';
import { listPending } from '../inbox/submissions.ts';
import { listVenues } from '../snapshot/list-things.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { readFeed } from '../sources/feed/read-feed.ts';
import { createAlikeSearch, toLikeable } from './alike.ts';
import { toBatchToken, toCounted, toDigest } from './secret.ts';

const HOUR_MS = 3_600_000;
const SEED_BYTES = 18;

/** A calendar as it arrives. */
export interface ArrivedCalendar {
  readonly bytes: Uint8Array;
  /** Where it was fetched; null for a file. */
  readonly url: string | null;
  /** The language of its texts. */
  readonly lang: Lang;
  /** As what the client's address is counted. */
  readonly sender: string;
  readonly now_ms: number;
}

/** By the secret token of its address; null for every token that is nobody's. */
export const getBatchByToken = (inbox: Inbox, token: string): Promise<StoredBatch | null> =>
  getBatchByTokenHash(inbox, toDigest(token));

/**
 * Reads a calendar and keeps what was read for somebody to choose from: under a new token, or under
 * that of a batch (`renewed`) that it is the newest form of. Gives what is wrong where nothing is read.
 */
export async function openBatch(
  inbox: Inbox,
  snapshot: Snapshot,
  arrived: ArrivedCalendar,
  renewed: { readonly batch: StoredBatch; readonly token: string } | null = null,
): Promise<{ readonly token: string } | { readonly problem: FeedProblem }> {
  const { url, sender, now_ms } = arrived;
  const read = readFeed(arrived.bytes, now_ms);
  if ('problem' in read) return read;
  const draft = await toDraft(inbox, snapshot, read.reading, renewed?.batch ?? null, now_ms);
  const seed = randomBytes(SEED_BYTES).toString('base64url');
  const token = renewed?.token ?? toBatchToken(inbox, seed);
  const row = {
    name: read.reading.name,
    url,
    lang: arrived.lang,
    at: formatTimestamp(now_ms),
    at_ms: now_ms,
    draft,
  };
  const counted = toCounted(inbox, 'batch', sender);
  await inbox.transaction(async () => {
    await pruneDrafts(inbox, now_ms - BATCH_LIMITS.draft_ms, now_ms + HOUR_MS);
    if (renewed !== null) {
      await setDraft(inbox, renewed.batch.id, row);
      return;
    }
    while ((await countDrafts(inbox, counted)) >= BATCH_LIMITS.drafts_of_sender)
      await deleteOldestDraft(inbox, counted);
    while ((await countDrafts(inbox, null)) >= BATCH_LIMITS.drafts)
      await deleteOldestDraft(inbox, null);
    await insertBatch(inbox, { token_hash: toDigest(token), seed, sender: counted }, row);
  });
  return { token };
}

/** What an event says, by which a later reading is told from it. */
export function toEventDigest(event: FeedEvent): string {
  const { title, description, start, end, dates, location, url, is_cancelled } = event;
  return toDigest(
    JSON.stringify([title, description, start, end, dates, location, url, is_cancelled]),
  );
}

async function toDraft(
  inbox: Inbox,
  snapshot: Snapshot,
  { events, failures, over }: FeedReading,
  batch: StoredBatch | null,
  now_ms: number,
): Promise<BatchDraft> {
  const all_places = [...new Set(events.map(({ location }) => location))];
  const places = all_places.slice(0, BATCH_LIMITS.places);
  const own = new Map((await listItems(inbox, batch)).map((item) => [item.uid, item]));
  const compare = await createComparison(inbox, snapshot, now_ms);
  const rows = await inTurn(events, async (event): Promise<BatchRow> => {
    // Where there are more places than are asked for, the last stands for the rest.
    const at = Math.min(all_places.indexOf(event.location), places.length - 1);
    const item = own.get(event.uid);
    const base = { event, place: at, like: null, reference: item?.reference ?? null };
    if (event.is_cancelled) return { ...base, standing: 'cancelled' };
    if (item)
      return { ...base, standing: item.digest === toEventDigest(event) ? 'same' : 'changed' };
    return { ...base, ...(await compare(event)) };
  });
  const uids = new Set(events.map(({ uid }) => uid));
  const gone = [...own.values()].filter(({ uid }) => !uids.has(uid));
  return {
    rows: [...rows],
    failures: [...failures],
    over,
    places,
    gone: gone.map((item) => item.reference),
  };
}

const listItems = async (inbox: Inbox, batch: StoredBatch | null) =>
  batch === null ? [] : await listBatchItems(inbox, batch.id);

/** Compares an event with the agenda, with what waits, and with what came with other calendars. */
async function createComparison(
  inbox: Inbox,
  snapshot: Snapshot,
  now_ms: number,
): Promise<(event: FeedEvent) => Promise<Pick<BatchRow, 'standing' | 'like'>>> {
  const findAlike = createAlikeSearch({ snapshot, now_ms });
  const venues = listVenues(snapshot);
  const waiting = (await listPending(inbox)).map(({ submission }) => toLikeable(submission));
  return async (event) => {
    const place = findLikelyPlace(event.location, venues, snapshot.taxonomy.zones);
    const own: Likeable = {
      titles: [event.title],
      days: [event.start.slice(0, 10), ...event.dates],
      venue: place.venue,
      venue_name: place.name || null,
    };
    const [alike] = findAlike(own);
    if (alike) {
      const { id, title } = alike.card.event;
      return { standing: 'known', like: { id, title: title[DEFAULT_LANG] } };
    }
    const is_known =
      (await isUidKnown(inbox, event.uid)) ||
      waiting.some((other) => isLikelyDuplicate(own, other));
    return { standing: is_known ? 'known' : 'new', like: null };
  };
}
