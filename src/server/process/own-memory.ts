// How much memory a service, and a build, take for convenience: V8 and the C library are told at the start of a process,
// by its command and its environment, so a process that was started without becomes itself once more.
import { toChildEnv } from '../../config.ts';
import { BUILD_FLAGS, FEW_HEAPS } from '../../releases/spawn.ts';

/** What a command is to have: Node's own arguments, and settings where there are none. */
interface Frugality {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const FRUGALITY = {
  /**
   * Young objects are collected after 4 MB, not after 64; a heap that may grow to 512 MB grows by less between two
   * collections. Of a town of 10,000 events a release takes 20 MB of it, all else 60.
   */
  start: {
    flags: ['--max-semi-space-size=4', '--max-old-space-size=512'],
    env: FEW_HEAPS,
  },
  /** As one that the service starts. */
  release: { flags: BUILD_FLAGS, env: FEW_HEAPS },
} as const satisfies Readonly<Record<string, Frugality>>;
/** The commands that are sparing. */
export type FrugalCommand = keyof typeof FRUGALITY;

type Environment = Readonly<Record<string, string | undefined>>;

/** What a process was started with. */
interface Started {
  /** Node's own arguments. */
  readonly flags: readonly string[];
  readonly env: Environment;
}

/** What a command is to be started with; null where it has all of that. What somebody set stays. */
export function toFrugal(command: FrugalCommand, { flags, env }: Started): Started | null {
  const wanted: Frugality = FRUGALITY[command];
  const given = [...flags, ...(env.NODE_OPTIONS ?? '').split(' ')].map(toFlagName);
  const missing = wanted.flags.filter((flag) => !given.includes(toFlagName(flag)));
  const has_env = Object.keys(wanted.env).every((name) => env[name] !== undefined);
  if (missing.length === 0 && has_env) return null;
  return { flags: [...flags, ...missing], env: { ...wanted.env, ...env } };
}

/** V8 takes `_` for `-`. */
const toFlagName = (flag: string): string => (flag.split('=')[0] ?? '').replaceAll('_', '-');

/**
 * Starts this process anew, under its number and with its command, where it lacks any of that; does not return then.
 * One of several that serve has it from the first.
 */
export function becomeFrugal(command: FrugalCommand): void {
  const frugal = toFrugal(command, { flags: process.execArgv, env: toChildEnv({}) });
  if (frugal === null || process.send !== undefined || process.platform === 'win32') return;
  const line = [process.execPath, ...frugal.flags, ...process.argv.slice(1)];
  process.execve?.(process.execPath, line, frugal.env);
}
