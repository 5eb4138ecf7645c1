// Record histories: updates the history of every record of a release, from which the change log
// derives, and closes the histories of removed records (contract 8.31). A released state is the
// digest of a record, with its status and times; its `said_at` is the `updated_at` of the record.
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

/** Returns the dataset with updated histories; `now_ms` is the moment of the release. */
export function updateHistories(dataset: Dataset, now_ms: number): Dataset {
  const { ledger } = dataset;
  const previous = ledger.histories;
  const changed_at = computeChangedAt(previous, now_ms);
  const histories = new Map<string, RecordHistory>();
  for (const released of listReleasedStates(dataset)) {
    const history =
      previous.size === 0
        ? createHistory(released)
        : updateHistory(previous.get(released.id), released, changed_at);
    histories.set(released.id, history);
  }
  for (const [id, history] of previous)
    if (!histories.has(id)) histories.set(id, closeHistory(history, changed_at));
  return { ...dataset, ledger: { ...ledger, histories } };
}

/**
 * Computes the `changed_at` of this release: now, or one second after the latest one if the clock
 * went back. A client that has read all changes up to a moment thus never misses a later one.
 */
function computeChangedAt(histories: HistoriesById, now_ms: number): string {
  const now = formatTimestamp(now_ms);
  let last_ms = 0;
  for (const { changed_at } of histories.values())
    last_ms = Math.max(last_ms, Date.parse(changed_at));
  return Date.parse(now) > last_ms ? now : formatTimestamp(last_ms + 1000);
}

/**
 * Lists the state of each record. The digest of an event includes its occurrences and the records
 * it refers to.
 */
function listReleasedStates(dataset: Dataset): readonly ReleasedState[] {
  const { events, occurrences, taxonomy, ledger } = dataset;
  const getStatusAt = (id: string): string =>
    formatTimestamp(ledger.revisions.get(id)?.status_since_ms ?? 0);
  const digests = new Map(
    [...taxonomy.categories, ...taxonomy.zones].map(({ motif: _, ...taxon }) => [
      taxon.key,
      digestRecord(taxon),
    ]),
  );
  const states: ReleasedState[] = [];
  for (const [kind, records] of [
    ['venue', dataset.venues],
    ['organizer', dataset.organizers],
    ['notice', dataset.notices],
  ] as const)
    for (const record of records) {
      const { id, updated_at: said_at } = record;
      const record_digest = digestRecord(record);
      digests.set(id, record_digest);
      const status_at = getStatusAt(id);
      const digest = record_digest;
      states.push({ id, kind, digest, said_at, status: 'published', status_at, dates: [] });
    }
  const dates_by_event = Map.groupBy(occurrences, ({ event }) => event);
  for (const record of events) {
    const { id, status, updated_at: said_at, category, zone, venue, organizer } = record;
    const reference_digests = [category, zone, venue, organizer].map(
      (key) => digests.get(key ?? '') ?? '',
    );
    const dates = dates_by_event.get(id) ?? [];
    const occurrences_hash = createHash('sha256');
    for (const date of dates) {
      const occurrence_digest = ledger.revisions.get(date.id)?.digest ?? '';
      occurrences_hash.update(`${date.id} ${occurrence_digest}\n`);
    }
    // A new drawing, highlight or rest day is not a change of the event.
    const event_digest = digestRecord([
      { ...record, motif: null, featured: null, rest_days: null },
      reference_digests,
      occurrences_hash.digest('base64url'),
    ]);
    const status_at = getStatusAt(id);
    states.push({ id, kind: 'event', digest: event_digest, said_at, status, status_at, dates });
  }
  return states;
}
