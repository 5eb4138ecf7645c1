// What a soak found, as the table that stands in docs/operations.md.
import type { Deeds } from './editors.ts';
import { type Course, isFlat, type Look, toCourses } from './processes.ts';
import type { Visits } from './visitors.ts';

/** All that was seen. */
export interface SoakReport {
  readonly minutes: number;
  readonly visits: Visits;
  readonly deeds: Deeds;
  readonly looks: readonly Look[];
  /** Lines of the log of level error and above. */
  readonly errors: readonly string[];
}

/** Whether nothing went wrong and nothing grows. */
export const isSound = ({ visits, looks, errors }: SoakReport): boolean =>
  visits.faults.length === 0 && errors.length === 0 && toCourses(looks).every(isFlat);

const round = (numbers: readonly number[]): string =>
  numbers.map((number) => Math.round(number)).join(' · ');

const toRow = (course: Course): string =>
  `| ${course.name} | ${round(course.memory_mb)} | ${Math.round(course.most_mb)} | ${round(course.files)} | ${isFlat(course) ? 'yes' : 'NO'} |`;

/** The table, with what was done. */
export function formatSoak(report: SoakReport): string {
  const { minutes, visits, deeds, looks, errors } = report;
  const kinds = [...visits.counts].sort(([a], [b]) => a.localeCompare(b));
  const total = kinds.reduce((sum, [, count]) => sum + count, 0);
  return [
    `${minutes} minutes, two workers: ${total.toLocaleString('en')} requests (${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')}); ${deeds.releases} releases and amendments, ${deeds.approved} approvals, ${deeds.rejected} rejections, ${deeds.cancelled} cancellations, ${deeds.restored} restorations. Wrong answers: ${visits.faults.length}. Lines of error in the log: ${errors.length}.`,
    '',
    '| process | MB resident, by thirds | at most | open files, by thirds | flat |',
    '|---|---|---|---|---|',
    ...toCourses(looks).map(toRow),
  ].join('\n');
}
