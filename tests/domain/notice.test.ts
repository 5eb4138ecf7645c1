// Notice: effective severity, grouping into full and seasonal notices, and the board of a day.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { startOfDayMs } from '../../src/domain/local-time.ts';
import {
  type ClaimedSeverity,
  type NoticeRecord,
  groupNotices,
  buildNoticeBoard,
  countNotices,
  computeNoticeStatus,
} from '../../src/domain/notice.ts';
import { formatNoticeCounts } from '../../src/i18n/format-day.ts';
import { NOTICE } from '../fixtures/notice.ts';

const toDay = (text: string) => Temporal.PlainDate.from(text);

const NO_SOURCE_DATES = { bulletin: null, published: null };
const CLAIM: ClaimedSeverity = {
  severity: 'warning',
  is_season: false,
  is_yearly: true,
  ...NO_SOURCE_DATES,
};
const TWO_YEARS = { bulletin: '2025-11-30', published: '2024-12-09' };
test.each<[Partial<ClaimedSeverity>, first: string, expected: string]>([
  [{ severity: 'alert' }, '2026-12-05', 'info, inferred of null'],
  [{ severity: 'alert', bulletin: '2026-12-01' }, '2026-12-05', 'alert'],
  // A bulletin of December also confirms notices of January, up to 31 days later.
  [{ bulletin: '2026-12-20' }, '2027-01-20', 'warning'],
  [{ bulletin: '2026-12-20' }, '2027-01-21', 'info, inferred of 2026'],
  [{ published: '2024-12-09' }, '2026-12-05', 'info, inferred of 2024'],
  [TWO_YEARS, '2026-12-05', 'info, inferred of 2025, last year'],
  // "Last year" is relative to the year of the release.
  [{ published: '2026-02-01' }, '2027-02-04', 'info, inferred of 2026'],
  [{ published: '2026-03-08' }, '2026-12-05', 'info'],
  [{ is_season: true }, '2026-12-05', 'info'],
  [{ is_yearly: false }, '2026-12-05', 'info'],
])('a yearly warning with %j from %s is %s', (claim, first, expected) => {
  const status = computeNoticeStatus({ ...CLAIM, ...claim }, toDay(first), 2026);
  const { severity, inferred, evidence } = status;
  const year = evidence && `${evidence.year}${evidence.was_last_year ? ', last year' : ''}`;
  expect(inferred ? `${severity}, inferred of ${year}` : severity).toBe(expected);
});

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
const names = (notices: readonly NoticeRecord[]): string =>
  notices.map(({ id }) => id.slice(3, id.indexOf('-'))).join(' ');
const SEASON = notice('season', '2026-06-01', '2026-11-30', { season: true });
const split = (notices: readonly NoticeRecord[], from: string, to = from) =>
  groupNotices(notices, { from: toDay(from), to: toDay(to) });

test.each([
  ['2026-06-07', '2026-06-07', true],
  ['2026-06-08', '2026-06-08', false],
  // A range with a day in its first or last week.
  ['2026-11-22', '2026-11-24', true],
  ['2026-11-21', '2026-11-23', false],
])('from %s to %s, a season is shown in full: %s', (from, to, in_full) => {
  const { now, in_season } = split([SEASON], from, to);
  expect([now.length === 1, in_season.length === 1]).toEqual([in_full, !in_full]);
});

test('current notices are sorted by severity, then newest first, with seasons last', () => {
  const { now, in_season } = split(
    [
      notice('turning', '2026-11-20', '2027-04-30', { season: true }),
      notice('endless', '2026-06-01', null, { season: true }),
      notice('old', '2026-11-01', null),
      notice('new', '2026-11-20', null),
      notice('storm', '2026-11-20', null, { severity: 'alert' }),
      notice('wind', '2026-11-21', null, { severity: 'warning' }),
      SEASON,
    ],
    '2026-11-21',
  );
  expect([names(now), names(in_season)]).toEqual(['storm wind new old turning', 'endless season']);
});

test('the board groups notices into today, season, tomorrow and soon, each once', () => {
  const board = buildNoticeBoard(toDay('2026-11-21'), [
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
  const parts = [board.today, board.in_season, board.tomorrow, board.soon].map(names);
  expect(parts).toEqual(['today weekly', 'season', 'tomorrow begins', 'monday last']);
  expect(board.soon[0]?.id).toContain('20261123');
});

test.each<[readonly NoticeRecord[], number, string, string]>([
  [
    [notice('road', '2026-10-01', '2026-12-01'), notice('red', '2026-10-02', '2026-12-01'), SEASON],
    3,
    'nada nuevo hoy; siguen vigentes 2; 1 de temporada',
    'nothing new today; 2 still in effect; 1 seasonal',
  ],
  [
    [notice('road', '2026-11-20', '2026-12-01'), notice('red', '2026-10-02', '2026-12-01')],
    2,
    '1 aviso para hoy; sigue vigente 1',
    '1 notice for today; 1 still in effect',
  ],
])('%# notices are counted once, in the same words everywhere', (notices, total, es, en) => {
  const day = toDay('2026-11-21');
  const counts = countNotices(notices, { from: day, to: day });
  expect(counts.news + counts.lasting + counts.in_season).toBe(total);
  expect(LANGS.map((lang) => formatNoticeCounts(counts, true, lang))).toEqual([es, en]);
});
