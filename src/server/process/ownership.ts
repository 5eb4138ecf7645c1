// Owning the data folder: taken at the start, from another service once there is a release that can serve in
// the place of its; given up where another asks, and taken back where that one ends.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { makeDataFolder } from '../../inbox/data-folder.ts';
import { digestMakers } from '../../releases/digests.ts';
import { type Layout, toLayout } from '../../releases/layout.ts';
import { isLocked } from '../../releases/lock.ts';
import { findOwner, isWanted, tryToOwn, want, writeOwner } from '../../releases/owner.ts';
import { findServing, toBuiltId } from '../../releases/release-facts.ts';
import { requestRelease } from '../../releases/request-release.ts';
import { spawnRelease } from '../../releases/spawn.ts';
import { WAITS } from '../../releases/take-turns.ts';
import type { Duties } from './duties.ts';

const POLL_MS = 500;
const QUICK_MS = 50;
/** Longer than a service takes to end what only its owner does. */
const LONGEST_MS = 60_000;

/** A service that wants to own, and how its releases are made. */
export interface Claimant {
  readonly config: Config;
  readonly clock: () => number;
  readonly run_script: string;
  /** A name of its own. */
  readonly service: string;
  readonly say: (line: string) => void;
}

/** A folder that is owned. */
interface Claim {
  readonly layout: Layout;
  readonly made_with: string;
  /** Says who owns it, and whether that one serves. */
  readonly write: (is_ready: boolean) => void;
}

function toClaim({ config, service }: Claimant): Claim {
  const [layout, made_with] = [toLayout(config.data_dir), digestMakers(config)];
  let skips: string | null = null;
  const write = (is_ready: boolean): void => {
    const serving = findServing(layout);
    if (!is_ready)
      skips = serving !== null && serving.made_with !== made_with ? toBuiltId(serving) : null;
    writeOwner(layout, { service, made_with, port: config.port, is_ready, skips });
  };
  return { layout, made_with, write };
}

/**
 * Owns the folder when it resolves; gives the function that gives it up. Where another service owns it, a
 * release of this code is made first, while that one goes on. Throws where it does not give way.
 */
export async function beginToOwn(claimant: Claimant): Promise<() => void> {
  makeDataFolder(claimant.config.data_dir);
  const claim = toClaim(claimant);
  const free = tryToOwn(claim.layout);
  if (free !== null) {
    claim.write(false);
    return free;
  }
  const port = findOwner(claim.layout)?.port;
  claimant.say(
    `A service runs on this DATA_DIR${port === undefined ? '' : `, on port ${port}`}. This one takes over from it, which goes on until then.`,
  );
  if (findServing(claim.layout)?.made_with === claim.made_with) return takeOver(claim);
  return takeOverWithRelease(claimant, claim);
}

/** Makes a release of this code, and takes over when it could serve: it does from then on. */
async function takeOverWithRelease(
  { config, clock, run_script, say }: Claimant,
  claim: Claim,
): Promise<() => void> {
  const { layout } = claim;
  while (isLocked(layout.lock_file)) await sleep(POLL_MS);
  const ending = new AbortController();
  const taken = Promise.withResolvers<() => void>();
  let is_asked = false;
  const is_built = await spawnRelease({
    ...{ run_script, layout, now_ms: clock(), is_pinned: config.clock_start !== null },
    ...{ is_urgent: true, is_take_over: true, signal: ending.signal },
    say: (line) => {
      say(line);
      if (line !== WAITS) return;
      is_asked = true;
      takeOver(claim).then(taken.resolve, (thrown: unknown) => {
        ending.abort();
        taken.reject(thrown);
      });
    },
  });
  if (!is_asked)
    throw new Error(
      'No release of this code could be built, so the service that runs goes on. What must be mended stands above',
    );
  const free = await taken.promise;
  if (is_built) return free;
  free();
  throw new Error('The release could not serve, so the service before takes over again');
}

/** Asks for the folder until it is given up. */
async function takeOver({ layout, write }: Claim): Promise<() => void> {
  const endWanting = want(layout);
  try {
    for (let waited_ms = 0; waited_ms < LONGEST_MS; waited_ms += QUICK_MS) {
      const free = tryToOwn(layout);
      if (free !== null) {
        write(false);
        return free;
      }
      await sleep(QUICK_MS);
    }
  } finally {
    endWanting();
  }
  throw new Error('The service that runs did not give way. End it, then start this one again');
}

/** Owning, from the moment on at which this service serves. */
export interface Ownership {
  /** Ends what only the owner does, and gives the folder up. */
  readonly stop: () => Promise<void>;
}

/**
 * Keeps the folder until another service asks for it, and has it again when that one has ended. `free` is what
 * gives it up now; `duties` are begun and ended with it.
 */
export function keepOwning(
  claimant: Claimant,
  free: () => void,
  duties: Duties,
  log: Logger,
): Ownership {
  const claim = toClaim(claimant);
  const { layout } = claim;
  let give_up: (() => void) | null = free;
  claim.write(true);
  const giveUp = async (): Promise<void> => {
    await duties.end();
    give_up?.();
    give_up = null;
  };
  const resume = async (): Promise<void> => {
    // Looked at before it is asked for: this process may serve, and waits for nobody.
    give_up = isLocked(layout.owner_lock_file) ? null : tryToOwn(layout);
    if (give_up === null) return;
    claim.write(false);
    // What the other one made is not for this code.
    if (findServing(layout)?.made_with !== claim.made_with) requestRelease(layout);
    else await duties.catchUp();
    duties.begin();
    claim.write(true);
    log.warn('the other service has ended: this one owns the data folder again');
  };
  let is_busy = false;
  const check = async (): Promise<void> => {
    if (is_busy) return;
    is_busy = true;
    try {
      const is_wanted = isWanted(layout);
      if (give_up !== null && is_wanted) {
        log.info('another service takes over: this one finishes what it has begun');
        await giveUp();
      } else if (give_up === null && !is_wanted) await resume();
    } catch (thrown) {
      log.error({ err: thrown }, 'who owns the data folder could not be settled');
    } finally {
      is_busy = false;
    }
  };
  const timer = setInterval(() => void check(), POLL_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      if (give_up === null) return duties.end();
      claim.write(false);
      await giveUp();
    },
  };
}
