// Which backups stay: the newest of each of the last days, and the newest of each of the last weeks.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toCancunDay } from '../domain/cancun-time.ts';
import { isUnfinished, listBackups } from './backup-folder.ts';

/** How many days and weeks keep one. */
export interface Rotation {
  readonly daily: number;
  readonly weekly: number;
}

/** Days of Cancún and their weeks, from Monday on. */
const toDay = (made_ms: number): string => toCancunDay(made_ms).toString();
const toWeek = (made_ms: number): string => {
  const day = toCancunDay(made_ms);
  return day.subtract({ days: day.dayOfWeek - 1 }).toString();
};

/** The moments that stay, of backups made at `moments`; the newest always does. */
export function listKept(
  moments: readonly number[],
  { daily, weekly }: Rotation,
): ReadonlySet<number> {
  const sorted = [...moments].sort((a, b) => b - a);
  const toNewest = (toPeriod: (made_ms: number) => string, most: number): number[] => {
    const newest = new Map<string, number>();
    for (const made_ms of sorted)
      if (!newest.has(toPeriod(made_ms))) newest.set(toPeriod(made_ms), made_ms);
    return [...newest.values()].slice(0, most);
  };
  return new Set([...sorted.slice(0, 1), ...toNewest(toDay, daily), ...toNewest(toWeek, weekly)]);
}

/** What was begun longer ago was given up. */
const UNFINISHED_MS = 24 * 3_600_000;

/** Removes the others of a folder, and what a killed command has left; gives the names of backups that went. */
export function rotate(folder: string, rotation: Rotation): readonly string[] {
  // The disk's own time, as that of the files: this one was changed a moment ago.
  const now_ms = statSync(folder).mtimeMs;
  for (const name of readdirSync(folder).filter(isUnfinished))
    if (now_ms - statSync(join(folder, name)).mtimeMs > UNFINISHED_MS)
      rmSync(join(folder, name), { recursive: true });
  const all = listBackups(folder);
  const kept = listKept(
    all.map(({ list }) => list.made_ms),
    rotation,
  );
  const gone = all.filter(({ list }) => !kept.has(list.made_ms));
  for (const { dir } of gone) rmSync(dir, { recursive: true });
  return gone.map(({ name }) => name);
}
