// The book of histories after a release: every thing it says, and those it says no more, laid beside
// what was known of them (contract 8.31).
import { createHash } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { Dataset } from '../domain/dataset.ts';
import {
  continueHistory,
  endHistory,
  type Histories,
  type History,
  type HistoryKind,
  openHistory,
  type Standing,
} from '../domain/history.ts';
import { type Revision, toDigest } from '../domain/ledger.ts';
import { isOldDigest, toOldDigest } from './old-digest.ts';

/** The dataset with its histories; `now_ms` is the moment of the release. */
export function addHistories(dataset: Dataset, now_ms: number): Dataset {
  const { ledger } = dataset;
  const standings = [...listStandings(dataset)];
  const before = renew(ledger.histories, standings, dataset);
  const now = toStamp(findLast(before), now_ms);
  const histories = new Map<string, History>();
  for (const standing of standings) {
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

/** Histories with today's digests where the old ones are still right (old-digest.ts). */
function renew(before: Histories, standings: readonly Standing[], dataset: Dataset): Histories {
  if (![...before.values()].some(({ digest }) => isOldDigest(digest))) return before;
  const revisions = new Map(
    [...dataset.ledger.revisions].map(([id, revision]) => [
      id,
      { ...revision, digest: revision.former_digest ?? revision.digest },
    ]),
  );
  const then = { ...dataset, ledger: { ...dataset.ledger, revisions } };
  const old = new Map([...listStandings(then, toOldDigest)].map(({ id, digest }) => [id, digest]));
  const renewed = standings.flatMap(({ id, digest, status_at }): [string, History][] => {
    const history = before.get(id);
    return history && history.digest === old.get(id)
      ? [[id, { ...history, digest, status_at }]]
      : [];
  });
  return new Map([...before, ...renewed]);
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
function toStamp(last: string, now_ms: number): string {
  const now = formatTimestamp(now_ms);
  if (now > last) return now;
  const next_ms = Temporal.Instant.from(last).add({ seconds: 1 }).epochMilliseconds;
  return formatTimestamp(next_ms);
}

function* listStandings(dataset: Dataset, digest = toDigest): Generator<Standing> {
  const places = new Map<string, string>();
  for (const [kind, records] of [
    ['venue', dataset.venues],
    ['organizer', dataset.organizers],
    ['notice', dataset.notices],
  ] as const)
    for (const record of records) {
      const told = digest(record);
      places.set(record.id, told);
      yield toStanding(kind, record, told, dataset.ledger.revisions);
    }
  yield* listEventStandings(dataset, places, digest);
}

function toStanding(
  kind: HistoryKind,
  { id, updated_at }: { readonly id: string; readonly updated_at: string },
  digest: string,
  revisions: ReadonlyMap<string, Revision>,
): Standing {
  const status_at = formatTimestamp(revisions.get(id)?.status_since_ms ?? 0);
  return { id, kind, digest, said_at: updated_at, status: 'published', status_at };
}

/** Events with the digests of their dates and of all that an answer says in them of other things. */
function* listEventStandings(
  { events, occurrences, taxonomy, ledger: { revisions } }: Dataset,
  places: ReadonlyMap<string, string>,
  digest: (value: unknown) => string,
): Generator<Standing> {
  const taxa = new Map(
    [...taxonomy.categories, ...taxonomy.zones].map((taxon) => [taxon.key, digest(taxon)]),
  );
  const dates = new Map(events.map(({ id }): [string, string[]] => [id, []]));
  for (const { id, event } of occurrences) dates.get(event)?.push(id);
  /** Of a category, zone, venue or organizer; empty for none. */
  const around = (key: string | null): string => taxa.get(key ?? '') ?? places.get(key ?? '') ?? '';
  for (const record of events) {
    const known = [record.category, record.zone, record.venue, record.organizer].map(around);
    const told = createHash('sha256');
    for (const id of dates.get(record.id) ?? [])
      told.update(`${id} ${revisions.get(id)?.digest ?? ''}\n`);
    const all = digest([record, known, told.digest('base64url')]);
    yield { ...toStanding('event', record, all, revisions), status: record.status };
  }
}
