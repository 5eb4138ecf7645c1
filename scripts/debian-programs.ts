// Programs that the tests need and npm does not bring: found where they are, or Debian's, installed
// with apt-get.
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Something that is needed, and where it comes from. */
export interface Wanted<T> {
  /** What is missing, as the middle of a sentence. */
  readonly what: string;
  /** Gives it where it is there, else null. */
  readonly find: () => Promise<T | null>;
  /** Debian's packages that bring it. */
  readonly packages: readonly string[];
  /** How to do without the installation, as the end of a sentence. */
  readonly instead: string;
}

/**
 * What was wanted, installed first where it was missing; what will be installed is said before. Throws
 * with what to do where that cannot be done.
 */
export async function findOrInstall<T>(
  { what, find, packages, instead }: Wanted<T>,
  say: (line: string) => void,
): Promise<T> {
  const found = await find();
  if (found !== null) return found;
  say(
    `No ${what} found. Installing ${packages.join(', ')} with apt-get, which needs root and takes a minute. To avoid that, stop here (Ctrl+C) and ${instead} …`,
  );
  try {
    await run('apt-get', ['update', '-qq']);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages]);
  } catch (cause) {
    throw new Error(
      `The tests need ${what}, and apt-get could not install them. Install ${packages.join(', ')}, or ${instead}, then run npm test again`,
      { cause },
    );
  }
  const installed = await find();
  if (installed === null)
    throw new Error(`apt-get installed ${packages.join(', ')}, but there is still no ${what}`);
  return installed;
}

/** Whether a path is a program that may be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
