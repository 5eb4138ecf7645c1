// What a file of content may say: every fault is named with its file, line and field, all at once.
import { describe, expect, test } from 'vitest';
import {
  toEventText,
  toNoticeText,
  toVenueText,
  useContentFolder,
} from '../fixtures/content-folder.ts';

const content = useContentFolder();
const REPOSITORY = 'https://github.com/somebody/clubs';
const toBomb = (): string =>
  ['b a', 'c b', 'd c', 'e d', 'f e']
    .map((two) => two.split(' '))
    .map(([name, of]) => `${name}: &${name} [${Array(8).fill(`*${of}`).join(', ')}]`)
    .join('\n');

test('every fault is said at once', () => {
  const when = '[{ dates: [2026-12-01], start: "25:00" }]';
  content.write('events/charla.yml', toEventText({ category: 'techno', when, confidencia: 'x' }));
  content.write('venues/malecon-inventado.yml', 'name: Sin nada\nlat: 200\n');
  let message = '';
  try {
    content.read();
  } catch (error) {
    message = String(error);
  }
  for (const line of [
    'faults; nothing was built',
    'events/charla.yml:3 category: must be one of live-music, party',
    'events/charla.yml:5 when[0].start: must be a time from 00:00 to 23:59, as "19:30"',
    'events/charla.yml:8 confidencia: is not a field',
    'venues/malecon-inventado.yml:1 confidence: is missing',
    'venues/malecon-inventado.yml:2 lat: must be 90 or less',
    'venues/malecon-inventado.yml:1 locality: is missing',
  ])
    expect(message).toContain(line);
});

describe('a file', () => {
  test.each<[file: string, text: string | Buffer, message: RegExp]>([
    [
      'events/canción.txt',
      'hola',
      /events\/canción\.txt is not read: a file here is named in lower-case/,
    ],
    [
      'events/latin.yml',
      Buffer.from(toEventText({ summary: '{ es: canción, en: song }' }), 'latin1'),
      /latin\.yml:2 is not UTF-8, perhaps Latin-1/,
    ],
    ['events/rota.yml', 'title: { es: "sin cerrar\n', /rota\.yml:\d+ is not YAML/],
    ['events/larga.yml', `# ${'x'.repeat(256 * 1024)}`, /larga\.yml has more than 262144 bytes/],
    [
      'events/bomba.yml',
      `${toEventText()}a: &a [x, x, x, x, x, x, x, x]\n${toBomb()}\n`,
      /bomba\.yml:\d+ repeats more by aliases/,
    ],
  ])('%s is refused', (file, text, message) => {
    content.write(file, text);
    expect(content.read).toThrow(message);
  });
});

const days = (rule: string): string => `[{ ${rule} }]`;
const adult = '{ visitor: adult, amount: 250 }';

describe('an event', () => {
  test.each([
    ['title', '{ es: Charla }', '1 title.en: is missing'],
    ['title', '{ es: Charla, en: "T\u202ealk" }', '1 title.en: must be one line'],
    ['venue', 'la-luna', "8 venue: 'la-luna' is not there: no file venues/la-luna.yml"],
    ['ticket_url', '"javascript:alert(1)"', '8 ticket_url: must be an address'],
    ['shelf', 'forever', '8 shelf: must be one of club, price, weekly, annual, feast'],
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
    ['when', days('dates: [2026-02-30]'), '5 when[0].dates[0]: must be a day that exists'],
    ['when', days('rrule: FREQ=DAILY'), '5 when[0]: must have since'],
    ['when', days('dates: [2026-12-01], easter: 1'), '5 when[0]: must have exactly one of'],
    ['when', days('dates: [2026-12-01], end: "18:00"'), '5 when[0]: has an end but no start'],
    [
      'when',
      days('rrule: EVERY SUNDAY, since: 2026-01-01'),
      '5 when[0].rrule: is not a rule of RFC 5545',
    ],
    [
      'when',
      days('rrule: FREQ=DAILY, since: 2026-12-02, until: 2026-12-01'),
      '5 when[0].until: is before since',
    ],
    ['when', days('rrule: FREQ=DAILY, since: 2040-01-01'), '5 when: gives no day at all'],
    [
      'when',
      days('rrule: FREQ=DAILY, since: 2026-12-01, term: true'),
      '5 when[0].term: needs the terms of the school year in calendar.yml',
    ],
    ['when', days('dates: [2026-12-01], hour: later'), '5 when[0].hour: must be unknown'],
    [
      'when',
      days('dates: [2026-12-01], hour: unknown, start: "18:00"'),
      '5 when[0]: has a start, so its hour is known',
    ],
    [
      'when',
      days('dates: [2026-12-01], hour: unknown, note: { es: Horario por confirmar., en: Later. }'),
      '5 when[0].note: says only that the hour is not known',
    ],
    ['price', 'gratis', '4 price: must be free, unknown, or have min, max'],
    ['price', '350', '4 price: must be free, unknown, or have min, max'],
    ['price', '{ min: 900, max: 350 }', '4 price.min: is above max: swap them'],
    ['price', '{ min: mucho }', '4 price.min: must be a number'],
    ['price', '{ max: -1 }', '4 price.max: must be 0 or more'],
    ['price', '{ from: 5 }', '4 price.from: is not a field of this kind of file'],
    [
      'price',
      '{ visitors: [{ visitor: martian, amount: 5 }] }',
      '4 price.visitors[0].visitor: must be one of everyone, national',
    ],
    [
      'price',
      `{ visitors: [${adult}, { visitor: child, amount: -5 }] }`,
      '4 price.visitors[1].amount: must be 0 or more',
    ],
    ['price', '{ visitors: [] }', '4 price.visitors: must have at least one kind of visitor'],
    ['price', `{ min: 5, visitors: [${adult}] }`, '4 price.min: follows from visitors'],
    ['price', `{ max: 5, visitors: [${adult}] }`, '4 price.max: follows from visitors'],
    ['price', `{ currency: USD, visitors: [${adult}] }`, '4 price.currency: follows from visitors'],
    [
      'price',
      `{ visitors: [${adult}, { visitor: child, amount: 5, currency: USD }] }`,
      '4 price.visitors: must be in one currency',
    ],
  ])('with %s: %s is refused', (field, value, message) => {
    content.write('events/charla.yml', toEventText({ [field]: value }));
    expect(content.read).toThrow(`events/charla.yml:${message}`);
  });
});

