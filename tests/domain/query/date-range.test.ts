// Date ranges: days and hours of a query, on both sides of every edge.
import { describe, expect, test } from 'vitest';
import { formatTimestamp } from '../../../src/domain/local-time.ts';
import {
  isOccurrenceInHours,
  parseRange,
  resolveHourKeyword,
} from '../../../src/domain/query/date-range.ts';
import { CONCERT, CONCERT_DATE } from '../../fixtures/concert.ts';
import { formatIssues, type ParameterIssue } from '../../../src/domain/query/parameter-issue.ts';
import { localMs } from '../../fixtures/fixture.ts';

const NOW = '2026-11-20T12:00:00';
const parse = (texts: Parameters<typeof parseRange>[0], now = NOW): string | null | string[] => {
  const issues: ParameterIssue[] = [];
  const range = parseRange(texts, localMs(now), issues);
  return issues.length > 0
    ? issues.map((issue) => formatIssues([issue]))
    : range && `${range.from} ${range.to}`;
};

test.each([
  ['today', '2026-11-20T23:59:59', '2026-11-20 2026-11-20'],
  ['today', '2026-11-21T00:00:00', '2026-11-21 2026-11-21'],
  // 19:00 in Cancún is midnight in UTC.
  ['today', '2026-11-20T19:00:00', '2026-11-20 2026-11-20'],
  ['tomorrow', '2026-12-31T12:00:00', '2027-01-01 2027-01-01'],
  ['weekend', '2026-11-19T23:59:59', '2026-11-20 2026-11-22'],
  ['weekend', '2026-11-21T08:00:00', '2026-11-21 2026-11-22'],
  ['weekend', '2026-11-22T23:59:59', '2026-11-22 2026-11-22'],
  ['weekend', '2026-11-23T00:00:00', '2026-11-27 2026-11-29'],
  ['week', '2026-12-28T12:00:00', '2026-12-28 2027-01-03'],
  ['2028-02-29', NOW, '2028-02-29 2028-02-29'],
  // 2026-11-20 is a Friday.
  ['Viernes', NOW, '2026-11-20 2026-11-20'],
  ['sabado', NOW, '2026-11-21 2026-11-21'],
  ['this Thursday', NOW, '2026-11-26 2026-11-26'],
  ['HOY', NOW, '2026-11-20 2026-11-20'],
  ['mañana', NOW, '2026-11-21 2026-11-21'],
  ['este fin de semana', NOW, '2026-11-20 2026-11-22'],
])('date=%s at %s is %s', (date, now, range) => {
  expect(parse({ date }, now)).toBe(range);
});

describe('from and to', () => {
  test.each([
    [{}, null],
    [{ from: '2026-12-01' }, '2026-12-01 2026-12-30'],
    [{ from: '9999-12-31' }, '9999-12-31 9999-12-31'],
    [{ to: '2026-11-20' }, '2026-11-20 2026-11-20'],
    [{ from: '2025-01-01', to: '2025-01-31' }, '2025-01-01 2025-01-31'],
    [{ from: 'domingo', to: 'miércoles' }, '2026-11-22 2026-11-25'],
    [{ from: 'today', to: 'thursday' }, '2026-11-20 2026-11-26'],
    // 92 days are accepted, 93 are not.
    [{ from: '2026-11-20', to: '2027-02-19' }, '2026-11-20 2027-02-19'],
    [{ to: '2027-02-19' }, '2026-11-20 2027-02-19'],
  ])('%j is %s', (texts, range) => {
    expect(parse(texts)).toBe(range);
  });

  const WORDS =
    'today, tomorrow, weekend, week, now, tonight, a weekday (saturday) or a day as YYYY-MM-DD';
  test.each([
    [
      { from: '2026-11-20', to: '2027-02-20' },
      'to: 2026-11-20 to 2027-02-20 is 93 days. The limit',
    ],
    [{ from: '2026-11-22', to: '2026-11-21' }, "from: 2026-11-22 is after 'to' (2026-11-21)"],
    [{ to: '2026-11-19' }, 'to: 2026-11-19 is before today (2026-11-20). Give'],
    [{ date: 'today', from: '2026-11-20' }, "date: cannot be combined with 'from' or 'to'"],
    [
      { date: '2026-02-30', lang: 'en' },
      `date: '2026-02-30' is invalid. Use ${WORDS}. Today is 2026-`,
    ],
    [
      { date: 'ayer', lang: 'es' },
      "date: 'ayer' is invalid. Use today (hoy), tomorrow (mañana), w",
    ],
    [
      { from: 'weekend' },
      "from: 'weekend' is not a valid date. Use today (hoy), tomorrow (mañana), a",
    ],
    [{ from: '2023-06-31', to: '2026-13-01' }, "from: '2023-06-31' is not a|to: '2026-13-01' is"],
    [{ from: '20261120' }, "from: '20261120' is not a valid date. Use today (hoy)"],
  ])('%j is rejected with an issue for each parameter', (texts, issues) => {
    expect(parse(texts)).toEqual(issues.split('|').map((issue) => expect.stringContaining(issue)));
  });
});

test.each([
  ['now', '2026-11-20T21:59:59', '2026-11-20T21:59', '2026-11-20T22:00'],
  ['now', '2026-11-20T23:59:59', '2026-11-20T23:59', '2026-11-21T00:00'],
  ['tonight', '2026-11-20T06:00:00', '2026-11-20T18:00', '2026-11-21T06:00'],
  ['tonight', '2026-11-21T05:59:00', '2026-11-20T18:00', '2026-11-21T06:00'],
  ['tonight', '2026-12-31T20:00:00', '2026-12-31T18:00', '2027-01-01T06:00'],
])('%s at %s is from %s to %s, with the days it touches', (keyword, now, from, until) => {
  const hours = resolveHourKeyword(keyword, localMs(now));
  const ends = [hours?.from_ms, hours?.until_ms].map((ms) => formatTimestamp(ms ?? 0));
  expect(ends).toEqual([`${from}:00-05:00`, `${until}:00-05:00`]);
  const last = until.endsWith('T00:00') ? from : until;
  expect(parse({ date: keyword }, now)).toBe(`${from.slice(0, 10)} ${last.slice(0, 10)}`);
});

test('now includes a running event until its last entry', () => {
  const start_ms = localMs('2026-11-20T20:00:00');
  const boarding = { ...CONCERT_DATE, start_ms, end_ms: start_ms + 3 * 3_600_000 };
  const isOnNow = (local: string): boolean => {
    const hours = resolveHourKeyword('now', localMs(local)) ?? expect.unreachable();
    const date = { ...boarding, last_entry_ms: localMs('2026-11-20T20:30:00') };
    return isOccurrenceInHours(hours, date, CONCERT);
  };
  expect(['2026-11-20T20:29:00', '2026-11-20T20:30:00'].map(isOnNow)).toEqual([true, false]);
});
