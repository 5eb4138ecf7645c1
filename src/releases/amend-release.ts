// An amended release: what serves, or should serve again, with the decisions of the desk that it was
// built without (contract 14.9). Nothing is rendered: pages that name the event are left out, and are
// then rendered when they are asked for, from the amended snapshot.
import { constants, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KeptDecision } from '../domain/decision.ts';
import type { History } from '../domain/history.ts';
import { findOverrideDecision } from '../inbox/decisions.ts';
import type { Inbox } from '../inbox/open.ts';
import { checkSnapshot } from '../snapshot/check.ts';
import {
  type AmendedSnapshot,
  type Amendment,
  amendSnapshot,
  countSnapshot,
  listUndecided,
  readDecided,
  type Undecided,
} from './amend-snapshot.ts';
import { digestFile } from './digests.ts';
import { type Layout, type ReleasePaths, toReleasePaths } from './layout.ts';
import { linkFile, linkFolder } from './link-files.ts';
import { readManifest, writeManifest } from './manifest.ts';
import { readMentioning } from './mentions.ts';
import { refuse } from './progress.ts';
import type { Finished } from './publish.ts';
import { type ReleaseFacts, toBuiltId, toReleaseId, writeReleaseFacts } from './release-facts.ts';

export interface AmendOrder {
  readonly layout: Layout;
  readonly inbox: Inbox;
  /** The release that is amended, sound. */
  readonly base: ReleaseFacts;
  /** Its folder, where it is not among the releases yet. */
  readonly base_dir?: string;
  readonly now_ms: number;
  /** Events that were decided otherwise while it was built, and back: the ledger knows more of them. */
  readonly also?: readonly string[];
  /** Histories that must be told later than it tells them. */
  readonly restamped?: readonly History[];
}

/** An amended release that has yet to pass its smoke tests. */
export interface AmendedRelease extends Finished {
  readonly facts: ReleaseFacts;
  readonly amendments: readonly Amendment[];
  /** Those that the base had not. */
  readonly decisions: readonly KeptDecision[];
}

/**
 * Makes it, in the folder for that; null where the base says all that the desk says. The lock of
 * publishing must be held. Throws where it does not pass its checks.
 */
export async function amendRelease(order: AmendOrder): Promise<AmendedRelease | null> {
  const { layout, inbox, base, now_ms, also = [], restamped = [] } = order;
  const from = toReleasePaths(order.base_dir ?? join(layout.releases_dir, base.id));
  const undecided = listUndecided(from.snapshot, readDecided(inbox));
  const events = [...new Set([...undecided.map(({ event }) => event), ...also])];
  const paths = toReleasePaths(layout.amending_dir);
  // What one that was killed has left.
  rmSync(paths.dir, { recursive: true, force: true });
  if (events.length === 0 && restamped.length === 0) return null;
  mkdirSync(paths.dir, { recursive: true });
  copyFileSync(from.snapshot, paths.snapshot, constants.COPYFILE_FICLONE);
  const amended = amendSnapshot(paths.snapshot, events, inbox, now_ms, restamped);
  const counts = countSnapshot(paths.snapshot);
  refuse('snapshot', checkSnapshot(paths.snapshot, counts));
  const files = await takeFiles(from, paths, events);
  const decisions = undecided.map((one) => toKept(inbox, one));
  const facts: ReleaseFacts = {
    ...base,
    id: toReleaseId(now_ms),
    snapshot: digestFile(paths.snapshot),
    amends: { release: toBuiltId(base), decisions: joinDecisions(base, decisions) },
    events: counts.events,
    occurrences: counts.occurrences,
    files,
  };
  writeReleaseFacts(paths.facts, facts);
  return toAmended(paths, facts, amended, decisions);
}

const toAmended = (
  { dir }: ReleasePaths,
  facts: ReleaseFacts,
  { ledger, amendments }: AmendedSnapshot,
  decisions: readonly KeptDecision[],
): AmendedRelease => ({ id: facts.id, dir, ledger, facts, amendments, decisions });

/** Takes over the files that name none of these events, and the code; gives how many. */
async function takeFiles(
  from: ReleasePaths,
  paths: ReleasePaths,
  events: readonly string[],
): Promise<number> {
  linkFolder(dirname(from.entry), dirname(paths.entry));
  linkFile(from.mentions, paths.mentions);
  linkFile(from.made_of, paths.made_of);
  const mentioning = readMentioning(from.mentions, events);
  const files = [...(await readManifest(from.files)).values()];
  const kept = files.filter(({ path }) => !mentioning.has(path));
  writeManifest(paths.files, kept);
  return kept.length;
}

const toKept = (inbox: Inbox, { event, date, status, title }: Undecided): KeptDecision => {
  const decided = findOverrideDecision(inbox, event, date);
  return { event, title, date, status, editor: decided?.editor ?? null, at: decided?.at ?? null };
};

/** Those of the base, and after them those that came now, the last word on each. */
function joinDecisions(base: ReleaseFacts, now: readonly KeptDecision[]): KeptDecision[] {
  const toKey = ({ event, date }: KeptDecision): string => `${event} ${date}`;
  const renewed = new Set(now.map(toKey));
  return [...(base.amends?.decisions ?? []).filter((one) => !renewed.has(toKey(one))), ...now];
}
