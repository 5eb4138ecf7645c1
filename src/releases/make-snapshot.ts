// The first half of a build: content and inbox to a checked snapshot.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { toCancunDay } from '../domain/cancun-time.ts';
import type { ContentFault } from '../domain/content-fault.ts';
import type { Dataset } from '../domain/dataset.ts';
import type { HeldPicture } from '../domain/event/held-picture.ts';
import { splitDue } from '../domain/knowledge/due.ts';
import type { Ledger } from '../domain/ledger.ts';
import { readLedger } from '../inbox/ledger.ts';
import { type Inbox, openInbox } from '../inbox/open.ts';
import { getUpload } from '../inbox/uploads.ts';
import {
  buildSnapshot,
  countDataset,
  digestDataset,
  type SnapshotCounts,
} from '../snapshot/build.ts';
import { checkSnapshot } from '../snapshot/check.ts';
import { writeGenerated } from '../snapshot/generated.ts';
import { readVersion } from '../snapshot/open.ts';
import { isSameContent, joinDigests } from '../sources/content-digest.ts';
import { toDueLine } from '../sources/due.ts';
import { readInboxRecords } from '../sources/inbox/read-inbox.ts';
import { addHistories } from '../sources/to-histories.ts';
import { gatherPictures, hasDue, type WithPictures, withoutUploads } from './gather-pictures.ts';
import { holdsAll } from './picture-store.ts';
import { linkFile } from './link-files.ts';
import { formatDuration, refuse, runStep, type Say } from './progress.ts';
import { replaceContent } from './replace-content.ts';
import {
  digestRest,
  readSnapshotSources,
  type SnapshotSources,
  writeSnapshotSources,
} from './same-sources.ts';
import { digestContent, sayFaults, takeAll, type TakeSources } from './take-sources.ts';

export interface SnapshotOrder {
  readonly config: Config;
  readonly now_ms: number;
  /** Takes its lines. */
  readonly say: Say;
}

export interface MadeSnapshot {
  readonly counts: SnapshotCounts;
  /** The ledger as it was read. */
  readonly before: Ledger;
  /** To be written when the release serves. */
  readonly ledger: Ledger;
  /** Those that its events show. */
  readonly pictures: readonly HeldPicture[];
  /** What of content could not be taken as it stands. */
  readonly faults: readonly ContentFault[];
  /** Whether it is the one of the release that serves. */
  readonly is_same: boolean;
  /** The events whose words alone are otherwise than in that one; null where more is. */
  readonly replaced: readonly string[] | null;
  /** Keeps what was read for the next time; to be called once it serves. */
  readonly keep: () => void;
}

/** What there is from releases before; null where there is no such thing. */
interface Kept {
  /** Where pictures are gathered. */
  readonly pictures_dir: string | null;
  /** A snapshot that the same code made. */
  readonly before: string | null;
}

/**
 * Writes a snapshot of the content, and of what the desk let in beside it, to `path`, which has yet to pass its
 * checks; the inbox is only read. `takeSources`: whether faulty files stop it. Throws with every issue of the sources.
 */
export async function makeSnapshot(
  { config, now_ms, say }: SnapshotOrder,
  path: string,
  inbox: Inbox,
  takeSources: TakeSources,
  { pictures_dir, before }: Kept = { pictures_dir: null, before: null },
): Promise<MadeSnapshot> {
  const records = readInboxRecords(inbox);
  for (const row of records.left_out)
    say(`  left out, for it does not pass the schema any more: ${row}`);
  const known = readLedger(inbox);
  const digests = digestContent(config);
  const from = { records, now_ms, ledger: known };
  const now = { content: joinDigests(digests), rest: digestRest(from) };
  const made_of =
    before === null ? null : findMadeOf(before, now.rest, config, pictures_dir, now_ms);
  if (before !== null && made_of?.content === now.content) {
    const same = made_of;
    say(`  sources: ${same.counts.events} events, as they were`);
    serveAgain(before, path, now_ms);
    writeSnapshotSources(path, same);
    return {
      ...{ counts: same.counts, before: known, ledger: known, pictures: same.pictures },
      ...{ faults: [], keep: () => {}, is_same: true, replaced: [] },
    };
  }
  const begun_ms = performance.now();
  const replaced =
    before === null || made_of === null
      ? null
      : replaceContent({ ...from, config, digests, before, made_of }, path);
  if (made_of !== null && replaced !== null) {
    const { ledger, keep, events } = replaced;
    say(
      `  ${toReplacedWords(made_of, events.length)} (${formatDuration(performance.now() - begun_ms)})`,
    );
    const rest = digestRest({ ...from, ledger });
    writeSnapshotSources(path, { ...made_of, content: now.content, rest });
    return {
      ...{ counts: made_of.counts, before: known, ledger, pictures: made_of.pictures },
      ...{ faults: [], keep: toKeeper(keep, say), is_same: false, replaced: events },
    };
  }
  const {
    dataset: read,
    faults,
    read: files,
    keep,
  } = await runStep(
    say,
    () => takeSources(config, { ledger: known, now_ms, records }),
    (taken) => toDatasetWords(taken.dataset),
  );
  sayFaults(say, faults);
  const gathered = await gather(read, { config, now_ms, say }, pictures_dir, inbox);
  const { pictures } = gathered;
  const dataset = addHistories(gathered.dataset, now_ms);
  const due = toDueLine(splitDue(dataset.due, toCancunDay(now_ms)));
  if (due !== null) say(`  ${due}`);
  const counts = await runStep(
    say,
    () => writeSnapshot(path, dataset, now_ms, before),
    (made) => `snapshot of ${made.occurrences} dates`,
  );
  // What is faulty is told by every release anew, and what somebody saved while it was read is not what was digested.
  if (faults.length === 0 && (files === null || isSameContent(files, digests)))
    writeSnapshotSources(path, {
      content: now.content,
      rest: digestRest({ ...from, ledger: dataset.ledger }),
      counts,
      pictures: [...pictures],
      unheld: listUnheld(read, dataset),
    });
  return {
    ...{ counts, before: known, ledger: dataset.ledger, pictures, faults },
    ...{ is_same: false, replaced: null },
    keep: toKeeper(keep, say),
  };
}

