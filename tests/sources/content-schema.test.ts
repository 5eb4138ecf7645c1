// What a file of content may say: every fault is named with its file, line and field, all at once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CalendarSchema } from '../../src/sources/content-schema.ts';
import { formatIssue } from '../../src/sources/issues.ts';
import { parseContentFile } from '../../src/sources/read-content.ts';
import {
  toEventText,
  toNoticeText,
  toVenueText,
  useContentFolder,
} from '../fixtures/content-folder.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';

const content = useContentFolder({ is_empty: true });
const REPOSITORY = 'https://github.com/somebody/clubs';

/** Writes a file for each row, reads them all, and holds that each is refused as its row says. */
function expectFaults(
  folder: string,
  rows: readonly (readonly [what: string, text: string, message: string | null])[],
): void {
  for (const [n, [, text]] of rows.entries()) content.write(`${folder}/file-${n}.yml`, text);
  const faults = content.listFaults();
  for (const [n, [what, , message]] of rows.entries()) {
    const start = `${folder}/file-${n}.yml:`;
    if (message === null) expect(faults, what).not.toContain(start);
    else expect(faults, what).toContain(`${start}${message}`);
  }
}
const toRows = (
  toText: (fields: Readonly<Record<string, string>>) => string,
  rows: readonly (readonly [field: string, value: string, message: string])[],
) =>
  rows.map(
    ([field, value, message]) =>
      [`${field}: ${value}`, toText({ [field]: value }), message] as const,
  );

describe('a file', () => {
  const toBomb = (): string =>
    ['b a', 'c b', 'd c', 'e d', 'f e']
      .map((two) => two.split(' '))
      .map(([name, of]) => `${name}: &${name} [${Array(8).fill(`*${of}`).join(', ')}]`)
      .join('\n');
  const bomb = `${toEventText()}a: &a [x, x, x, x, x, x, x, x]\n${toBomb()}\n`;
  test.each<[file: string, text: string | Buffer, message: RegExp]>([
    ['canción.txt', 'hola', /canción\.txt is not read: a file here is named in lower-case/],
    ['latin.yml', Buffer.from('\n# canción', 'latin1'), /latin\.yml:2 is not UTF-8/],
    ['rota.yml', 'title: { es: "sin cerrar\n', /rota\.yml:\d+ is not YAML/],
    ['larga.yml', `# ${'x'.repeat(256 * 1024)}`, /larga\.yml has more than 262144 bytes/],
    ['bomba.yml', bomb, /bomba\.yml:\d+ repeats more by aliases/],
  ])('%s is refused', (file, text, message) => {
    content.write(`events/${file}`, text);
    expect(content.read).toThrow(message);
  });

  test('is told of all its faults beside those of the others', () => {
    content.write('events/charla.yml', toEventText({ category: 'techno', confidencia: 'x' }));
    content.write('venues/malecon-inventado.yml', 'name: Sin nada\nlat: 200\n');
    const faults = content.listFaults();
    for (const line of [
      'faults; nothing was built',
      'events/charla.yml:3 category: must be one of live-music, party',
      'events/charla.yml:8 confidencia: is not a field',
      'venues/malecon-inventado.yml:1 confidence: is missing',
      'venues/malecon-inventado.yml:2 lat: must be 90 or less',
    ])
      expect(faults).toContain(line);
  });
});

