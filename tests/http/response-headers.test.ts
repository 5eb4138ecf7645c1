// How long what the clock decides may be kept (contract 2, 11.8).
import { describe, expect, test } from 'vitest';
import { findToday } from '../../src/domain/cancun-time.ts';
import { capCacheControl } from '../../src/http/response-headers.ts';
import { toTodayCacheControl } from '../../src/server/http/pages.ts';

const at = (local: string): number => Date.parse(`${local}-05:00`);

describe('what today decides is never kept past midnight', () => {
  test.each([
    ['2026-11-20T12:00:00', 'public, max-age=300, stale-while-revalidate=600'],
    ['2026-11-20T23:50:00', 'public, max-age=300, stale-while-revalidate=300'],
    ['2026-11-20T23:55:00', 'public, max-age=300, must-revalidate'],
    ['2026-11-20T23:59:30', 'public, max-age=30, must-revalidate'],
    ['2026-11-20T23:59:59.500', 'public, max-age=0, must-revalidate'],
    ['2026-11-21T00:00:00', 'public, max-age=300, stale-while-revalidate=600'],
  ])('%s: %s', (local, expected) => {
    expect(toTodayCacheControl(at(local))).toBe(expected);
  });

  test('a response stored since the last minute is capped by the moment it is sent', () => {
    const now_ms = at('2026-11-20T23:59:50');
    const { end_ms } = findToday(now_ms);
    expect(capCacheControl('public, max-age=54, stale-while-revalidate=300', now_ms, end_ms)).toBe(
      'public, max-age=10, must-revalidate',
    );
    expect(capCacheControl('no-store', now_ms, end_ms)).toBe('no-store');
  });
});
