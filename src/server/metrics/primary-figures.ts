// What the primary process tells beside its workers: builds, the disk, the inbox's size, the last backup.
import { existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBackupRecord } from '../../backup/record.ts';
import { readLastBuild } from '../../releases/last-build.ts';
import type { Layout } from '../../releases/layout.ts';
import { type Figure, toGauge } from './figure.ts';
import { createRunCounter, type RunCounter, toBuildFigures } from './release-figures.ts';

/** What is counted of what the primary runs. */
export interface RunCounters {
  readonly releases: RunCounter;
  readonly amendments: RunCounter;
}

/** Counters at zero. */
export const createRunCounters = (): RunCounters => ({
  releases: createRunCounter(
    'hoy_release_runs_total',
    'Builds by the schedule, by how they ended.',
  ),
  amendments: createRunCounter(
    'hoy_amendment_runs_total',
    'Amendments of the release that serves, by how they ended.',
  ),
});

/** Reads the files and counters of the primary. */
export const readPrimary = (
  layout: Layout,
  counters: RunCounters,
  now_ms: number,
): readonly Figure[] => [
  ...toBuildFigures(readLastBuild(layout)),
  counters.releases.read(),
  counters.amendments.read(),
  ...readDisk(layout),
  ...readBackups(layout, now_ms),
];

/** Never is +Inf, so that an alert of age rings for it too. */
function readBackups({ data_dir }: Layout, now_ms: number): readonly Figure[] {
  const { made_ms, tried_ms } = readBackupRecord(data_dir);
  const toAge = (at_ms: number | null): number =>
    at_ms === null ? Number.POSITIVE_INFINITY : Math.max(0, (now_ms - at_ms) / 1000);
  return [
    toGauge('hoy_backup_age_seconds', 'Since the last backup was made.', toAge(made_ms)),
    toGauge('hoy_backup_drill_age_seconds', 'Since a backup was last proved.', toAge(tried_ms)),
  ];
}

function readDisk({ data_dir }: Layout): readonly Figure[] {
  const { bavail, blocks, bsize } = statfsSync(data_dir);
  const inbox = ['inbox.db', 'inbox.db-wal']
    .map((name) => join(data_dir, name))
    .filter((path) => existsSync(path));
  return [
    toGauge('hoy_disk_free_bytes', 'Free on the disk that holds DATA_DIR.', bavail * bsize),
    toGauge('hoy_disk_size_bytes', 'The size of that disk.', blocks * bsize),
    toGauge(
      'hoy_inbox_bytes',
      'inbox.db with its journal.',
      inbox.reduce((sum, path) => sum + statSync(path).size, 0),
    ),
  ];
}
