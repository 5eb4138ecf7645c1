// Source checks: tests the last valid day, which depends on the service's clock and the machine's.
import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkSourceDays } from '../../src/sources/check-sources.ts';
import { parsedContentFile } from '../../src/sources/load-content.ts';
import { type ContentIssue, formatIssue } from '../../src/yaml.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00-05:00') });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the issues of a source checked on `checked`, by a service whose clock shows `today`. */
function listIssues(checked: string, today: string): readonly string[] {
  const issues: ContentIssue[] = [];
  const file = parsedContentFile('events/charla.yml', { sources: [{ checked }] });
  checkSourceDays(file, Temporal.PlainDate.from(today), issues);
  return issues.map(formatIssue);
}

test.each([
  ['the machine', '2024-03-01', '2026-11-22', '2026-11-23'],
  ['the service', '2027-05-14', '2027-05-16', '2027-05-17'],
])('days up to two days after the later clock, of %s, are valid', (_, today, last, next) => {
  expect(listIssues(last, today)).toEqual([]);
  expect(listIssues(next, today)).toEqual([
    `events/charla.yml sources[0].checked: ${next} is in the future. Use the day on which the source was checked`,
  ]);
});
