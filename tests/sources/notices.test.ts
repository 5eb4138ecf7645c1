// Notice files to records: what warns, what is inferred, what is a season; a bulletin to come is a
// fault.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-notices-'));
  cpSync(FIXTURE_DIR, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const YEARLY =
  '- { rrule: FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=5, since: 2026-12-05, until: 2026-12-31 }';

/** The records of one notice file. */
function readNotices(lines: string, when = YEARLY, published = '2025-12-09') {
  writeFileSync(
    join(folder, 'notices/antorchas.yml'),
    `type: traffic
severity: warning
title: { es: Antorchas, en: Torches }
body: { es: Maneja despacio., en: Drive slowly. }
when:
  ${when}
sources: [{ name: Inventada, published: ${published}, checked: 2026-11-20 }]
confidence: medium
${lines}`,
  );
  return readDataset(folder, EMPTY_LEDGER, FRIDAY_NOON_MS).notices.filter(
    ({ title }) => title.es === 'Antorchas',
  );
}

test('a warning without a bulletin informs, and says from which year it is', () => {
  expect(readNotices('')).toMatchObject([
    { severity: 'info', inferred: true, evidence: { year: 2025, was_last_year: true } },
  ]);
});

test('with a bulletin of its year it warns; the year after it does not', () => {
  const forever = YEARLY.replace('2026-12-05', '2025-12-05');
  const found = readNotices('bulletin: 2025-12-01', forever).map((notice) => [
    notice.id.slice(-8),
    notice.severity,
    notice.inferred,
  ]);
  expect(found).toEqual([
    ['20251205', 'warning', false],
    ['20261205', 'info', true],
  ]);
});

test('listed days, days of every week and seasons are not inferred', () => {
  for (const [more, when] of [
    ['', '- { dates: [2026-12-05] }'],
    ['', '- { rrule: FREQ=WEEKLY;BYDAY=MO, since: 2026-11-16, until: 2026-11-30 }'],
    ['season: true\nseason_name: { es: la de antorchas, en: torch season }', YEARLY],
  ] as const)
    for (const notice of readNotices(more, when))
      expect(notice).toMatchObject({ severity: 'info', inferred: false, evidence: null });
});

test('days counted from Easter come round each year', () => {
  const [notice] = readNotices('', '- { easter: -7, since: 2027-03-21 }');
  expect(notice).toMatchObject({ inferred: true, evidence: { year: 2025, was_last_year: false } });
});

test('a season has its short name', () => {
  const more =
    'season: true\nshort: { es: antorchas, en: torches }\nseason_name: { es: la de antorchas, en: torch season }';
  expect(readNotices(more)).toMatchObject([
    { season: true, short: { es: 'antorchas', en: 'torches' } },
  ]);
});

test.each([
  ['bulletin: 2026-11-23', /notices\/antorchas\.yml:9 bulletin: 2026-11-23 is in the future/],
  ['bulletin: ayer', /notices\/antorchas\.yml:9 bulletin: must be a day that exists/],
  ['season: a veces', /notices\/antorchas\.yml:9 season: must be true or false/],
  ['season: true', /notices\/antorchas\.yml:1 must have season_name where it is a season/],
  ['short: nortes', /notices\/antorchas\.yml:9 short: must have es and en/],
])('%s is refused with its line', (line, expected) => {
  expect(() => readNotices(line)).toThrow(expected);
});
