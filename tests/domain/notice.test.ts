// How grave a notice counts, what is told in full and what in one line, and the board of a day.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { startOfDayMs } from '../../src/domain/cancun-time.ts';
import {
  type NoticeClaim,
  type NoticeRecord,
  splitNotices,
  toNoticeBoard,
  toStanding,
} from '../../src/domain/notice.ts';
import { NOTICE } from '../fixtures/notice.ts';

const CLAIM: NoticeClaim = {
  severity: 'warning',
  is_season: false,
  is_yearly: true,
  bulletin: null,
  published: null,
};
const standing = (claim: Partial<NoticeClaim>, first = '2026-12-05', this_year = 2026) =>
  toStanding({ ...CLAIM, ...claim }, Temporal.PlainDate.from(first), this_year);

test.each(['warning', 'alert'] as const)('%s without a bulletin is info', (severity) => {
  expect(standing({ severity }).severity).toBe('info');
  expect(standing({ severity, bulletin: '2025-12-01' }).severity).toBe('info');
  expect(standing({ severity, bulletin: '2026-12-01' })).toEqual({
    severity,
    inferred: false,
    evidence: null,
  });
});

test('a bulletin of December speaks for the first days of January, and no further', () => {
  expect(standing({ bulletin: '2026-12-20' }, '2027-01-20').severity).toBe('warning');
  expect(standing({ bulletin: '2026-12-20' }, '2027-01-21').severity).toBe('info');
});

test.each([
  [{ published: '2025-12-09' }, { year: 2025, was_last_year: true }],
  [{ published: '2024-12-09' }, { year: 2024, was_last_year: false }],
  [
    { bulletin: '2025-11-30', published: '2024-12-09' },
    { year: 2025, was_last_year: true },
  ],
  [{}, null],
])('a yearly rule known by %j is inferred', (claim, evidence) => {
  expect(standing(claim)).toEqual({ severity: 'info', inferred: true, evidence });
});

test('"last year" is said of this year only', () => {
  const { evidence } = standing({ published: '2026-02-01' }, '2027-02-04', 2026);
  expect(evidence).toEqual({ year: 2026, was_last_year: false });
});

test.each([{ published: '2026-03-08' }, { is_season: true }, { is_yearly: false }])(
  '%j is not inferred',
  (claim) => {
    expect(standing(claim)).toEqual({ severity: 'info', inferred: false, evidence: null });
  },
);

const toDay = (text: string) => Temporal.PlainDate.from(text);
const notice = (
  name: string,
  first: string,
  last: string | null,
  more: Partial<NoticeRecord> = {},
): NoticeRecord => ({
  ...NOTICE,
  id: `no_${name}-${first.replaceAll('-', '')}`,
  severity: 'info',
  start_ms: startOfDayMs(toDay(first)),
  end_ms: last === null ? null : startOfDayMs(toDay(last).add({ days: 1 })),
  ...more,
});
const names = (notices: readonly NoticeRecord[]): string[] =>
  notices.map(({ id }) => id.slice(3, id.indexOf('-')));
const SEASON = notice('season', '2026-06-01', '2026-11-30', { season: true });

describe('a season', () => {
  const isInFull = (from: string, to = from): boolean =>
    splitNotices([SEASON], { from: toDay(from), to: toDay(to) }).now.length === 1;

  test.each([
    ['2026-06-01', true],
    ['2026-06-07', true],
    ['2026-06-08', false],
    ['2026-11-23', false],
    ['2026-11-24', true],
    ['2026-11-30', true],
  ])('on %s in full: %s', (day, expected) => {
    expect(isInFull(day)).toBe(expected);
  });

  test('is told in full of days of which one is its first or last week', () => {
    expect(isInFull('2026-11-22', '2026-11-24')).toBe(true);
    expect(isInFull('2026-11-21', '2026-11-23')).toBe(false);
  });

  test('without an end has no last week', () => {
    const open = { ...SEASON, end_ms: null };
    const day = { from: toDay('2027-11-30'), to: toDay('2027-11-30') };
    expect(splitNotices([open], day).in_season).toEqual([open]);
  });
});

test('what is in force comes alert, warning, info, newest, and seasons last', () => {
  const { now, in_season } = splitNotices(
    [
      notice('turning', '2026-11-20', '2027-04-30', { season: true }),
      notice('old', '2026-11-01', null),
      notice('new', '2026-11-20', null),
      notice('storm', '2026-11-20', null, { severity: 'alert' }),
      notice('wind', '2026-11-21', null, { severity: 'warning' }),
      SEASON,
    ],
    { from: toDay('2026-11-21'), to: toDay('2026-11-21') },
  );
  expect(names(now)).toEqual(['storm', 'wind', 'new', 'old', 'turning']);
  expect(names(in_season)).toEqual(['season']);
});

test('the board: today, what begins tomorrow, seasons, what comes, each once', () => {
  const board = toNoticeBoard(toDay('2026-11-21'), [
    SEASON,
    notice('today', '2026-11-21', '2026-11-22'),
    notice('weekly', '2026-11-21', '2026-11-21'),
    notice('weekly', '2026-11-28', '2026-11-28'),
    notice('tomorrow', '2026-11-22', '2026-11-22'),
    notice('begins', '2026-11-22', '2027-03-01', { season: true }),
    notice('monday', '2026-11-30', '2026-11-30'),
    notice('monday', '2026-11-23', '2026-11-23'),
    notice('last', '2026-12-21', '2026-12-21', { severity: 'warning' }),
    notice('after', '2026-12-22', '2026-12-22'),
    notice('ended', '2026-11-20', '2026-11-20'),
  ]);
  expect(names(board.today)).toEqual(['today', 'weekly']);
  expect(names(board.in_season)).toEqual(['season']);
  expect(names(board.tomorrow)).toEqual(['tomorrow', 'begins']);
  expect(names(board.soon)).toEqual(['monday', 'last']);
  expect(board.soon[0]?.id).toContain('20261123');
});