test('an event', () => {
  const adult = '{ visitor: adult, amount: 250 }';
  const when = (rule: string, message: string) =>
    ['when', `[{ ${rule} }]`, `5 when${message}`] as const;
  const visitors = (list: string, message: string) =>
    ['price', `{ visitors: [${list}] }`, `4 price.visitors${message}`] as const;
  const rows = toRows(toEventText, [
    ['title', '{ es: Charla }', '1 title.en: is missing'],
    ['title', '{ es: Charla, en: "T\u202ealk" }', '1 title.en: must be one line'],
    ['venue', 'la-luna', "8 venue: 'la-luna' is not there: no file venues/la-luna.yml"],
    ['ticket_url', '"javascript:alert(1)"', '8 ticket_url: must be an address'],
    ['sources', '[{ checked: 2999-12-24 }]', '6 sources[0].checked: 2999-12-24 is in the future'],
    [
      'sources',
      '[{ published: 2999-11-28, checked: 2026-11-20 }]',
      '6 sources[0].published: 2999-11-28 is in the future',
    ],
    [
      'changes',
      '[{ date: 2026-12-02, status: cancelled }]',
      '8 changes[0].date: 2026-12-02 is not a day on which',
    ],
    when('dates: [2026-12-01], start: "25:00"', '[0].start: must be a time from 00:00 to 23:59'),
    when('dates: [2026-02-30]', '[0].dates[0]: must be a day that exists'),
    when('rrule: FREQ=DAILY', '[0]: must have since'),
    when('dates: [2026-12-01], easter: 1', '[0]: must have exactly one of'),
    when('dates: [2026-12-01], end: "18:00"', '[0]: has an end but no start'),
    when('rrule: EVERY SUNDAY, since: 2026-01-01', '[0].rrule: is not a rule of RFC 5545'),
    when('rrule: FREQ=DAILY, since: 2026-12-02, until: 2026-12-01', '[0].until: is before since'),
    when('rrule: FREQ=DAILY, since: 2040-01-01', ': gives no day at all'),
    when('rrule: FREQ=DAILY, since: 2026-12-01, term: true', '[0].term: needs the terms of'),
    when('dates: [2026-12-01], hour: unknown, start: "18:00"', '[0]: has a start, so its hour is'),
    when(
      'dates: [2026-12-01], hour: unknown, note: { es: Horario por confirmar., en: Later. }',
      '[0].note: says only that the hour is not known',
    ),
    ['price', 'gratis', '4 price: must be free, unknown, or have min, max'],
    ['price', '{ min: 900, max: 350 }', '4 price.min: is above max: swap them'],
    ['price', '{ max: -1 }', '4 price.max: must be 0 or more'],
    visitors(`${adult}, { visitor: child, amount: -5 }`, '[1].amount: must be 0 or more'),
    visitors('', ': must have at least one kind of visitor'),
    visitors(`${adult}, { visitor: child, amount: 5, currency: USD }`, ': must be in one currency'),
    ['price', `{ min: 5, visitors: [${adult}] }`, '4 price.min: follows from visitors'],
  ]);
  const club = (sources: string, more: Readonly<Record<string, string>> = {}) =>
    toEventText({ category: 'party', tags: '[antro]', sources: `[${sources}]`, ...more });
  const by = (url: string): string => `{ url: "${url}", checked: 2026-11-20 }`;
  const PAGE = by('https://club.example/hours');
  expectFaults('events', [
    ...rows,
    ['one of an address', toEventText({ slug: '{ es: feria, en: one }' }), null],
    [
      'another of that address',
      toEventText({ slug: '{ es: feria, en: other }' }),
      `8 slug: 'feria' is also the address of events/file-${rows.length}.yml`,
    ],
    // A repository may speak for a meeting of those who write it, and for no nightclub.
    ['a repository of clubs', club(by(REPOSITORY)), '6 sources[0].url: is a repository'],
    ['one that is named', club(PAGE, { source_url: REPOSITORY }), '9 source_url: is a repository'],
    ['a page of a club', club(PAGE, { slug: '{ es: antro, en: club }' }), null],
    [
      'a repository of meetings',
      toEventText({
        slug: '{ es: junta, en: meeting }',
        sources: `[${by(REPOSITORY)}]`,
        source_url: REPOSITORY,
      }),
      null,
    ],
  ]);
});

