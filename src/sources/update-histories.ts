// The book of histories after a release: every thing it says, and those it says no more, laid beside
// what was known of them (contract 8.31).
import { createHash } from 'node:crypto';
import { formatTimestamp } from '../domain/local-time.ts';
import type { Dataset } from '../domain/dataset.ts';
import { digestRecord } from '../domain/ledger.ts';
import {
  updateHistory,
  closeHistory,
  type HistoriesById,
  type RecordHistory,
  createHistory,
  type ReleasedState,
} from '../domain/record-history.ts';
import { isLegacyDigest, legacyDigest } from './revisions.ts';

/** The dataset with its histories; `now_ms` is the moment of the release. */
export function updateHistories(dataset: Dataset, now_ms: number): Dataset {
  const { ledger } = dataset;
  const standings = listStandings(dataset);
  const before = renew(ledger.histories, standings, dataset);
  const now = toStamp(before, now_ms);
  const histories = new Map<string, RecordHistory>();
  for (const standing of standings) {
    const history =
      before.size === 0
        ? createHistory(standing)
        : updateHistory(before.get(standing.id), standing, now);
    histories.set(standing.id, history);
  }
  for (const [id, history] of before)
    if (!histories.has(id)) histories.set(id, closeHistory(history, now));
  return { ...dataset, ledger: { ...ledger, histories } };
}

/** Histories with today's digests where the old ones are still right (revise.ts). */
function renew(
  before: HistoriesById,
  standings: readonly ReleasedState[],
  dataset: Dataset,
): HistoriesById {
  if (![...before.values()].some(({ digest }) => isLegacyDigest(digest))) return before;
  const { ledger } = dataset;
  const revisions = new Map(
    [...ledger.revisions].map(([id, revision]) => [
      id,
      { ...revision, digest: revision.former_digest ?? revision.digest },
    ]),
  );
  const then = listStandings({ ...dataset, ledger: { ...ledger, revisions } }, legacyDigest);
  const old = new Map(then.map(({ id, digest }) => [id, digest]));
  const renewed = new Map(before);
  for (const { id, digest, status_at } of standings) {
    const history = before.get(id);
    if (history?.digest === old.get(id) && history !== undefined)
      renewed.set(id, { ...history, digest, status_at });
  }
  return renewed;
}

/**
 * The moment that is written beside what changes: this one, or the second after the last there is, where the
 * clock went back. So whoever has read up to a moment misses nothing that comes later.
 */
function toStamp(histories: HistoriesById, now_ms: number): string {
  const now = formatTimestamp(now_ms);
  let last_ms = 0;
  for (const { changed_at } of histories.values())
    last_ms = Math.max(last_ms, Date.parse(changed_at));
  return Date.parse(now) > last_ms ? now : formatTimestamp(last_ms + 1000);
}

/** What is said of each thing. Events with the digests of their dates and of all that is said with them. */
function listStandings(dataset: Dataset, digest = digestRecord): readonly ReleasedState[] {
  const { events, occurrences, taxonomy, ledger } = dataset;
  const toStatusAt = (id: string): string =>
    formatTimestamp(ledger.revisions.get(id)?.status_since_ms ?? 0);
  const known = new Map(
    [...taxonomy.categories, ...taxonomy.zones].map(({ motif: _, ...taxon }) => [
      taxon.key,
      digest(taxon),
    ]),
  );
  const standings: ReleasedState[] = [];
  for (const [kind, records] of [
    ['venue', dataset.venues],
    ['organizer', dataset.organizers],
    ['notice', dataset.notices],
  ] as const)
    for (const record of records) {
      const { id, updated_at: said_at } = record;
      const own = digest(record);
      known.set(id, own);
      const status_at = toStatusAt(id);
      standings.push({ id, kind, digest: own, said_at, status: 'published', status_at });
    }
  const dates = new Map(events.map(({ id }): [string, string[]] => [id, []]));
  for (const { id, event } of occurrences) dates.get(event)?.push(id);
  for (const record of events) {
    const { id, status, updated_at: said_at, category, zone, venue, organizer } = record;
    const around = [category, zone, venue, organizer].map((key) => known.get(key ?? '') ?? '');
    const told = createHash('sha256');
    for (const date of dates.get(id) ?? [])
      told.update(`${date} ${ledger.revisions.get(date)?.digest ?? ''}\n`);
    // What it is drawn as, and that it is chosen for a day, changes nothing that it says.
    const all = digest([
      { ...record, motif: null, featured: null },
      around,
      told.digest('base64url'),
    ]);
    standings.push({ id, kind: 'event', digest: all, said_at, status, status_at: toStatusAt(id) });
  }
  return standings;
}
