// Which days and hours a query asks about, on both sides of every edge.
import { describe, expect, test } from 'vitest';
import { formatTimestamp } from '../../../src/domain/cancun-time.ts';
import { readRange, resolveHourWord } from '../../../src/domain/query/days.ts';
import { at } from '../../fixtures/fixture.ts';

const ask = (question: Parameters<typeof readRange>[0], now: string): string | null | string[] => {
  const issues: string[] = [];
  const range = readRange(question, at(now), issues);
  return issues.length > 0 ? issues : range && `${range.from}..${range.to}`;
};

test('the last days that can be written are as many as there are', () => {
  expect(ask({ from: '9999-12-31' }, '2026-11-20T12:00:00')).toBe('9999-12-31..9999-12-31');
});

describe('a named range', () => {
  test.each([
    ['today', '2026-11-20T23:59:59', '2026-11-20..2026-11-20'],
    ['today', '2026-11-21T00:00:00', '2026-11-21..2026-11-21'],
    // 19:00 in Cancún is midnight in UTC.
    ['today', '2026-11-20T18:59:59', '2026-11-20..2026-11-20'],
    ['today', '2026-11-20T19:00:00', '2026-11-20..2026-11-20'],
    ['tomorrow', '2026-11-20T23:59:59', '2026-11-21..2026-11-21'],
    ['tomorrow', '2026-12-31T12:00:00', '2027-01-01..2027-01-01'],
    ['tomorrow', '2028-02-28T12:00:00', '2028-02-29..2028-02-29'],
    ['tomorrow', '2027-02-28T12:00:00', '2027-03-01..2027-03-01'],
    ['weekend', '2026-11-16T00:00:00', '2026-11-20..2026-11-22'],
    ['weekend', '2026-11-19T23:59:59', '2026-11-20..2026-11-22'],
    ['weekend', '2026-11-20T00:00:00', '2026-11-20..2026-11-22'],
    ['weekend', '2026-11-21T08:00:00', '2026-11-21..2026-11-22'],
    ['weekend', '2026-11-22T23:59:59', '2026-11-22..2026-11-22'],
    ['weekend', '2026-11-23T00:00:00', '2026-11-27..2026-11-29'],
    ['weekend', '2026-12-31T12:00:00', '2027-01-01..2027-01-03'],
    ['week', '2026-11-20T12:00:00', '2026-11-20..2026-11-26'],
    ['week', '2026-12-28T12:00:00', '2026-12-28..2027-01-03'],
    ['now', '2026-11-21T00:40:00', '2026-11-21..2026-11-21'],
    ['tonight', '2026-11-20T12:00:00', '2026-11-20..2026-11-21'],
    ['tonight', '2026-11-21T05:59:00', '2026-11-20..2026-11-21'],
    ['2026-02-28', '2026-11-20T12:00:00', '2026-02-28..2026-02-28'],
    ['2028-02-29', '2026-11-20T12:00:00', '2028-02-29..2028-02-29'],
  ])('%s at %s is %s', (date, now, range) => {
    expect(ask({ date }, now)).toBe(range);
  });
});