test('two events of one address are named', () => {
  content.write('events/charla.yml', toEventText({ slug: '{ es: feria-diaria, en: talk }' }));
  expect(content.read).toThrow(/slug: 'feria-diaria' is also the address of events\/charla\.yml/);
});

const hours = (rule: string, more = ''): string => `{ rules: [{ ${rule} }]${more} }`;
const NIGHT = 'days: [mo], open: "20:00", close: "02:00"';

describe('a venue', () => {
  test.each([
    ['hours', hours('days: [mo], open: "25:00"'), 'hours.rules[0].open: must be a time from'],
    ['hours', hours('days: [mo], close: "09:00"'), 'hours.rules[0].close: needs an open'],
    [
      'hours',
      hours('days: [mo], open: "09:00", close: "09:00"'),
      'hours.rules[0].close: must not be the hour of open',
    ],
    [
      'hours',
      hours('days: [mo], open: "09:00", close: "17:00", last_entry: "17:30"'),
      'hours.rules[0].last_entry: must be between open and close',
    ],
    ['hours', hours(`${NIGHT}, last_entry: "03:00"`), 'hours.rules[0].last_entry: must be between'],
    [
      'hours',
      hours('days: [mo], since: 2026-12-01, until: 2026-11-01'),
      'hours.rules[0].until: must not be before since',
    ],
    [
      'hours',
      hours('days: [mo, tu], open: "09:00", close: "13:00" }, { days: [tu], open: "12:00"'),
      'hours.rules[1]: overlaps the hours of rules[0] on the same day',
    ],
    ['hours', hours('days: [mo, mo]'), 'hours.rules[0].days: names a day twice'],
    ['hours', hours('days: [lunes]'), 'hours.rules[0].days[0]: must be one of mo'],
    [
      'hours',
      hours('days: [mo]', ', closed_on: [christmas, navidad]'),
      "hours.closed_on[1]: 'navidad' is no holiday: it must be one of new-year",
    ],
    [
      'hours',
      hours('days: [mo]', ', exceptions: [{ date: 2026-12-24 }, { date: 2026-12-24 }]'),
      'hours.exceptions: names a date twice',
    ],
    ['admission', '[{ visitor: martian, amount: 5 }]', 'admission[0].visitor: must be one of'],
    ['admission', '[{ visitor: adult, amount: -5 }]', 'admission[0].amount: must be 0 or more'],
  ])('with %s: %s is refused', (field, value, message) => {
    content.write('venues/museo.yml', toVenueText({ [field]: value }));
    expect(content.read).toThrow(`venues/museo.yml:5 ${message}`);
  });
  test.each([
    [{ open_place: 'true' }, 'must have hours where it is an open_place'],
    [{ lat: '21' }, 'must have both lat and lng, or neither'],
    [{ lat: '21', lng: '-86' }, 'must name coordinates_source where it has lat and lng'],
  ])('with %j is refused', (fields, message) => {
    content.write('venues/museo.yml', toVenueText(fields));
    expect(content.read).toThrow(message);
  });
});

