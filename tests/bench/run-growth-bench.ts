// The table of how cost grows with the town.
import type { TownSize } from './bench-town.ts';
import { measureGrowth, type TownCost } from './growth.ts';
import { writePerformance } from './performance-page.ts';
import { writeTable } from './table.ts';

/** Most that a release of an event may take in the large town, beside one in the small town: linear, and what a run wavers. */
const MOST_GROWTH = 1.1;
const MEGABYTE = 1024 * 1024;

const toTimes = (one: number, other: number): string => (other / one).toFixed(1);
const count = (number: number): string => number.toLocaleString('en-US');

/** Releases and asks a town and one of ten times its size and says both as a table; gives whether the target was met. */
export async function runGrowthBench(
  size: TownSize,
  say: (line: string) => void,
  is_written: boolean,
): Promise<boolean> {
  const [small, large] = await measureGrowth(size, say);
  if (small === undefined || large === undefined) throw new Error('Two towns are needed');
  const perEvent = ({ first, events }: TownCost): number => first.seconds / events;
  const growth = perEvent(large) / perEvent(small);
  const toRow = (
    what: string,
    read: (cost: TownCost) => number,
    write: (number: number) => string,
  ): readonly string[] => [
    what,
    write(read(small)),
    write(read(large)),
    toTimes(read(small), read(large)),
  ];
  const seconds = (number: number): string => `${number.toFixed(1)} s`;
  const megabytes = (number: number): string => `${count(Math.round(number))} MB`;
  const table = [
    ['', 'a town', 'ten times the town', 'times'],
    toRow('events', ({ events }) => events, count),
    toRow('dates', ({ occurrences }) => occurrences, count),
    toRow('files of the release', ({ files }) => files, count),
    toRow('on the disk', ({ disk_bytes }) => disk_bytes / MEGABYTE, megabytes),
    toRow('the first release', ({ first }) => first.seconds, seconds),
    toRow('its memory', ({ first }) => first.memory_mb, megabytes),
    toRow('nothing changed', ({ again }) => again.seconds, seconds),
    toRow('its memory', ({ again }) => again.memory_mb, megabytes),
    toRow('memory of the one that serves', ({ worker_mb }) => worker_mb, megabytes),
    ...[...small.answers.keys()].map((name) =>
      toRow(
        name,
        ({ answers }) => answers.get(name) ?? Number.NaN,
        (ms) => `${ms.toFixed(1)} ms`,
      ),
    ),
  ];
  writeTable(table, say);
  const verdict = [
    ['time of the first release for an event, beside the small town', 'target', ''],
    [growth.toFixed(2), `≤ ${MOST_GROWTH}`, growth <= MOST_GROWTH ? 'met' : 'MISSED'],
  ];
  writeTable(verdict, say);
  if (is_written)
    writePerformance('growth', `npm run bench -- --growth --events ${size.events}`, [
      table,
      verdict,
    ]);
  return growth <= MOST_GROWTH;
}
