// The table of what releases cost.
import type { TownSize } from './bench-town.ts';
import { measureReleases, MOST_DISK, type ReleaseCost } from './release-ratios.ts';
import { writeTable } from './table.ts';

const MEGABYTE = 1024 * 1024;
const verdict = (is_met: boolean): string => (is_met ? 'met' : 'MISSED');

const isQuick = ({ ratio, target }: ReleaseCost): boolean =>
  ratio === null || target === null || ratio <= target;

/** Releases a town again and again and says it as a table; gives whether every target was met. */
export async function runReleaseBench(
  size: TownSize,
  say: (line: string) => void,
): Promise<boolean> {
  const costs = await measureReleases(size, say);
  const [first, unchanged] = costs;
  const disk = (unchanged?.bytes ?? 0) / (first?.bytes ?? Number.NaN);
  writeTable(
    [
      ['release', 'seconds', 'beside the first', 'target', '', 'memory', 'further disk'],
      ...costs.map((cost) => [
        cost.what,
        cost.seconds.toFixed(1),
        cost.ratio?.toFixed(3) ?? '',
        cost.target === null ? '' : `≤ ${cost.target}`,
        cost.target === null ? '' : verdict(isQuick(cost)),
        `${cost.memory_mb.toFixed(0)} MB`,
        `${(cost.bytes / MEGABYTE).toFixed(1)} MB`,
      ]),
    ],
    say,
  );
  say('');
  say(
    `Further disk where nothing changed: ${disk.toFixed(4)} of the first, ≤ ${MOST_DISK}: ${verdict(disk <= MOST_DISK)}`,
  );
  return costs.every(isQuick) && disk <= MOST_DISK;
}
