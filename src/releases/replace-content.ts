// The snapshot of the release that serves with some events of content written over it, where nothing else is
// otherwise: what a whole build makes of the same sources, for a fraction of its time.
import { createHash } from 'node:crypto';
import { constants, copyFileSync } from 'node:fs';
import * as v from 'valibot';
import type { Config } from '../config.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { createSearchText } from '../domain/filters/q.ts';
import type { Ledger, PublishedSlug } from '../domain/ledger.ts';
import { keepSources, openSourceStore, type SourceStore } from '../inbox/source-store.ts';
import { readEventRows, writeAmendedHistories, writeAmendedMeta } from '../snapshot/amend.ts';
import {
  inSnapshotFile,
  readVersion,
  type SnapshotFile,
  writeSnapshotFile,
} from '../snapshot/amend-file.ts';
import { toMeta } from '../snapshot/build.ts';
import { EventRecordSchema } from '../snapshot/get-thing.ts';
import { listDueIds, type Replacement, replaceEvents } from '../snapshot/replace-events.ts';
import { type ContentDigests, joinDigests } from '../sources/content-digest.ts';
import { EventBasisSchema } from '../sources/event-basis.ts';
import { type ChangedEvents, readChangedEvents } from '../sources/read-changed.ts';
import type { DatasetOrder } from '../sources/read-dataset.ts';
import { continueSome } from '../sources/to-histories.ts';
import { digestReaders } from './digests.ts';
import type { SnapshotSources } from './same-sources.ts';

/** Where more of the events changed, a whole build costs little more; so many may always. */
const MOST_CHANGED = 1 / 20;
const ANYHOW = 20;

export interface ReplaceOrder extends DatasetOrder {
  readonly config: Config;
  /** The files of content, now. */
  readonly digests: ContentDigests;
  /** The snapshot of the release that serves, and what it was made of. */
  readonly before: string;
  readonly made_of: SnapshotSources;
}

export interface Replaced {
  /** The ids of those that say something else. */
  readonly events: readonly string[];
  /** To be written when the release serves. */
  readonly ledger: Ledger;
  readonly keep: () => void;
}

/**
 * Writes it to a path, where all but `digests` is as it was. Null, with nothing written, where more than the words
 * of events is otherwise: another date, a new event, an address, a picture, what is due of what was over.
 */
export function replaceContent(order: ReplaceOrder, path: string): Replaced | null {
  const { data_dir, content_dir } = order.config;
  const code = digestReaders();
  const store = openSourceStore(data_dir, content_dir, code);
  try {
    const files = findChanged(order, store);
    const changed = files && readChangedEvents(content_dir, files, order, store);
    const replacements =
      changed && inSnapshotFile(order.before, (db) => findReplacements(db, changed));
    if (changed === null || replacements === null) return null;
    const ledger = write(order, path, changed, replacements);
    // What is kept of all other files is still needed.
    const keep = (): void => keepSources(data_dir, content_dir, code, changed.good, () => true);
    return { events: replacements.map(({ record }) => record.id), ledger, keep };
  } finally {
    store.close();
  }
}

/** The files of events that are otherwise; null where others are, or it cannot be told. */
function findChanged(
  { digests, made_of }: ReplaceOrder,
  store: SourceStore,
): ReadonlySet<string> | null {
  const kept = new Map<string, string>();
  for (const [file, digest] of store.listDigests()) {
    if (digest === null) return null;
    kept.set(file, digest);
  }
  // What is kept is of the last release that served; the snapshot may be of another.
  if (joinDigests(kept) !== made_of.content || kept.size !== digests.size) return null;
  const changed = new Set<string>();
  for (const [file, digest] of digests) {
    const before = kept.get(file);
    if (before === digest) continue;
    if (before === undefined || !file.startsWith('events/')) return null;
    changed.add(file);
  }
  const most = Math.max(ANYHOW, made_of.counts.events * MOST_CHANGED);
  return changed.size <= most ? changed : null;
}

