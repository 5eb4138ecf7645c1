// Notice files to records: what warns, what is inferred, what is a season.
import { expect, test } from 'vitest';
import { toNoticeText, useContentFolder } from '../fixtures/content-folder.ts';

const content = useContentFolder({ is_empty: true });

function readNotices(fields: Parameters<typeof toNoticeText>[0]) {
  content.write('notices/antorchas.yml', toNoticeText(fields));
  return content.read().notices;
}

test('a warning without a bulletin informs, and says from which year it is', () => {
  expect(readNotices({})).toMatchObject([
    { severity: 'info', inferred: true, evidence: { year: 2025, was_last_year: true } },
  ]);
});

test('with a bulletin of its year it warns; the year after it does not', () => {
  const when =
    '[{ rrule: FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=5, since: 2025-12-05, until: 2026-12-31 }]';
  const found = readNotices({ bulletin: '2025-12-01', when });
  expect(found.map(({ id, severity, inferred }) => [id.slice(-8), severity, inferred])).toEqual([
    ['20251205', 'warning', false],
    ['20261205', 'info', true],
  ]);
});

test('days counted from Easter come round each year', () => {
  const [notice] = readNotices({ when: '[{ easter: -7, since: 2027-03-21 }]' });
  expect(notice).toMatchObject({ inferred: true, evidence: { year: 2025, was_last_year: false } });
});

test.each([
  { when: '[{ dates: [2026-12-05] }]' },
  { when: '[{ rrule: FREQ=WEEKLY;BYDAY=MO, since: 2026-11-16, until: 2026-11-30 }]' },
  {
    season: 'true',
    season_name: '{ es: la de antorchas, en: torch season }',
    short: '{ es: antorchas, en: torches }',
  },
])('listed days, days of every week and seasons are not inferred: %j', (fields) => {
  const [notice, ...others] = readNotices(fields);
  for (const one of [notice, ...others])
    expect(one).toMatchObject({ severity: 'info', inferred: false, evidence: null });
  if ('short' in fields)
    expect(notice).toMatchObject({ season: true, short: { es: 'antorchas', en: 'torches' } });
});
