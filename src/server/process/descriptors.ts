// How many files and connections this process may have open.
import { readFileSync } from 'node:fs';

/** Where nobody says. */
const USUAL = 1024;
/** For files of releases, databases, pipes, and what is built beside. */
const RESERVED = 160;
const FEWEST = 32;

/** The system's limit for this process (`ulimit -n`, which Node raises as far as it may). */
function readDescriptorLimit(): number {
  try {
    const found = /^Max open files\s+(\d+|unlimited)/m.exec(
      readFileSync('/proc/self/limits', 'utf8'),
    )?.[1];
    return found === 'unlimited' ? Number.POSITIVE_INFINITY : Number(found ?? USUAL);
  } catch {
    return USUAL;
  }
}

/** The connections that leave enough for everything else, `most` at most. */
export const toConnectionLimit = (most: number, limit = readDescriptorLimit()): number =>
  Math.max(FEWEST, Math.min(most, limit - RESERVED));
