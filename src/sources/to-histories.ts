// The book of histories after a release: every thing it says, and those it says no more, laid beside
// what was known of them (contract 8.31).
import { createHash } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { formatTimestamp, toCancun, toTimestamp } from '../domain/cancun-time.ts';
import type { Dataset } from '../domain/dataset.ts';
import type { EventRecord } from '../domain/event/event.ts';
import {
  continueHistory,
  endHistory,
  type Histories,
  type History,
  type HistoryKind,
  openHistory,
  type Standing,
} from '../domain/history.ts';
import type { Revision } from '../domain/ledger.ts';
import { toDigest } from './identity.ts';

/** The dataset with its histories; `now_ms` is the moment of the release. */
export function addHistories(dataset: Dataset, now_ms: number): Dataset {
  const { ledger } = dataset;
  const before = ledger.histories;
  const now = toStamp(findLast(before), now_ms);
  const histories = new Map<string, History>();
  for (const standing of listStandings(dataset)) {
    const history =
      before.size === 0
        ? openHistory(standing)
        : continueHistory(before.get(standing.id), standing, now);
    histories.set(standing.id, history);
  }
  for (const [id, history] of before)
    if (!histories.has(id)) histories.set(id, endHistory(history, now));
  return { ...dataset, ledger: { ...ledger, histories } };
}

/** The histories of some events of a dataset after those `before` it, as addHistories continues them. */
export function continueSome(
  dataset: Dataset,
  ids: ReadonlySet<string>,
  before: Histories,
  now_ms: number,
): History[] {
  const now = toStamp(findLast(before), now_ms);
  return [...listStandings(dataset)].flatMap((standing) =>
    ids.has(standing.id) ? [continueHistory(before.get(standing.id), standing, now)] : [],
  );
}

function findLast(histories: Histories): string {
  let last = '';
  for (const { changed_at } of histories.values()) if (changed_at > last) last = changed_at;
  return last;
}

/**
 * The moment that is written beside what changes: this one, or the second after the `last` there is,
 * where the clock went back. So whoever has read up to a moment misses nothing that comes later.
 */
export function toStamp(last: string, now_ms: number): string {
  const now = formatTimestamp(now_ms);
  if (now > last) return now;
  const next_ms = Temporal.Instant.from(last).add({ seconds: 1 }).epochMilliseconds;
  return toTimestamp(toCancun(next_ms));
}

/** What a standing reads of an event; its digest is of all the rest too. */
type StandingEvent = Pick<
  EventRecord,
  'id' | 'updated_at' | 'status' | 'category' | 'zone' | 'venue' | 'organizer'
>;

/** A record without what is not said of it. */
interface Revised {
  readonly id: string;
  readonly updated_at: string;
}

function* listStandings(dataset: Dataset): Generator<Standing> {
  const places = new Map<string, string>();
  for (const [kind, records] of [
    ['venue', dataset.venues],
    ['organizer', dataset.organizers],
    ['notice', dataset.notices],
  ] as const)
    for (const record of records) {
      const standing = toStanding(kind, record);
      places.set(record.id, standing.digest);
      yield standing;
    }
  yield* listEventStandings(dataset, places);
}

const toStanding = (kind: HistoryKind, record: Revised): Standing => ({
  id: record.id,
  kind,
  digest: toDigest(record),
  said_at: record.updated_at,
  status: 'published',
  status_at: record.updated_at,
});

/** Events with the digests of their dates and of all that an answer says in them of other things. */
function* listEventStandings(
  { events, occurrences, taxonomy, ledger: { revisions } }: Dataset,
  places: ReadonlyMap<string, string>,
): Generator<Standing> {
  const taxa = new Map(
    [...taxonomy.categories, ...taxonomy.zones].map((taxon) => [taxon.key, toDigest(taxon)]),
  );
  const dates = new Map(events.map(({ id }): [string, string[]] => [id, []]));
  for (const { id, event } of occurrences) dates.get(event)?.push(id);
  const around = (key: string | null): string => taxa.get(key ?? '') ?? places.get(key ?? '') ?? '';
  for (const record of events)
    yield toEventStanding(record, revisions, dates.get(record.id) ?? [], around);
}

/**
 * An event as it stands. `dates`: its occurrences in order; `around`: the digest of its category, zone,
 * venue or organizer, empty for none.
 */
export function toEventStanding(
  record: StandingEvent,
  revisions: ReadonlyMap<string, Revision>,
  dates: readonly string[],
  around: (key: string | null) => string,
): Standing {
  const known = [record.category, record.zone, record.venue, record.organizer].map(around);
  const told = createHash('sha256');
  for (const id of dates) told.update(`${id} ${revisions.get(id)?.digest ?? ''}\n`);
  return {
    ...toStanding('event', record),
    digest: toDigest([record, known, told.digest('base64url')]),
    status: record.status,
    status_at: formatTimestamp(revisions.get(record.id)?.status_since_ms ?? 0),
  };
}
