// What the figures say of releases: how old the one that serves is, what the last one cost, and how
// builds and amendments ended.
import { type LastBuild, listFaults } from '../../releases/last-build.ts';
import type { Health } from '../../domain/health.ts';
import { type Figure, toGauge } from './figure.ts';

/** How often a run ended well, and how often not, since this process began. */
export interface RunCounter {
  readonly count: (is_well: boolean) => void;
  readonly read: () => Figure;
}

/** A counter at zero. */
export function createRunCounter(name: string, help: string): RunCounter {
  const ends = { well: 0, failed: 0 };
  return {
    count: (is_well) => {
      ends[is_well ? 'well' : 'failed'] += 1;
    },
    read: () => ({
      name,
      help,
      type: 'counter',
      values: [
        { value: ends.well, labels: { end: 'well' } },
        { value: ends.failed, labels: { end: 'failed' } },
      ],
    }),
  };
}

/** What a process says of the release that it serves. */
export const toServedFigures = (
  health: Health,
  now_ms: number,
  labels: Readonly<Record<string, string>>,
): readonly Figure[] => [
  toGauge(
    'hoy_release_age_seconds',
    'Since the sources of the release that serves were read.',
    Math.max(0, (now_ms - health.generated_ms) / 1000),
    labels,
  ),
  toGauge(
    'hoy_release_stale',
    '1 where that is older than two runs of the schedule.',
    health.is_stale ? 1 : 0,
    labels,
  ),
  toGauge(
    'hoy_release_refused',
    '1 where the release that should serve was refused.',
    health.refusal === null ? 0 : 1,
    labels,
  ),
];

/** What the last build did. */
export function toBuildFigures(last: LastBuild): readonly Figure[] {
  const { success, failure } = last;
  const changes = success?.changes;
  const pages = changes?.pages;
  const toPages = (made: string, value: number) => ({ value, labels: { made } });
  return [
    toGauge(
      'hoy_release_failing',
      '1 where the last build came to nothing.',
      failure === null ? 0 : 1,
    ),
    toGauge(
      'hoy_content_faults',
      'Files of content that the last build could not take as they stand.',
      new Set(listFaults(last).map(({ file }) => file)).size,
    ),
    ...(changes === undefined
      ? []
      : [
          toGauge(
            'hoy_release_build_seconds',
            'How long the last build took that came out.',
            changes.duration_s,
          ),
          toGauge('hoy_release_events', 'Events that it read.', changes.read),
        ]),
    ...(pages === undefined
      ? []
      : [
          {
            name: 'hoy_release_pages',
            help: 'Pages and documents of that build: rendered, or taken over from the one before.',
            type: 'gauge',
            values: [toPages('rendered', pages.rendered), toPages('taken_over', pages.as_before)],
          },
        ]),
  ];
}