test('a venue', () => {
  const hours = (rule: string, message: string, more = '') =>
    ['hours', `{ rules: [{ ${rule} }]${more} }`, `5 hours.${message}`] as const;
  const open = (from: string, to: string) => `days: [mo], open: "${from}", close: "${to}"`;
  const FRIDAYS = '{ rules: [{ days: [fr], open: "22:00" }] }';
  const by = (...urls: readonly string[]): string =>
    `[${urls.map((url) => `{ url: "${url}", checked: 2026-11-20 }`).join(', ')}]`;
  const RAW = by('https://raw.githubusercontent.com/a/b', 'https://club.example/hours');
  expectFaults('venues', [
    ...toRows(toVenueText, [
      hours('days: [mo], close: "09:00"', 'rules[0].close: needs an open'),
      hours(open('09:00', '09:00'), 'rules[0].close: must not be the hour of open'),
      hours(
        `${open('09:00', '17:00')}, last_entry: "17:30"`,
        'rules[0].last_entry: must be between open and close',
      ),
      hours(
        `${open('20:00', '02:00')}, last_entry: "03:00"`,
        'rules[0].last_entry: must be between',
      ),
      hours(
        'days: [mo], since: 2026-12-01, until: 2026-11-01',
        'rules[0].until: must not be before since',
      ),
      hours(
        `${open('09:00', '13:00')} }, { ${open('12:00', '14:00')}`,
        'rules[1]: overlaps the hours of rules[0] on the same day',
      ),
      hours('days: [mo, mo]', 'rules[0].days: names a day twice'),
      hours(
        'days: [mo]',
        "closed_on[1]: 'navidad' is no holiday: it must be one of new-year",
        ', closed_on: [christmas, navidad]',
      ),
      hours(
        'days: [mo]',
        'exceptions: names a date twice',
        ', exceptions: [{ date: 2026-12-24 }, { date: 2026-12-24 }]',
      ),
      ['admission', '[{ visitor: adult, amount: -5 }]', '5 admission[0].amount: must be 0 or more'],
      ['open_place', 'true', '1 must have hours where it is an open_place'],
      ['lat', '21', '1 must have both lat and lng, or neither'],
    ]),
    [
      'a point of nobody',
      toVenueText({ lat: '21', lng: '-86' }),
      '1 must name coordinates_source where it has lat and lng',
    ],
    ['no hours', toVenueText({ sources: by(REPOSITORY), name: 'Bar Uno' }), null],
    [
      'hours of a repository',
      toVenueText({ sources: by(REPOSITORY), hours: FRIDAYS }),
      '5 hours: speak from what is a repository',
    ],
    ['hours of a page', toVenueText({ sources: RAW, hours: FRIDAYS, name: 'Bar Dos' }), null],
  ]);
});

test('a notice', () => {
  expectFaults(
    'notices',
    toRows(toNoticeText, [
      ['bulletin', '2999-11-23', '8 bulletin: 2999-11-23 is in the future'],
      ['bulletin', 'ayer', '8 bulletin: must be a day that exists'],
      ['season', 'true', '1 must have season_name where it is a season'],
      ['short', 'nortes', '8 short: must have es and en'],
    ]),
  );
});

describe('the calendar', () => {
  const SOURCE = 'sources: [{ name: "Bank", checked: 2026-11-20 }]';
  const term = (days: string) => `terms: [{ first: 2026-08-31, ${days}, ${SOURCE} }]\nlinks:`;
  const written = readFileSync(join(FIXTURE_DIR, 'calendar.yml'), 'utf8');
  test.each([
    ['day: 25 }', 'day: 32 }', '40 holidays[5].rule.day: must be 31 or less'],
    ['month: 12, day: 25', 'month: 2, day: 30', '40 holidays[5].rule: must be a day that every'],
    ['nth: 3', 'nth: 5', '19 holidays[2].rule.nth: must be 4 or less'],
    ['easter: -2', 'easter: -2, month: 1', '13 holidays[1].rule'],
    ['closes: [banks]', 'closes: [beaches]', '12 holidays[1].closes[0]: must be one of banks'],
    [SOURCE, 'sources: []', '14 holidays[1].sources: must name at least one source'],
    ['url: https://example.com/sargazo', 'url: sargazo', '46 links[0].url: must be an address'],
    ['links:', term('last: 2026-08-30'), '42 terms[0].last: must not be before'],
    [
      'links:',
      term('last: 2027-07-15, breaks: [{ first: 2026-12-14, last: 2026-12-01 }]'),
      '42 terms[0].breaks[0].last: must not be before',
    ],
    ['links:', 'terms: [{ first: 2026-08-31, last: 2027-07-15 }]\nlinks:', '42 terms[0].sources'],
  ])('with %s for %s is refused', (from, to, message) => {
    expect(written).toContain(from);
    const { issues } = parseContentFile('calendar.yml', written.replace(from, to), CalendarSchema);
    expect(issues.map(formatIssue).join('\n')).toContain(`calendar.yml:${message}`);
  });
  test('names a holiday once, and has to be there', () => {
    content.replace('calendar.yml', 'key: good-friday', 'key: new-year');
    expect(content.read).toThrow("calendar.yml:9 holidays[1].key: 'new-year' stands there before");
    content.remove('calendar.yml');
    expect(content.read).toThrow('calendar.yml is missing');
  });
});
