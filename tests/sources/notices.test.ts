// Notice records: tests severity, inferred notices and seasons.
import { expect, test } from 'vitest';
import { noticeYaml, useContentFolder } from '../fixtures/content-folder.ts';

const content = useContentFolder({ is_empty: true });

function readNotices(fields: Parameters<typeof noticeYaml>[0]) {
  content.write('notices/antorchas.yml', noticeYaml(fields));
  return content.read().notices;
}

test('a warning counts only in the year of its bulletin; other years are inferred', () => {
  const when =
    '[{ rrule: FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=5, since: 2025-12-05, until: 2026-12-31 }]';
  const notices = readNotices({ bulletin: '2025-12-01', when });
  expect(notices.map(({ id, severity, inferred }) => [id.slice(-8), severity, inferred])).toEqual([
    ['20251205', 'warning', false],
    ['20261205', 'info', true],
  ]);
});

const SEASON = { season: 'true', season_name: '{ es: la de antorchas, en: torch season }' };
test.each([
  [{}, true],
  [{ when: '[{ easter: -7, since: 2027-03-21 }]' }, true],
  [{ when: '[{ dates: [2026-12-05] }]' }, false],
  [{ when: '[{ rrule: FREQ=WEEKLY;BYDAY=MO, since: 2026-11-16, until: 2026-11-30 }]' }, false],
  [SEASON, false],
])('%j is inferred from a yearly rule: %s', (fields, is_inferred) => {
  const [notice] = readNotices(fields);
  expect(notice).toMatchObject({ severity: 'info', inferred: is_inferred });
});
