// The sources as a release takes them: as far as they are good, or not at all where one is faulty.
import { startClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { ContentFault } from '../domain/content-fault.ts';
import type { Dataset } from '../domain/dataset.ts';
import { findSourceStore, keepSources, openSourceStore } from '../inbox/source-store.ts';
import { type ContentDigests, lookAtContent } from '../sources/content-digest.ts';
import { formatIssue } from '../sources/issues.ts';
import { type DatasetOrder, readDataset } from '../sources/read-dataset.ts';
import { readLeniently } from '../sources/read-leniently.ts';
import { digestReaders } from './digests.ts';
import type { Say } from './progress.ts';

/** Content and inbox as one dataset. */
export interface TakenSources {
  readonly dataset: Dataset;
  /** What could not be taken as it stands. */
  readonly faults: readonly ContentFault[];
  /** The digests of the files that were taken, as they were read; null where nobody asks for them. */
  readonly read: ContentDigests | null;
  /** Keeps what was read for the next time; to be called once it serves. */
  readonly keep: () => void;
}

/** How they are taken. Throws one Error with every issue where they cannot be. */
export type TakeSources = (config: Config, order: DatasetOrder) => TakenSources;

/** The digests of all files of content; those that lie untouched since the last time are not opened. */
export function digestContent({ content_dir, data_dir }: Config): ContentDigests {
  const store = openSourceStore(data_dir, content_dir, digestReaders());
  try {
    const { digests, stamped } = lookAtContent(
      content_dir,
      store.listStamped(),
      startClock(null)(),
    );
    try {
      store.keepStamped(stamped);
    } catch {
      // A full disk, or somebody else who writes: they are opened again the next time.
    }
    return digests;
  } finally {
    store.close();
  }
}

/** All of them, or none: for whoever wants to know of every fault. Writes nothing. */
export const takeAll: TakeSources = ({ content_dir, data_dir }, order) => {
  const store = findSourceStore(data_dir, content_dir, digestReaders());
  try {
    return {
      dataset: readDataset(
        content_dir,
        order.ledger,
        order.now_ms,
        order.records,
        store ?? undefined,
      ),
      faults: [],
      read: null,
      keep: () => {},
    };
  } finally {
    store?.close();
  }
};

/** What is faulty as it last was good, or left out where it never was (contract 5.12). */
export const takeGood: TakeSources = ({ content_dir, data_dir }, order) => {
  const code = digestReaders();
  const store = openSourceStore(data_dir, content_dir, code);
  try {
    const { dataset, faults, good, faulty } = readLeniently(content_dir, order, store);
    const keep = (): void =>
      keepSources(data_dir, content_dir, code, good, (file) => faulty.has(file));
    const read = new Map([...good].map(([file, { digest }]) => [file, digest] as const));
    return { dataset, faults, read, keep };
  } finally {
    store.close();
  }
};

/** All of them or none, and kept as takeGood does. */
export const takeAllAndKeep: TakeSources = (config, order) => {
  const taken = takeGood(config, order);
  // What is named by one that is left out is no fault of its own: said as whoever checks sees it.
  return taken.faults.length === 0 ? taken : takeAll(config, order);
};

/** `events/paseo.yml:12 when[0].start: must be …; left out, for it never was good`. */
export const formatFault = (fault: ContentFault): string =>
  `${formatIssue(fault)}; ${fault.is_left_out ? 'left out, for it never was good' : 'what it last said stands'}`;

/** Says every fault, for whoever watches the build. */
export function sayFaults(say: Say, faults: readonly ContentFault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  say(`  ATTENTION: the content has ${count}, and all else goes on:`);
  for (const fault of faults) say(`    ${formatFault(fault)}`);
}
