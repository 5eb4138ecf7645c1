// Content schemas: tests that each issue is reported with its file, line and field, all at once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CalendarSchema } from '../../src/sources/content-schema.ts';
import { formatIssue } from '../../src/yaml.ts';
import { parseContentFile } from '../../src/sources/load-content.ts';
import { eventYaml, noticeYaml, venueYaml, useContentFolder } from '../fixtures/content-folder.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';

const content = useContentFolder({ is_empty: true });
type ToText = (fields: Readonly<Record<string, string>>) => string;

/**
 * Writes a file for each line of the table, `field: value → message`, and expects an issue with that message in each;
 * `none` expects no issue.
 */
function expectIssues(folder: string, toText: ToText, table: string): void {
  const lines = table.trim().split('\n');
  const rows = lines.map((line, n) => {
    const [, field = '', value = '', message = ''] = /(\w+): (.*) → (.*)$/.exec(line) ?? [];
    return { field, value, message, file: `${folder}/file-${n}.yml` };
  });
  for (const [n, { file, field, value }] of rows.entries()) {
    const slug = `{ es: cosa-${n}, en: thing-${n} }`;
    const defaults = folder === 'notices' || field === 'slug' ? {} : { slug };
    content.write(file, toText({ [field]: value, ...defaults }));
  }
  const issues = content.readErrors();
  for (const { file, field, value, message } of rows)
    if (message === 'none') expect(issues, `${field}: ${value}`).not.toContain(`${file}:`);
    else expect(issues, `${field}: ${value}`).toContain(`${file}:${message}`);
}

describe('a file', () => {
  const aliases = ['b a', 'c b', 'd c', 'e d', 'f e'].map((two) => {
    const [name, of] = two.split(' ');
    return `${name}: &${name} [${Array(8).fill(`*${of}`).join(', ')}]\n`;
  });
  const bomb = `${eventYaml()}a: &a [x, x, x, x, x, x, x, x]\n${aliases.join('')}`;
  test.each<[file: string, text: string | Buffer, message: RegExp]>([
    ['canción.txt', 'hola', /canción\.txt is not a valid file name\. Use lower-case words/],
    ['latin.yml', Buffer.from('\n# canción', 'latin1'), /latin\.yml:2 is not UTF-8/],
    ['rota.yml', 'title: { es: "sin cerrar\n', /rota\.yml:\d+ is not YAML/],
    ['larga.yml', `# ${'x'.repeat(256 * 1024)}`, /larga\.yml has more than 262144 bytes/],
    ['bomba.yml', bomb, /bomba\.yml:\d+ uses aliases/],
  ])('%s is rejected', (file, text, message) => {
    content.write(`events/${file}`, text);
    expect(content.read).toThrow(message);
  });

  test('has all its issues reported together with the issues of other files', () => {
    content.write('events/charla.yml', eventYaml({ category: 'techno', confidencia: 'x' }));
    content.write('venues/malecon-inventado.yml', 'name: Sin nada\nlat: 200\n');
    const issues = content.readErrors();
    for (const line of [
      'issues; nothing was built',
      'events/charla.yml:3 category: must be one of live-music, party',
      'events/charla.yml:8 confidencia: is not a field',
      'venues/malecon-inventado.yml:1 confidence: is missing',
      'venues/malecon-inventado.yml:2 lat: must be 90 or less',
    ])
      expect(issues).toContain(line);
  });
});

