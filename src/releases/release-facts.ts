// What is known of a release: when it was made, of what, with which code.
import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

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
  events: v.number(),
  occurrences: v.number(),
  files: v.number(),
});

export type ReleaseFacts = v.InferOutput<typeof ReleaseFactsSchema>;

/** Throws where the file is missing or not what this version writes. */
export function readReleaseFacts(path: string): ReleaseFacts {
  return v.parse(ReleaseFactsSchema, JSON.parse(readFileSync(path, 'utf8')));
}

export function writeReleaseFacts(path: string, facts: ReleaseFacts): void {
  writeFileSync(path, `${JSON.stringify(facts, null, 2)}\n`);
}
