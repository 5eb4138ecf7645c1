// What is known of a release: when it was made, of what, with which code.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { DECIDED_STATUSES } from '../domain/decision.ts';
import { type Layout, readCurrent, toReleasePaths } from './layout.ts';

const DecisionSchema = v.object({
  event: v.string(),
  /** As its editors know it. */
  title: v.string(),
  /** The day that it is about; empty for the whole event. */
  date: v.string(),
  status: v.picklist(DECIDED_STATUSES),
  /** Who decided it and when, timestamp with offset; null where the log does not say. */
  editor: v.nullable(v.string()),
  at: v.nullable(v.string()),
});

const ReleaseFactsSchema = v.object({
  id: v.string(),
  /** When its sources were read: timestamp with offset and epoch ms. */
  generated_at: v.string(),
  generated_ms: v.number(),
  /**
   * Digest of the code and the settings that went into it; another one means it must be built again.
   */
  made_with: v.string(),
  /** Digest of the site's server bundle: equal bundles are loaded once. */
  bundle: v.string(),
  /** Digest of snapshot.db: another one means that the file is damaged. */
  snapshot: v.string(),
  /**
   * The release that served when this one was made; null for the first. What a rollback goes back
   * to.
   */
  before: v.nullable(v.string()),
  /**
   * Of a release that was made from another by decisions of the desk, without a build: which one, and
   * the decisions. None of one that was built.
   */
  amends: v.optional(v.object({ release: v.string(), decisions: v.array(DecisionSchema) })),
  events: v.number(),
  occurrences: v.number(),
  files: v.number(),
});

export type ReleaseFacts = v.InferOutput<typeof ReleaseFactsSchema>;

/** The id of a release that is made at an instant: `20261121T031500Z-4f2a9c`. */
export const toReleaseId = (now_ms: number): string =>
  `${new Date(now_ms).toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(3).toString('hex')}`;

/** The release that was built, of one that was made from it too. */
export const toBuiltId = ({ id, amends }: ReleaseFacts): string => amends?.release ?? id;

/** Throws where the file is missing or not what this version writes. */
export function readReleaseFacts(path: string): ReleaseFacts {
  return v.parse(ReleaseFactsSchema, JSON.parse(readFileSync(path, 'utf8')));
}

export function writeReleaseFacts(path: string, facts: ReleaseFacts): void {
  writeFileSync(path, `${JSON.stringify(facts, null, 2)}\n`);
}

/** Those of the release that serves; null where there is none, or they cannot be read. */
export function findServing(layout: Layout): ReleaseFacts | null {
  const id = readCurrent(layout);
  if (id === null) return null;
  try {
    return readReleaseFacts(toReleasePaths(join(layout.releases_dir, id)).facts);
  } catch {
    return null;
  }
}