describe('from and to', () => {
  const NOW = '2026-11-20T12:00:00';
  test.each([
    [{}, null],
    [{ from: '2026-12-01' }, '2026-12-01..2026-12-30'],
    [{ to: '2026-11-20' }, '2026-11-20..2026-11-20'],
    [{ to: '2026-12-24' }, '2026-11-20..2026-12-24'],
    [{ from: '2026-11-21', to: '2026-11-21' }, '2026-11-21..2026-11-21'],
    [{ from: '2025-01-01', to: '2025-01-31' }, '2025-01-01..2025-01-31'],
    // Day 92 is answered, day 93 is not.
    [{ from: '2026-11-20', to: '2027-02-19' }, '2026-11-20..2027-02-19'],
    [{ to: '2027-02-19' }, '2026-11-20..2027-02-19'],
  ])('%j is %s', (question, range) => {
    expect(ask(question, NOW)).toBe(range);
  });

  test.each([
    [
      { from: '2026-11-20', to: '2027-02-20' },
      [
        'to: 2026-11-20 to 2027-02-20 is 93 days. At most 92 days are answered, both ends counted. Today is 2026-11-20 in Cancún',
      ],
    ],
    [
      { from: '2026-11-22', to: '2026-11-21' },
      ["from: 2026-11-22 is after 'to' (2026-11-21). Swap them. Today is 2026-11-20 in Cancún"],
    ],
    [
      { to: '2026-11-19' },
      ["to: 2026-11-19 is before today (2026-11-20). Give 'from' as well to ask for past days"],
    ],
    [
      { date: 'today', from: '2026-11-20' },
      [
        "date: cannot be combined with 'from' or 'to'. Use either date, or from and to. Today is 2026-11-20 in Cancún",
      ],
    ],
    [
      { date: '2026-02-30' },
      [
        "date: '2026-02-30' is not accepted. Use today, tomorrow, weekend, week, now, tonight or a day as YYYY-MM-DD. Today is 2026-11-20 in Cancún",
      ],
    ],
    [
      { date: 'Today' },
      [
        "date: 'Today' is not accepted. Use today, tomorrow, weekend, week, now, tonight or a day as YYYY-MM-DD. Today is 2026-11-20 in Cancún",
      ],
    ],
    [
      { from: '2023-06-31', to: '2026-13-01' },
      [
        "from: '2023-06-31' is not a day that exists. Write it as YYYY-MM-DD",
        "to: '2026-13-01' is not a day that exists. Write it as YYYY-MM-DD. Today is 2026-11-20 in Cancún",
      ],
    ],
    [
      { from: '2027-02-29' },
      [
        "from: '2027-02-29' is not a day that exists. Write it as YYYY-MM-DD. Today is 2026-11-20 in Cancún",
      ],
    ],
    [
      { from: '20261120' },
      [
        "from: '20261120' is not a day that exists. Write it as YYYY-MM-DD. Today is 2026-11-20 in Cancún",
      ],
    ],
  ])('%j is refused by name', (question, issues) => {
    expect(ask(question, NOW)).toEqual(issues);
  });
});

test.each([
  ['now', '2026-11-20T21:59:59', '2026-11-20T21:59', '2026-11-20T22:00', '2026-11-20..2026-11-20'],
  ['now', '2026-11-21T00:40:00', '2026-11-21T00:40', '2026-11-21T00:41', '2026-11-21..2026-11-21'],
  ['now', '2026-11-20T23:59:59', '2026-11-20T23:59', '2026-11-21T00:00', '2026-11-20..2026-11-20'],
  ['tonight', '2026-11-20T06:00', '2026-11-20T18:00', '2026-11-21T06:00', '2026-11-20..2026-11-21'],
  ['tonight', '2026-11-20T23:59', '2026-11-20T18:00', '2026-11-21T06:00', '2026-11-20..2026-11-21'],
  ['tonight', '2026-11-21T00:00', '2026-11-20T18:00', '2026-11-21T06:00', '2026-11-20..2026-11-21'],
  ['tonight', '2026-11-21T05:59', '2026-11-20T18:00', '2026-11-21T06:00', '2026-11-20..2026-11-21'],
  ['tonight', '2026-12-31T20:00', '2026-12-31T18:00', '2027-01-01T06:00', '2026-12-31..2027-01-01'],
])('%s at %s is from %s to %s and touches %s', (word, now, from, until, days) => {
  const hours = resolveHourWord(word, at(now.padEnd(19, ':00')));
  if (!hours) throw new Error(`${word} is no word`);
  expect(formatTimestamp(hours.from_ms)).toBe(`${from}:00-05:00`);
  expect(formatTimestamp(hours.until_ms)).toBe(`${until}:00-05:00`);
  expect(ask({ date: word }, now.padEnd(19, ':00'))).toBe(days);
});

test.each(['today', 'Now', '', undefined])('%s is none of them', (text) => {
  expect(resolveHourWord(text, at('2026-11-20T12:00:00'))).toBeNull();
});
