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
import { toDigest } from './identity.ts';

/** The dataset with its histories; `now_ms` is the moment of the release. */
export function addHistories(dataset: Dataset, now_ms: number): Dataset {
  const { ledger } = dataset;
  const before = ledger.histories;
  const now = toStamp(before, now_ms);
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

/**
 * The moment that is written beside what changes: this one, or the second after the last there is,
 * where the clock went back. So whoever has read up to a moment misses nothing that comes later.
 */
function toStamp(before: Histories, now_ms: number): string {
  const now = formatTimestamp(now_ms);
  let last = '';
  for (const { changed_at } of before.values()) if (changed_at > last) last = changed_at;
  if (now > last) return now;
  const next_ms = Temporal.Instant.from(last).add({ seconds: 1 }).epochMilliseconds;
  return toTimestamp(toCancun(next_ms));
}

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
  const dates = new Map(events.map(({ id }) => [id, createHash('sha256')]));
  for (const { id, event } of occurrences)
    dates.get(event)?.update(`${id} ${revisions.get(id)?.digest ?? ''}\n`);
  const known = (record: EventRecord): readonly string[] =>
    [record.category, record.zone]
      .map((key) => taxa.get(key ?? '') ?? '')
      .concat([record.venue, record.organizer].map((id) => places.get(id ?? '') ?? ''));
  for (const record of events) {
    const revision = revisions.get(record.id);
    yield {
      ...toStanding('event', record),
      digest: toDigest([record, known(record), dates.get(record.id)?.digest('base64url')]),
      status: record.status,
      status_at: formatTimestamp(revision?.status_since_ms ?? 0),
    };
  }
}
