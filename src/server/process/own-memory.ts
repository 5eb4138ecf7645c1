// How much memory a service takes for convenience: V8 and the C library are told at the start of a process, by its
// command and its environment, so a process that was started without becomes itself once more.
import { toChildEnv } from '../../config.ts';

/**
 * Young objects are collected after 4 MB, not after 64; a heap that may grow to 512 MB grows by less between two
 * collections. Of a town of 10,000 events a release takes 20 MB of it, all else 60.
 */
const FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=512'] as const;
/** Heaps of malloc for all threads: each keeps what its thread once freed, and there would be eight for each core. */
const ARENAS = { MALLOC_ARENA_MAX: '2' } as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** What a process was started with. */
interface Started {
  /** Node's own arguments. */
  readonly flags: readonly string[];
  readonly env: Environment;
}

/** What it is to be started with; null where it has all of that. What somebody set stays. */
export function toFrugal({ flags, env }: Started): Started | null {
  const given = [...flags, ...(env.NODE_OPTIONS ?? '').split(' ')].map(toFlagName);
  const missing = FLAGS.filter((flag) => !given.includes(toFlagName(flag)));
  if (missing.length === 0 && env.MALLOC_ARENA_MAX !== undefined) return null;
  return { flags: [...flags, ...missing], env: { ...ARENAS, ...env } };
}

/** V8 takes `_` for `-`. */
const toFlagName = (flag: string): string => (flag.split('=')[0] ?? '').replaceAll('_', '-');

/**
 * Starts this process anew, under its number and with its command, where it lacks any of that; does not return then.
 * One of several that serve has it from the first.
 */
export function becomeFrugal(): void {
  const frugal = toFrugal({ flags: process.execArgv, env: toChildEnv({}) });
  if (frugal === null || process.send !== undefined || process.platform === 'win32') return;
  const command = [process.execPath, ...frugal.flags, ...process.argv.slice(1)];
  process.execve?.(process.execPath, command, frugal.env);
}