const ADULT = '{ visitor: adult, amount: 2 }';
test('an event with an invalid field is rejected', () => {
  expectIssues(
    'events',
    eventYaml,
    `
    title: { es: Charla } → 1 title.en: is missing
    title: { es: Charla, en: "T\u202ealk" } → 1 title.en: must be one line
    venue: la-luna → 8 venue: 'la-luna' not found: there is no venues/la-luna.yml
    ticket_url: "javascript:alert(1)" → 8 ticket_url: must be an address
    sources: [{ checked: 2999-12-24 }] → 6 sources[0].checked: 2999-12-24 is in the future
    changes: [{ date: 2026-12-02, status: cancelled }] → 8 changes[0].date: 2026-12-02 is not a day on
    slug: { es: feria, en: one } → none
    slug: { es: feria, en: other } → 8 slug: 'feria' is also the address of events/file-6.yml
    featured: { why: { es: Una vez, en: Once }, dates: [2026-12-02] } → 8 featured.dates[0]: 2026-12-02 is not a day on
    featured: { dates: [2026-12-01] } → 8 featured.why: is missing
    featured: { why: { es: "Es gratis, solo hoy", en: Free } } → 8 featured.why.es: appears on other days
    featured: { why: { es: Una vez al año, en: Once a year }, dates: [2026-12-01] } → none
    motif: luna → 8 motif: 'luna' is not a motif: it must be one of sol, ola
    motif: ola → none
    when: [{ dates: [2026-12-01], start: "25:00" }] → 5 when[0].start: must be a time from 00:00 to 23:59
    when: [{ dates: [2026-02-30] }] → 5 when[0].dates[0]: must be a day that exists
    when: [{ dates: [2026-12-01], easter: 1 }] → 5 when[0]: must have exactly one of
    when: [{ dates: [2026-12-01], end: "18:00" }] → 5 when[0]: has an end but no start
    when: [{ rrule: EVERY SUNDAY, since: 2026-01-01 }] → 5 when[0].rrule: is not a rule of days
    when: [{ rrule: FREQ=DAILY;INTERVAL=0, since: 2026-01-01 }] → 5 when[0].rrule: is not a rule of days
    when: [{ rrule: FREQ=DAILY;BYMONTH=11;BYMONTHDAY=31, since: 2026-01-01 }] → 5 when[0].rrule: has no date from since
    when: [{ rrule: FREQ=DAILY, since: 2026-12-01, until: 2026-12-01, except: [2026-12-01] }] → 5 when[0].rrule: has no date from since
    when: [{ rrule: FREQ=DAILY, since: 2026-12-02, until: 2026-12-01 }] → 5 when[0].until: must not be before since
    when: [{ rrule: FREQ=DAILY, since: 2040-01-01 }] → 5 when: has no date between
    when: [{ rrule: FREQ=DAILY, since: 2026-12-01, term: true }] → 5 when[0].term: requires the terms of
    when: [{ dates: [2026-12-01], hour: unknown, start: "18:00" }] → 5 when[0]: has a start, so its hour
    when: [{ dates: [2026-12-01], hour: unknown, note: { es: Horario por confirmar, en: x } }] → 5 when[0].note: only repeats
    price: gratis → 4 price: must be free, unknown, or have min, max
    price: { min: 900, max: 350 } → 4 price.min: is above max: swap them
    price: { visitors: [${ADULT}, { visitor: child, amount: 1, currency: USD }] } → 4 price.visitors: must be in one currency
    price: { min: 5, visitors: [${ADULT}] } → 4 price.min: is computed from visitors
    `,
  );
});

const REPOSITORY = 'https://github.com/somebody/clubs';
const by = (...urls: readonly string[]): string =>
  `[${urls.map((url) => `{ url: "${url}", checked: 2026-11-20 }`).join(', ')}]`;
const PAGE = by('https://club.example/hours');

test('a repository is rejected as a source of a nightclub, and as the only source of opening hours', () => {
  const toClub: ToText = (fields) =>
    eventYaml({ category: 'party', tags: '[antro]', sources: PAGE, ...fields });
  expectIssues(
    'events',
    toClub,
    `
    sources: ${by(REPOSITORY)} → 6 sources[0].url: is a repository
    source_url: ${REPOSITORY} → 9 source_url: is a repository
    sources: ${PAGE} → none
    tags: [] → none
    `,
  );
  const toVenue: ToText = (fields) =>
    venueYaml({ hours: '{ rules: [{ days: [fr], open: "22:00" }] }', ...fields });
  expectIssues(
    'venues',
    toVenue,
    `
    sources: ${by(REPOSITORY)} → 5 hours: the only source is a repository
    sources: ${by('https://raw.githubusercontent.com/a/b', 'https://club.example/')} → none
    `,
  );
});

