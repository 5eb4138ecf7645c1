// Whether the sources of a release say what they said when the release that serves was made, on the same
// day: then its snapshot serves again, and nothing is read anew.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { toCancunDay } from '../domain/cancun-time.ts';
import { HeldPictureSchema } from '../domain/event/held-picture.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { InboxRecords } from '../sources/inbox/read-inbox.ts';

/** What a snapshot was made of, and what else came of it; stands beside it. */
const SnapshotSourcesSchema = v.object({
  /** Stands for the files of content (content-digest.ts). */
  content: v.string(),
  /** Stands for all else that decides what a snapshot of one code says. */
  rest: v.string(),
  counts: v.object({
    events: v.number(),
    occurrences: v.number(),
    venues: v.number(),
    organizers: v.number(),
    notices: v.number(),
  }),
  /** Those that its events show. */
  pictures: v.array(HeldPictureSchema),
  /** Links to pictures that are not held: one of them may be had now. */
  unheld: v.array(v.string()),
});
export type SnapshotSources = v.InferOutput<typeof SnapshotSourcesSchema>;

export interface SourcesOrder {
  readonly records: InboxRecords;
  readonly ledger: Ledger;
  readonly now_ms: number;
}

/** The digest of what the desk says, of what is remembered, and of the day. */
export function digestRest({ records, ledger, now_ms }: SourcesOrder): string {
  const { revisions, slugs, histories } = ledger;
  const known = [
    ...[...revisions].map(([id, one]) => `${id} ${one.digest} ${one.updated_at} ${one.sequence}`),
    ...slugs.map(({ kind, slug, id }) => `${slug} ${kind} ${id}`),
    ...[...histories.values()].map((one) => `${one.id} ${one.digest} ${one.changed_at}`),
  ];
  return createHash('sha256')
    .update(toCancunDay(now_ms).toString())
    .update(JSON.stringify(records))
    .update(known.sort().join('\n'))
    .digest('base64url')
    .slice(0, 22);
}

const toFile = (snapshot: string): string => join(dirname(snapshot), 'sources.json');

/** Says of the snapshot at a path what it was made of. */
export function writeSnapshotSources(snapshot: string, sources: SnapshotSources): void {
  writeFileSync(toFile(snapshot), JSON.stringify(sources));
}

/** What is said of the snapshot at a path; null where nothing is, or it cannot be read: all is read anew then. */
export function readSnapshotSources(snapshot: string): SnapshotSources | null {
  try {
    return v.parse(SnapshotSourcesSchema, JSON.parse(readFileSync(toFile(snapshot), 'utf8')));
  } catch {
    return null;
  }
}