describe('a notice', () => {
  test.each([
    ['bulletin', '2999-11-23', '8 bulletin: 2999-11-23 is in the future'],
    ['bulletin', 'ayer', '8 bulletin: must be a day that exists'],
    ['season', 'a veces', '8 season: must be true or false'],
    ['season', 'true', '1 must have season_name where it is a season'],
    ['short', 'nortes', '8 short: must have es and en'],
  ])('with %s: %s is refused', (field, value, message) => {
    content.write('notices/antorchas.yml', toNoticeText({ [field]: value }));
    expect(content.read).toThrow(`notices/antorchas.yml:${message}`);
  });
});

describe('the calendar', () => {
  const SOURCE = 'sources: [{ name: "Bank", checked: 2026-11-20 }]';
  const toTerms = (term: string) => `terms: [{ first: 2026-08-31, ${term}, ${SOURCE} }]\nlinks:`;
  test.each([
    ['day: 25 }', 'day: 32 }', '40 holidays[5].rule.day: must be 31 or less'],
    [
      'month: 12, day: 25',
      'month: 2, day: 30',
      '40 holidays[5].rule: must be a day that every year has',
    ],
    ['nth: 3', 'nth: 5', '19 holidays[2].rule.nth: must be 4 or less'],
    ['easter: -2', 'easter: -2, month: 1', '13 holidays[1].rule'],
    ['closes: [banks]', 'closes: [beaches]', '12 holidays[1].closes[0]: must be one of banks'],
    ['kind: bank', 'kind: party', '11 holidays[1].kind: must be one of statutory'],
    [SOURCE, 'sources: []', '14 holidays[1].sources: must name at least one source'],
    ['key: good-friday', 'key: new-year', "9 holidays[1].key: 'new-year' stands there before"],
    ['url: https://example.com/sargazo', 'url: sargazo', '46 links[0].url: must be an address'],
    ['topic: sargassum', 'topic: jellyfish', '43 links[0].topic: must be one of sargassum'],
    ['links:', toTerms('last: 2026-08-30'), '42 terms[0].last: must not be before'],
    [
      'links:',
      toTerms('last: 2027-07-15, breaks: [{ first: 2026-12-14, last: 2026-12-01 }]'),
      '42 terms[0].breaks[0].last: must not be before',
    ],
    ['links:', 'terms: [{ first: 2026-08-31, last: 2027-07-15 }]\nlinks:', '42 terms[0].sources'],
  ])('with %s for %s is refused', (from, to, message) => {
    content.replace('calendar.yml', from, to);
    expect(content.read).toThrow(`calendar.yml:${message}`);
  });
  test('that is missing is told', () => {
    content.remove('calendar.yml');
    expect(content.read).toThrow('calendar.yml is missing');
  });
});

describe('what speaks for a fact', () => {
  const NIGHT_OUT = { category: 'party', tags: '[antro]' };
  const by = (...urls: readonly string[]): string =>
    `[${urls.map((url) => `{ url: "${url}", checked: 2026-11-20 }`).join(', ')}]`;
  const PAGE = 'https://club.example/hours';
  test.each<[fields: Readonly<Record<string, string>>, message: string | null]>([
    [{ ...NIGHT_OUT, sources: by(REPOSITORY) }, '6 sources[0].url: is a repository'],
    [{ ...NIGHT_OUT, sources: by(PAGE), source_url: REPOSITORY }, '9 source_url: is a repository'],
    [{ ...NIGHT_OUT, sources: by(PAGE) }, null],
    // A meeting of those who write it.
    [{ sources: by(REPOSITORY), source_url: REPOSITORY }, null],
  ])('is no repository where it is a nightclub: %j', (fields, message) => {
    content.write('events/charla.yml', toEventText(fields));
    if (message === null) expect(content.read).not.toThrow();
    else expect(content.read).toThrow(`events/charla.yml:${message}`);
  });
  test.each([
    [by(REPOSITORY), undefined, true],
    [by(REPOSITORY), hours('days: [fr], open: "22:00"'), false],
    [by('https://raw.githubusercontent.com/a/b', PAGE), hours('days: [fr], open: "22:00"'), true],
  ])('of the hours of a place is more than a repository: %s, %s', (sources, said, is_good) => {
    content.write('venues/bar.yml', toVenueText({ sources, hours: said }));
    if (is_good) expect(content.read).not.toThrow();
    else expect(content.read).toThrow('venues/bar.yml:5 hours: speak from what is a repository');
  });
});