test('a venue with an invalid field is rejected', () => {
  content.write('venues/punto.yml', venueYaml({ lat: '21', lng: '-86' }));
  expect(content.readErrors()).toContain('venues/punto.yml:1 must name coordinates_source');
  expectIssues(
    'venues',
    venueYaml,
    `
    hours: { rules: [{ days: [mo], close: "09:00" }] } → 5 hours.rules[0].close: needs an open
    hours: { rules: [{ days: [mo], open: "09:00", close: "09:00" }] } → 5 hours.rules[0].close: must not be the hour of
    hours: { rules: [{ days: [mo], open: "09:00", close: "17:00", last_entry: "17:30" }] } → 5 hours.rules[0].last_entry: must be
    hours: { rules: [{ days: [mo], since: 2026-12-01, until: 2026-11-01 }] } → 5 hours.rules[0].until: must not be before since
    hours: { rules: [{ days: [mo, tu], open: "09:00" }, { days: [tu], open: "12:00" }] } → 5 hours.rules[1]: overlaps the hours of rules[0]
    hours: { rules: [{ days: [mo] }], closed_on: [christmas, navidad] } → 5 hours.closed_on[1]: 'navidad' is not a holiday
    hours: { rules: [{ days: [mo] }], exceptions: [{ date: 2026-12-24 }, { date: 2026-12-24 }] } → 5 hours.exceptions: names a date twice
    open_place: true → 1 must have hours if it is an open_place
    sources: ${by(REPOSITORY)} → none
    `,
  );
});

test('a notice with an invalid field is rejected', () => {
  expectIssues(
    'notices',
    noticeYaml,
    `
    season: true → 1 must have season_name if it is a season
    short: nortes → 8 short: must have es and en
    `,
  );
});

describe('the calendar', () => {
  const SOURCE = 'sources: [{ name: "Bank", checked: 2026-11-20 }]';
  const term = (days: string) => `terms: [{ first: 2026-08-31, ${days}, ${SOURCE} }]\nlinks:`;
  const INVALID_BREAK = 'breaks: [{ first: 2026-12-14, last: 2026-12-01 }]';
  const valid_text = readFileSync(join(FIXTURE_DIR, 'calendar.yml'), 'utf8');
  test.each([
    ['day: 25 }', 'day: 32 }', '40 holidays[5].rule.day: must be 31 or less'],
    ['easter: -2', 'easter: -2, month: 1', '13 holidays[1].rule'],
    [SOURCE, 'sources: []', '14 holidays[1].sources: must name at least one source'],
    ['links:', term('last: 2026-08-30'), '42 terms[0].last: must not be before'],
    [
      'links:',
      term(`last: 2027-07-15, ${INVALID_BREAK}`),
      '42 terms[0].breaks[0].last: must not be before',
    ],
  ])('with %s replaced by %s is rejected', (from, to, message) => {
    expect(valid_text).toContain(from);
    const { issues } = parseContentFile(
      'calendar.yml',
      valid_text.replace(from, to),
      CalendarSchema,
    );
    expect(issues.map(formatIssue).join('\n')).toContain(`calendar.yml:${message}`);
  });
  test('rejects a duplicate holiday, and is required', () => {
    content.replace('calendar.yml', 'key: good-friday', 'key: new-year');
    expect(content.read).toThrow("calendar.yml:9 holidays[1].key: 'new-year' is a duplicate");
    content.remove('calendar.yml');
    expect(content.read).toThrow('calendar.yml is missing');
  });
});

test('town.yml is rejected if it refers to a zone or venue that does not exist', () => {
  content.replace('town.yml', 'zone: isla-mujeres', 'zone: nowhere');
  content.replace('town.yml', 'malecon-inventado', 'nowhere');
  content.replace('town.yml', 'puerto-morelos:', 'elsewhere:');
  content.replace('town.yml', 'Quintana Roo, Q. Roo', '""');
  expect(content.readErrors()).toContain('town.yml:23 areas[0]: must not be empty');
  content.replace('town.yml', '""', 'Q. Roo');
  const issues = content.readErrors();
  for (const issue of [
    '19 examples.zone: zones.yml has no nowhere',
    '20 examples.venue: there is no venues/nowhere.yml',
    '21 towns.elsewhere: zones.yml has no elsewhere',
  ])
    expect(issues).toContain(`town.yml:${issue}`);
});
