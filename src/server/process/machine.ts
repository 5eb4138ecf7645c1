// A machine among others that share a PostgreSQL: which of them does what is done once, what another has published, and
// bringing that here. Its own DATA_DIR/current is what its processes follow.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PICTURES_FOLDER } from '../../domain/pictures.ts';
import { type Link, openLink } from '../../inbox/link.ts';
import type { Inbox } from '../../inbox/open.ts';
import { type Published, readPublished, readReport } from '../../inbox/releases.ts';
import { prunePictures } from '../../pictures/gather-pictures.ts';
import { writeDurably } from '../../releases/durable-file.ts';
import { toPublicReason } from '../../releases/last-build.ts';
import { bringCandidate, bringFolder, shareAssets } from '../../releases/shared.ts';
import {
  findSnapshot,
  isSound,
  keepCandidate,
  type Layout,
  pruneSnapshots,
  readCurrent,
  switchTo,
  toCandidatePath,
} from '../../releases/snapshots.ts';
import { readMeta, SCHEMA_VERSION } from '../../snapshot/meta.ts';
import type { ReleaseRefusal } from '../http/request-context.ts';
import type { SharedStanding } from './builder.ts';
import type { RunCommand } from './chores.ts';

/** After which silence PostgreSQL gives its locks to another machine. */
const IDLE_MS = 10_000;
/** What is scheduled waits so long for its pages; what was decided does not. */
const WARM_MS = 3_000;
/** What could not be brought is tried again after this. */
const RETRY_MS = 10_000;
const DAY_MS = 86_400_000;

interface MachineParts {
  readonly database_url: string;
  readonly inbox: Inbox;
  readonly layout: Layout;
  readonly log: Logger;
  readonly assets: ReadonlyMap<string, string>;
  readonly clock: () => number;
  /** Runs a command until another is run. */
  readonly run: (signal: AbortSignal) => RunCommand;
  /** Opens a candidate ahead. */
  readonly prepare: (name: string) => Promise<void>;
  /** Told when something here or elsewhere has changed. */
  readonly onNews: () => void;
}

export function createMachine(parts: MachineParts) {
  const { database_url, inbox, layout, log, assets, clock, run, prepare, onNews } = parts;
  let link: Link | null = null;
  let known: Published | null | 'unknown' = 'unknown';
  let failed: (ReleaseRefusal & { readonly at_ms: number }) | null = null;
  let report: string | null = null;
  // They were shared before this machine served anything.
  let shared_ms = performance.now();
  let warming = new AbortController();
  let is_stopped = false;

  const connect = async (): Promise<void> => {
    if (link?.isThere()) return;
    const was_there = link !== null;
    link = null;
    if (was_there) log.warn('the connection to PostgreSQL broke; another machine may build now');
    link = await openLink(database_url, IDLE_MS, onNews);
    if (is_stopped) link.end();
  };

  /** Brings what is published and makes it current here, warm where nobody waits for it. */
  const follow = async ({ name }: Published): Promise<void> => {
    if (!isSound(layout, name)) {
      await bringCandidate(inbox, layout, name);
      const path = toCandidatePath(layout, name);
      const before = findSnapshot(layout, readCurrent(layout))?.meta.decision;
      await prepare(name);
      warming.abort();
      warming = new AbortController();
      const warmed = run(warming.signal)(['release', '--warm', name]);
      if (readMeta(path)?.decision === before) await Promise.race([warmed, sleep(WARM_MS)]);
      keepCandidate(layout, name);
    }
    // Another may have been published meanwhile.
    if ((await readPublished(inbox))?.name !== name) return;
    switchTo(layout, name);
    pruneSnapshots(layout, clock());
    await bringFolder(inbox, layout, PICTURES_FOLDER);
    prunePictures(layout.pictures_dir);
  };

  const tryToFollow = async (published: Published): Promise<void> => {
    const { name: release } = published;
    if (failed?.release === release && performance.now() - failed.at_ms < RETRY_MS) return;
    try {
      await follow(published);
      failed = null;
    } catch (err) {
      log.error({ err, release }, 'a release could not be brought from PostgreSQL');
      failed = { release, reason: toPublicReason(layout, err), at_ms: performance.now() };
    }
  };
  const isBehind = (published: Published): boolean =>
    published.schema_version === SCHEMA_VERSION && readCurrent(layout) !== published.name;

  const work = async (): Promise<void> => {
    await connect();
    known = await readPublished(inbox);
    const is_newer = (known?.schema_version ?? 0) > SCHEMA_VERSION;
    // Whoever cannot read what serves builds nothing, and leaves it to who can.
    if (!is_newer) await link?.hold('chores');
    else if (link?.has('chores')) link.end();
    const said = await readReport(inbox);
    if (said !== null && said !== report) writeDurably(layout.last_build_file, said);
    report = said;
    if (performance.now() - shared_ms > DAY_MS) {
      shared_ms = performance.now();
      await shareAssets(inbox, layout, assets);
    }
    if (known === null || !isBehind(known)) failed = null;
    else await tryToFollow(known);
  };
  let working: Promise<void> | null = null;
  let is_away = false;
  return {
    /** Does what is due, unless it is at it. To be called now and then, and with news. */
    look: (): void => {
      if (is_stopped) return;
      working ??= work()
        .then(
          () => {
            is_away = false;
          },
          (thrown: unknown) => {
            if (!is_away) log.error({ err: thrown }, 'PostgreSQL is away; what is here serves');
            is_away = true;
            known = 'unknown';
          },
        )
        .finally(() => {
          working = null;
        });
    },
    /** Whether this machine does what is done once. */
    isFirst: (): boolean => link?.has('chores') ?? false,
    readShared: (): SharedStanding => {
      if (known === 'unknown') return 'unknown';
      if (known === null || known.schema_version < SCHEMA_VERSION) return 'missing';
      if (known.schema_version === SCHEMA_VERSION && !isBehind(known)) return 'here';
      return failed === null ? 'unknown' : 'missing';
    },
    refusal: (): ReleaseRefusal | null => {
      if (known === 'unknown' || known === null || known.schema_version <= SCHEMA_VERSION)
        return failed;
      const reason = `it is of schema ${known.schema_version}, and this program reads ${SCHEMA_VERSION}`;
      return { release: known.name, reason };
    },
    stop: async (): Promise<void> => {
      is_stopped = true;
      warming.abort();
      link?.end();
      await working;
    },
  };
}
