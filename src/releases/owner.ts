// Which service owns a data folder: its schedule, what it mails and forgets, and which release serves. One at
// a time, however many serve from it; who comes asks, who is there gives way (docs/operations.md,
// Upgrading).
import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { writeDurably } from './durable-file.ts';
import type { Layout } from './layout.ts';
import { isLocked, tryTake } from './lock.ts';
import { type ReleaseFacts, toBuiltId } from './release-facts.ts';

const OwnerSchema = v.object({
  /** A name of its own for each service that is started. */
  service: v.string(),
  /** Digest of its code and of the settings that stand in pages. */
  made_with: v.string(),
  port: v.number(),
  /** Whether it serves by now. */
  is_ready: v.boolean(),
  /** The release of other code that it found and does not serve; null where there was none. */
  skips: v.nullable(v.string()),
});
export type Owner = v.InferOutput<typeof OwnerSchema>;

/** The last that said it is; null where none did, or it cannot be read. */
export function readOwner(layout: Layout): Owner | null {
  try {
    return v.parse(OwnerSchema, JSON.parse(readFileSync(layout.owner_file, 'utf8')));
  } catch {
    return null;
  }
}

export function writeOwner(layout: Layout, owner: Owner): void {
  writeDurably(layout.owner_file, `${JSON.stringify(owner)}\n`);
}

/** The one that owns it now; null where it is free. */
export const findOwner = (layout: Layout): Owner | null =>
  existsSync(layout.owner_lock_file) && isLocked(layout.owner_lock_file) ? readOwner(layout) : null;

/** Takes it, for as long as this process lives or until it is given up; null where another has it. */
export const tryToOwn = (layout: Layout): (() => void) | null => tryTake(layout.owner_lock_file);

/** Whether some service waits to own it. */
export const isWanted = (layout: Layout): boolean => isLocked(layout.wanted_lock_file);

/** Asks for it; gives what ends the asking. Throws where another asks already. */
export function want(layout: Layout): () => void {
  const end = tryTake(layout.wanted_lock_file);
  if (end === null)
    throw new Error('Another service is just taking over this DATA_DIR. Wait for it, or end it');
  return end;
}

/**
 * Whether a service of this code serves a release: its own always; one of other code only where its own code
 * owns the folder and somebody chose it, as by a rollback. The older of two services never serves what
 * the newer one made.
 */
export function mayFollow(layout: Layout, made_with: string, release: ReleaseFacts): boolean {
  if (release.made_with === made_with) return true;
  const owner = readOwner(layout);
  return owner === null || (owner.made_with === made_with && owner.skips !== toBuiltId(release));
}