/** What is written over each event; null where that is not all that changes. */
function findReplacements(
  db: SnapshotFile,
  { dataset, ids, withdrawn }: ChangedEvents,
): readonly Replacement[] | null {
  const toSearchText = createSearchText(dataset);
  const [due_before, slugs_before] = [listDueIds(db), groupSlugs(readSlugs(db))];
  const slugs = groupSlugs(dataset.slugs);
  if (!isWithdrawn(db, dataset.withdrawn, withdrawn)) return null;
  const replacements: Replacement[] = [];
  for (const event of dataset.events.filter(({ id }) => ids.has(id))) {
    const { id } = event;
    const held = readEventRows(db, id);
    if (held === null || !isSame(slugs.get(id), slugs_before.get(id))) return null;
    const before = v.parse(EventRecordSchema, JSON.parse(held.record));
    const basis = dataset.bases.get(id) ?? '';
    const occurrences = dataset.occurrences.filter((date) => date.event === id);
    const due = dataset.due.filter((fact) => fact.id === id);
    const is_fit =
      isSame(before.slug, event.slug) &&
      isSame(toImage(held.basis), toImage(basis)) &&
      isSame(held.occurrences.map(toSpan), occurrences.map(toSpan)) &&
      (due.length === 0 || due_before.has(id));
    if (!is_fit) return null;
    // The picture as it was fetched.
    const record = { ...event, image: before.image };
    replacements.push({ record, occurrences, basis, due, search_text: toSearchText(record) });
  }
  return replacements.length + withdrawn.size === ids.size ? replacements : null;
}

/** Whether events are withdrawn in a snapshot too, with all their addresses. */
function isWithdrawn(
  db: SnapshotFile,
  addresses: readonly PublishedSlug[],
  ids: ReadonlySet<string>,
): boolean {
  const find = db.prepare("select 1 from withdrawn where kind = 'event' and slug = ?");
  const own = addresses.filter(({ kind, id }) => kind === 'event' && ids.has(id));
  return (
    [...ids].every((id) => readEventRows(db, id) === null) &&
    own.every(({ slug }) => find.get(slug) !== undefined)
  );
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The picture as the file has it. */
const toImage = (basis: string): unknown => v.parse(EventBasisSchema, JSON.parse(basis)).image;

/** All of a date that its place among the others depends on. */
const toSpan = (date: OccurrenceRecord) => {
  const { id, start, end, start_ms, end_ms, first_day, last_day } = date;
  return [id, start, end, start_ms, end_ms, first_day, last_day];
};

const SlugRows = v.array(v.object({ kind: v.literal('event'), slug: v.string(), id: v.string() }));
const readSlugs = (db: SnapshotFile) =>
  v.parse(SlugRows, db.prepare("select kind, slug, id from slugs where kind = 'event'").all());

/** The addresses of each event, in their order. */
const groupSlugs = (
  slugs: readonly Pick<PublishedSlug, 'kind' | 'slug' | 'id'>[],
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [
      ...Map.groupBy(
        slugs.filter(({ kind }) => kind === 'event'),
        ({ id }) => id,
      ),
    ].map(([id, own]) => [id, own.map(({ slug }) => slug).sort()]),
  );

function write(
  { records, ledger, now_ms, config: _, ...order }: ReplaceOrder,
  path: string,
  { dataset, ids }: ChangedEvents,
  replacements: readonly Replacement[],
): Ledger {
  const records_now = new Map(replacements.map(({ record }) => [record.id, record]));
  const shown = { ...dataset, events: dataset.events.map((one) => records_now.get(one.id) ?? one) };
  const histories = continueSome(shown, ids, ledger.histories, now_ms);
  const venues = new Map(dataset.venues.map((venue) => [venue.id, venue]));
  copyFileSync(order.before, path, constants.COPYFILE_FICLONE);
  writeSnapshotFile(path, (db) => {
    replaceEvents(db, replacements, venues);
    writeAmendedHistories(db, histories);
    const version = toVersion(readVersion(db), replacements, histories);
    writeAmendedMeta(db, toMeta(version, now_ms));
  });
  return {
    revisions: dataset.ledger.revisions,
    slugs: ledger.slugs,
    histories: new Map([...ledger.histories, ...histories.map((one) => [one.id, one] as const)]),
    desk_sources: (dataset.ledger.desk?.sources ?? []).filter(({ id }) => ids.has(id)),
  };
}

/** Another than before, the same for the same snapshot and changes. */
const toVersion = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
