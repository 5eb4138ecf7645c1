// Mail limits: the newsletter is due for 24 hours from Thursday noon on.
import { expect, test } from 'vitest';
import { findDueNewsletterDate } from '../../src/domain/mail-limits.ts';
import { localMs } from '../fixtures/fixture.ts';

test.each([
  ['2026-11-26T11:59:59', null],
  ['2026-11-26T12:00:00', '2026-11-26'],
  ['2026-11-27T11:59:59', '2026-11-26'],
  ['2026-11-27T12:00:00', null],
  ['2026-11-25T12:00:00', null],
])('at %s, the due newsletter is %s', (local, expected) => {
  expect(findDueNewsletterDate(localMs(local))).toBe(expected);
});
