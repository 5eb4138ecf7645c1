// What a soak calls flat, and what it does not.
import { expect, test } from 'vitest';
import { isFlat, type Look, toCourses } from './processes.ts';
import { formatSoak, isSound, type SoakReport } from './report.ts';

const LOOKS = 60;
/** A process that holds `toMb(look)` and `toFiles(look)`. */
const course = (
  pid: number,
  toMb: (at: number) => number,
  toFiles: (at: number) => number = () => 30,
): Look[] =>
  Array.from({ length: LOOKS }, (_, at) => ({
    ...{ pid, memory_mb: toMb(at), files: toFiles(at) },
    name: pid === 1 ? 'primary' : 'worker',
  }));

const toReport = (looks: readonly Look[], changed: Partial<SoakReport> = {}): SoakReport => ({
  minutes: 3,
  visits: { counts: new Map([['page', 1200]]), faults: [] },
  deeds: { approved: 1, rejected: 1, cancelled: 1, restored: 1, releases: 2 },
  errors: [],
  looks,
  ...changed,
});

test('caches may fill in the first third; what grows after it, memory or files, is no flat course', () => {
  const warm = course(1, (at) => (at < 20 ? 200 + 10 * at : 400));
  const leaking = course(2, (at) => 300 + 5 * at);
  const open = course(
    3,
    () => 300,
    (at) => 30 + at,
  );
  expect(toCourses([...warm, ...leaking, ...open]).map((one) => [one.name, isFlat(one)])).toEqual([
    ['primary', true],
    ['worker 1', false],
    ['worker 2', false],
  ]);
  expect(isSound(toReport(warm))).toBe(true);
  expect(isSound(toReport([...warm, ...leaking]))).toBe(false);
});

test('one wrong answer or one error in the log is enough', () => {
  const looks = course(1, () => 200);
  const visits = { counts: new Map(), faults: ['page /hoy: 500'] };
  expect(isSound(toReport(looks, { visits }))).toBe(false);
  expect(isSound(toReport(looks, { errors: ['{"level":50}'] }))).toBe(false);
});

test('the table has a line for each process that was there long enough', () => {
  const looks = [...course(1, () => 200), ...course(2, () => 300).slice(0, 2)];
  expect(formatSoak(toReport(looks)).split('\n').slice(2)).toEqual([
    '| process | MB resident, by thirds | at most | open files, by thirds | flat |',
    '|---|---|---|---|---|',
    '| primary | 200 · 200 · 200 | 200 | 30 · 30 · 30 | yes |',
  ]);
});