/** What the snapshot at a path was made of, where all but content is what there is now; else null. */
function findMadeOf(
  before: string,
  rest: string,
  config: Config,
  dir: string | null,
  now_ms: number,
): SnapshotSources | null {
  const sources = readSnapshotSources(before);
  if (sources?.rest !== rest) return null;
  if (dir === null) return sources;
  const { pictures, unheld } = sources;
  const is_due = hasDue(unheld, { dir, is_fetching: config.pictures, now_ms });
  return is_due || !holdsAll(dir, pictures) ? null : sources;
}

/** The links to pictures that events have and a release does not show as its own. */
function listUnheld(read: Dataset, shown: Dataset): string[] {
  const links = read.events.flatMap(({ image }, at) =>
    image !== null && !shown.events[at]?.image?.held ? [image.url] : [],
  );
  return [...new Set(links)];
}

/**
 * It serves by then: what cannot be kept is read anew, and that is all. A function of its own, for one
 * that is made beside a dataset holds on to it as long as the build lasts.
 */
const toKeeper = (keep: () => void, say: Say) => (): void => {
  try {
    keep();
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    say(`  ATTENTION: what content says could not be kept in sources.db: ${why}`);
  }
};

/** The snapshot at `before` is the one at `path` too, of a new time. */
function serveAgain(before: string, path: string, now_ms: number): void {
  linkFile(before, path);
  writeGenerated(path, now_ms);
}

/** Builds it; where nothing has changed, the one at `before` serves again with a new time. */
export function writeSnapshot(
  path: string,
  dataset: Dataset,
  now_ms: number,
  before: string | null,
): SnapshotCounts {
  const version = digestDataset(dataset);
  if (before !== null && readVersion(before) === version) {
    serveAgain(before, path, now_ms);
    return countDataset(dataset);
  }
  return buildSnapshot(path, dataset, now_ms, version);
}

async function gather(
  dataset: Dataset,
  { config, now_ms, say }: SnapshotOrder,
  dir: string | null,
  inbox: Inbox,
): Promise<WithPictures> {
  return dir === null
    ? withoutUploads(dataset)
    : gatherPictures(dataset, {
        dir,
        now_ms,
        say,
        is_fetching: config.pictures,
        allowed: config.pictures_allow,
        readUpload: (id) => getUpload(inbox, id)?.bytes ?? null,
      });
}

const toReplacedWords = ({ counts: { events } }: SnapshotSources, count: number): string =>
  `sources: ${events} events, ${count} of them otherwise on the same dates`;

const toDatasetWords = (dataset: Dataset): string =>
  `sources: ${dataset.events.length} events, ${dataset.venues.length} venues, ${dataset.organizers.length} organizers, ${dataset.notices.length} notices`;

/** Throws with what is wrong with a snapshot that was made. */
export const checkMade = (path: string, counts: SnapshotCounts): void =>
  refuse('snapshot', checkSnapshot(path, counts));

/** A snapshot as a release would have it now, with nothing else of a release: to develop on. */
export async function makeLooseSnapshot(
  order: SnapshotOrder,
  path: string,
): Promise<SnapshotCounts> {
  mkdirSync(dirname(path), { recursive: true });
  const inbox = openInbox(join(order.config.data_dir, 'inbox.db'));
  try {
    const { counts } = await makeSnapshot(order, path, inbox, takeAll);
    checkMade(path, counts);
    return counts;
  } finally {
    inbox.close();
  }
}
