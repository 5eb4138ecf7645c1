// What the clock decides: which page an alias shows, and how long it may be kept
// (contract 2, 8.12).
import { describe, expect, test } from 'vitest';
import { findToday, toSecondsToMidnight } from '../../src/domain/today.ts';
import { capCacheControl } from '../../src/http/response-headers.ts';
import { toTodayCacheControl } from '../../src/server/http/pages.ts';
import { isMadeByMinute, resolveAlias } from '../../src/site/page-request.ts';
import { listVariantPaths } from '../../src/site/prebuilt.ts';

const at = (local: string): number => Date.parse(`${local}-05:00`);

describe('resolveAlias', () => {
  test.each([
    ['/hoy', '2026-11-20T00:00:00', '/_hoy/2026-11-20'],
    ['/hoy', '2026-11-20T18:59:59', '/_hoy/2026-11-20'],
    ['/hoy', '2026-11-20T19:00:00', '/_hoy/2026-11-20'],
    ['/hoy', '2026-11-20T23:59:59.999', '/_hoy/2026-11-20'],
    ['/hoy', '2026-11-21T00:00:00', '/_hoy/2026-11-21'],
    ['/hoy.md', '2026-11-20T12:00:00', '/_hoy/2026-11-20.md'],
    ['/en/today', '2026-11-20T12:00:00', '/_today/2026-11-20'],
    ['/en/today.md', '2026-12-31T23:59:59', '/_today/2026-12-31.md'],
    ['/fecha/2026-11-20', '2026-11-20T23:59:59', '/_fecha/2026-11-20'],
    ['/fecha/2026-11-20', '2026-11-21T00:00:00', null],
    ['/en/date/2026-11-20.md', '2026-11-20T00:00:00', '/_date/2026-11-20.md'],
    ['/manana', '2026-12-31T12:00:00', '/_manana/2027-01-01'],
    ['/en/tomorrow', '2028-02-28T12:00:00', '/_tomorrow/2028-02-29'],
    ['/fin-de-semana', '2026-11-19T23:59:59', '/_fin-de-semana/2026-11-20'],
    ['/fin-de-semana', '2026-11-20T00:00:00', '/_fin-de-semana/2026-11-20'],
    ['/en/weekend', '2026-11-21T12:00:00', '/_weekend/2026-11-21'],
    ['/en/weekend', '2026-11-22T23:59:59', '/_weekend/2026-11-22'],
    ['/en/weekend', '2026-11-23T00:00:00', '/_weekend/2026-11-27'],
    ['/semana', '2026-11-20T12:00:00', '/_semana/2026-11-20'],
    ['/en/week', '2026-11-20T12:00:00', '/_week/2026-11-20'],
    ['/avisos', '2026-11-20T23:59:59', '/_avisos/2026-11-20'],
    ['/en/notices.md', '2026-11-21T00:00:00', '/_notices/2026-11-21.md'],
    ['/', '2026-11-20T12:00:00', null],
    ['/hoy/', '2026-11-20T12:00:00', null],
    ['/today', '2026-11-20T12:00:00', null],
    ['/hoy.md.md', '2026-11-20T12:00:00', null],
    ['/docs', '2026-11-20T12:00:00', null],
  ])('%s at %s: %s', (path, local, expected) => {
    expect(resolveAlias(path, at(local))).toBe(expected);
  });

  test('lists what the next days will ask for, each once', () => {
    const paths = listVariantPaths(at('2026-11-20T12:00:00'), 3);
    expect(paths).toContain('/_manana/2026-11-22');
    expect(paths).toContain('/_tomorrow/2026-11-23');
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toHaveLength(12);
  });

  test('leaves out what is made by the minute: the pages with today in them and their Markdown', () => {
    const paths = listVariantPaths(at('2026-11-20T12:00:00'), 3);
    expect(paths.filter(isMadeByMinute)).toEqual([]);
    for (const path of [
      ...['/hoy', '/en/today.md', '/fecha/2026-11-20', '/en/date/2026-11-20.md'],
      ...['/semana', '/en/week.md', '/fin-de-semana'],
    ])
      expect(isMadeByMinute(resolveAlias(path, at('2026-11-20T12:00:00')) ?? '')).toBe(true);
  });
});

describe('what today decides is never kept past midnight', () => {
  test.each([
    ['2026-11-20T00:00:00', 86_400],
    ['2026-11-20T23:59:59', 1],
    ['2026-11-20T23:59:59.999', 0],
    ['2026-11-20T23:58:30', 90],
  ])('%s: %i seconds are left', (local, seconds) => {
    expect(toSecondsToMidnight(at(local))).toBe(seconds);
  });

  test.each([
    ['2026-11-20T12:00:00', 'public, max-age=300, stale-while-revalidate=600'],
    ['2026-11-20T23:45:00', 'public, max-age=300, stale-while-revalidate=600'],
    ['2026-11-20T23:50:00', 'public, max-age=300, stale-while-revalidate=300'],
    ['2026-11-20T23:54:59', 'public, max-age=300, stale-while-revalidate=1'],
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
