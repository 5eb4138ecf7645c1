// The table of what releases cost.
import type { TownSize } from './bench-town.ts';
import { writePerformance } from './performance-page.ts';
import { toMedian } from './medians.ts';
import { MOST_PUBLISH_S, measurePublishNow, type PublishNow } from './publish-now.ts';
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
  is_written: boolean,
): Promise<boolean> {
  const { costs, writes } = await measureReleases(size, say);
  const publishing = await measurePublishNow(say);
  const [first, unchanged] = costs;
  const disk = (unchanged?.bytes ?? 0) / (first?.bytes ?? Number.NaN);
  const table = [
    ['release', 'seconds', 'beside the first', 'target', '', 'each', 'memory', 'further disk'],
    ...costs.map((cost) => [
      cost.what,
      cost.seconds.toFixed(1),
      cost.ratio?.toFixed(3) ?? '',
      cost.target === null ? '' : `≤ ${cost.target}`,
      cost.target === null ? '' : verdict(isQuick(cost)),
      toEach(cost.each),
      `${cost.memory_mb.toFixed(0)} MB`,
      `${(cost.bytes / MEGABYTE).toFixed(1)} MB`,
    ]),
    [
      `plain writes of the ${writes.files} files of the first`,
      writes.seconds.toFixed(1),
      (writes.seconds / (first?.seconds ?? Number.NaN)).toFixed(3),
      ...['', '', '', '', ''],
    ],
  ];
  writeTable(table, say);
  const further = [
    ['further disk where nothing changed, beside the first', 'target', ''],
    [disk.toFixed(4), `≤ ${MOST_DISK}`, verdict(disk <= MOST_DISK)],
  ];
  writeTable(further, say);
  const pressed = toPublishTable(publishing);
  writeTable(pressed, say);
  if (is_written)
    writePerformance('releases', `npm run bench -- --releases --events ${size.events}`, [
      table,
      further,
      pressed,
    ]);
  return costs.every(isQuick) && disk <= MOST_DISK && publishing.middle_s <= MOST_PUBLISH_S;
}

/** The real town beside nothing: somebody sits and waits. */
const toPublishTable = ({
  seconds,
  middle_s,
  at_once,
}: PublishNow): readonly (readonly string[])[] => [
  ['the real town, from "Publicar ahora" to the page', 'middle', 'target', '', 'each'],
  [
    'ten seconds after an approval',
    `${middle_s.toFixed(1)} s`,
    `≤ ${MOST_PUBLISH_S} s`,
    verdict(middle_s <= MOST_PUBLISH_S),
    toEach(seconds),
  ],
  ['in the moment of an approval', `${toMedian(at_once).toFixed(1)} s`, '', '', toEach(at_once)],
];

const toEach = (seconds: readonly number[]): string =>
  seconds.map((one) => one.toFixed(1)).join(' · ');
