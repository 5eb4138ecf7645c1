// What may be sent in: both sides of every edge, every fault at once, by field.
import { describe, expect, test } from 'vitest';
import { findByName } from '../../../src/domain/place-names.ts';
import { readSubmission } from '../../../src/domain/submission/read-submission.ts';
import { SUBMISSION_LIMITS, SUBMISSION_RULES } from '../../../src/domain/submission/rules.ts';
import {
  SUBMISSION_FIELDS,
  SUBMISSION_FIELD_NAMES,
} from '../../../src/domain/submission/fields.ts';
import en from '../../../src/i18n/en.json' with { type: 'json' };
import es from '../../../src/i18n/es.json' with { type: 'json' };
import { FRIDAY_NOON_MS, readFixture } from '../../fixtures/fixture.ts';

const { taxonomy } = readFixture();
const TOWN = {
  taxonomy,
  findVenue: (slug: string) => (slug === 'malecon-inventado' ? 've_0123456789' : null),
  findVenueByName: (name: string) =>
    findByName([{ name: 'Parque de Las Palapas' }], name) && 've_palapas',
};
const GOOD = {
  title: 'Noche de jazz',
  description: 'Concierto al aire libre con cuatro grupos.',
  category: 'live-music',
  start: '2026-12-05T20:00',
  venue: 'malecon-inventado',
};

const read = (more: Record<string, string | undefined>) =>
  readSubmission(
    Object.fromEntries(
      Object.entries({ ...GOOD, ...more }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
    TOWN,
    FRIDAY_NOON_MS,
  );
const rules = (more: Record<string, string | undefined>) =>
  read(more).issues.map(({ field, rule }) => `${field} ${rule}`);
/** What is kept; fails where something is wrong. */
function kept(more: Record<string, string | undefined>) {
  const { submission, issues } = read(more);
  expect(issues).toEqual([]);
  if (submission === null) throw new Error('refused');
  return submission;
}

describe('fields', () => {
  test.each([
    [{ title: 'ab' }, ['title too_short']],
    [{ title: 'abc' }, []],
    [{ title: 'x'.repeat(160) }, []],
    [{ title: 'x'.repeat(161) }, ['title too_long']],
    [{ title: undefined }, ['title missing']],
    [{ title: '\u200b\u202e' }, ['title missing', 'title too_short']],
    [{ title: '\u2800\u2800\u2800' }, ['title missing', 'title too_short']],
    [{ title: '\u{1d173}x\u{1d174}y' }, ['title too_short']],
    [{ title: '——— !!!' }, ['title missing']],
    [{ title: '¡20!' }, []],
    [{ description: '. '.repeat(30) }, ['description missing']],
    [{ venue: undefined, venue_name: '···' }, ['venue_name missing']],
    [{ organizer_name: '\u0301\u0301' }, ['organizer_name missing']],
    ...[
      'http://127.0.0.1/x',
      'http://0x7f.1/',
      'https://[::1]/',
      'http://localhost:4321/',
      'https://router.local/',
      'https://banco.example@evil.example/',
      'https://intranet/',
      'https://2130706433/',
    ].map((ticket_url): [Record<string, string>, string[]] => [
      { ticket_url },
      ['ticket_url not_address'],
    ]),
    [{ ticket_url: 'https://cancún.example/ñ?a=1#b' }, []],
    [{ ticket_url: 'https://xn--cancn-0sa.example./' }, []],
    [{ ticket_url: 'javascript:alert(1)//https://a.example' }, ['ticket_url not_address']],
    [{ ticket_url: 'data:text/html,x' }, ['ticket_url not_address']],
    [{ description: 'x'.repeat(19) }, ['description too_short']],
    [{ description: 'x'.repeat(4000) }, []],
    [{ description: 'x'.repeat(4001) }, ['description too_long']],
    [{ category: 'Música' }, ['category unknown_taxon']],
    [{ category: 'Música en vivo' }, []],
    [{ category: 'LIVE-MUSIC' }, []],
    [{ zone: 'nope' }, ['zone unknown_taxon']],
    [{ lang: 'fr' }, ['lang not_lang']],
    [{ venue: 'nope' }, ['venue unknown_venue']],
    [{ venue: undefined }, ['venue no_place']],
    [{ venue: undefined, venue_name: 'Parque' }, []],
    [{ price_min: '100', price_max: '99' }, ['price_max max_below_min']],
    [{ price_min: '100', price_max: '100' }, []],
    [{ price_min: '-1' }, ['price_min not_amount']],
    [{ price_min: '1000001' }, ['price_min not_amount']],
    [{ free: '1', price_min: '0' }, []],
    [{ free: '1', price_max: '5' }, ['free free_with_price']],
    [{ free: 'sí' }, ['free not_flag']],
    [{ free: 'on' }, []],
    [{ ticket_url: 'https://a.example/x' }, []],
    [{ ticket_url: 'ftp://a.example' }, ['ticket_url not_address']],
    [{ ticket_url: 'https://a b' }, ['ticket_url not_address']],
    [{ ticket_url: 'https://a.example/"><b>' }, ['ticket_url not_address']],
    [{ contact_email: 'a@b.mx' }, []],
    [{ contact_email: 'a@b' }, ['contact_email not_email']],
    // No letter could be sent there.
    [{ contact_email: 'ana@ñandú.mx' }, ['contact_email not_email']],
    [{ contact_email: 'a@b.mx\nBcc: c@d.mx' }, ['contact_email not_email']],
    [{ languages: 'es,en' }, []],
    [{ languages: 'español' }, ['languages not_codes']],
    [{ languages: Array(9).fill('es').join() }, ['languages too_many']],
    [{ publish: 'now' }, ['publish unknown_field']],
    [{ start: '2026-12-05', hour: 'unknown' }, []],
    [{ start: '2026-12-05', hour: '20:00' }, ['hour not_hour']],
    [{ hour: 'unknown' }, ['hour hour_and_time']],
    [{ start: '2026-12-05', end: '2026-12-06T03:00', hour: 'unknown' }, ['hour hour_and_time']],
    [{ hour: 'unknown', end: '2026-12-06' }, ['hour hour_and_time']],
    [{ start: '2026-12-05', hour: 'unknown', all_day: '1' }, ['hour hour_and_all_day']],
  ])('%o: %o', (more, expected) => expect(rules(more)).toEqual(expected));

  test('links are counted over all fields', () => {
    const links = {
      ticket_url: 'https://a.example',
      registration_url: 'https://b.example',
      image_url: 'https://c.example',
    };
    expect(
      rules({ ...links, description: 'Más en www.d.example y en http://e.example, de veras.' }),
    ).toEqual([]);
    expect(
      rules({
        ...links,
        description: 'Más en www.d.example, http://e.example y https://f.example',
      }),
    ).toEqual(['description too_many_links']);
  });
});

test('what is wrong between fields is said together with what is wrong with one of them', () => {
  expect(
    rules({
      title: 'ab',
      end: '2026-12-05T19:00',
      venue: undefined,
      price_min: '100',
      price_max: '99',
    }),
  ).toEqual(['title too_short', 'end ends_before', 'venue no_place', 'price_max max_below_min']);
  expect(rules({ start: 'mañana', end: '2026-12-05T19:00' })).toEqual(['start not_moment']);
  expect(rules({ venue: undefined, venue_name: 'x'.repeat(161) })).toEqual(['venue_name too_long']);
});

describe('what is only online', () => {
  const online = { venue: undefined, zone: undefined, venue_name: 'en linea' };
  test.each([
    [online, ['registration_url online_link']],
    [{ ...online, venue_name: 'Online' }, ['registration_url online_link']],
    [{ ...online, venue_name: 'Online Gaming' }, []],
    [{ ...online, registration_url: 'https://a.example' }, []],
    [{ ...online, ticket_url: 'https://a.example' }, []],
    [{ ...online, source_url: 'https://a.example' }, []],
    [{ ...online, organizer_url: 'https://a.example' }, ['registration_url online_link']],
    // With these it is a place of that name.
    [{ ...online, zone: 'downtown' }, []],
    [{ ...online, venue_address: 'Calle 1' }, []],
  ])('needs a link: %j', (more, expected) => expect(rules(more)).toEqual(expected));
});

describe('days', () => {
  test.each([
    ['2026-11-19', ['start past']],
    ['2026-11-20', []],
    ['2026-11-20T00:01', []],
    ['2028-11-19', []],
    ['2028-11-20', ['start too_far']],
    ['2026-02-30', ['start not_moment']],
    ['2026-12-05T24:00', ['start not_moment']],
    ['5 de diciembre', ['start not_moment']],
    ['2026-12-05T20:00:00-05:00', []],
    ['2026-12-05 20:00', []],
    ['2026-12-05T20:00Z', ['start not_moment']],
  ])('start %s: %o', (start, expected) => expect(rules({ start })).toEqual(expected));

  test.each([
    ['2026-12-05T20:00', ['end ends_before']],
    ['2026-12-05T20:01', []],
    ['2026-12-06T03:00', []],
    ['2026-12-05', ['end not_moment']],
  ])('end %s: %o', (end, expected) => expect(rules({ end })).toEqual(expected));

  test('a day alone is all day, and so is all_day whatever the hour', () => {
    expect(kept({ start: '2026-12-05', end: '2026-12-05' })).toMatchObject({
      all_day: true,
      start: '2026-12-05',
      end: '2026-12-05',
    });
    expect(kept({ all_day: 'on' })).toMatchObject({ all_day: true, start: '2026-12-05' });
  });

  test('a day whose hour nobody knows is not all day, and is the only one to say so', () => {
    expect(kept({ start: '2026-12-05', hour: 'unknown' })).toMatchObject({
      all_day: false,
      hour: 'unknown',
      start: '2026-12-05',
      end: null,
    });
    // What was stored before there was the field is known by the digest of its text.
    expect(kept({})).not.toHaveProperty('hour');
  });

  test('further days are sorted and told once; too many are refused', () => {
    expect(kept({ dates: '2026-12-19, 2026-12-12;2026-12-19' }).dates).toEqual([
      '2026-12-12',
      '2026-12-19',
    ]);
    expect(rules({ dates: '2026-12-12,2026-13-01' })).toEqual(['dates not_dates']);
    expect(
      rules({
        dates: Array(SUBMISSION_LIMITS.dates + 1)
          .fill('2026-12-12')
          .join(),
      }),
    ).toEqual(['dates too_many']);
  });
});

test('what is kept is clean: keys, the venue by its id, no hidden character', () => {
  expect(kept({ title: ' Noche\u200b  de\u202e jazz ', category: 'musica-en-vivo' })).toMatchObject(
    {
      title: 'Noche de jazz',
      category: 'live-music',
      venue: 've_0123456789',
      languages: ['es'],
      price: { is_free: false, min: null, max: null, note: null },
    },
  );
});

test('every field is described, and every rule has its sentence in both languages', () => {
  expect(SUBMISSION_FIELDS.map(({ name }) => name).sort()).toEqual(
    [...SUBMISSION_FIELD_NAMES].sort(),
  );
  for (const rule of SUBMISSION_RULES)
    for (const words of [es, en]) expect(words).toHaveProperty([`submission.issue.${rule}`]);
});

describe('the name of a place', () => {
  test.each([
    ['parque de las palapas', 've_palapas', null],
    ['PARQUE LAS PALAPÁS', 've_palapas', null],
    ['Las Palapas Park', 've_palapas', null],
    ['Las Palapas park, Cancún', 've_palapas', null],
    ['Palapas', null, 'Palapas'],
    ['Mercado de las Palapas', null, 'Mercado de las Palapas'],
    ['Parque de las Palapas 2', null, 'Parque de las Palapas 2'],
  ])('%s is a known one or a new one', (venue_name, venue, name) => {
    expect(kept({ venue: undefined, venue_name })).toMatchObject({ venue, venue_name: name });
  });
  test('that several have is nobody’s', () => {
    const two = [{ name: 'El Parque' }, { name: 'Parque' }];
    expect(findByName(two, 'parque')).toBeNull();
  });
  test.each([
    ['Museo Maya', 'Museo Maya de Cancún'],
    ['Cancun theater', 'Teatro de Cancún'],
    ['Market 28', 'Mercado 28'],
    ['Coco Bongo', 'Coco Bongo Cancún'],
    ['Parque', null],
    ['Cancún', null],
    ['Mercado 23', null],
  ])('%s, with the town or without it, in either language', (name, found) => {
    const names = [
      'Museo Maya de Cancún',
      'Teatro de Cancún',
      'Mercado 28',
      'Coco Bongo Cancún',
      'Parque Cancún',
    ];
    const known = findByName(
      names.map((each) => ({ name: each })),
      name,
    );
    expect(known?.name ?? null).toBe(found);
  });
  test('that stands as it is written comes before one that differs by the town', () => {
    const two = [
      { name: 'Teatro Cancún' },
      { name: 'Teatro' },
      { name: 'Foro' },
      { name: 'Foro Cancún' },
    ];
    expect(findByName(two, 'foro')?.name).toBe('Foro');
    expect(findByName(two, 'Foro, Cancún')?.name).toBe('Foro Cancún');
  });
  test('gives way to the venue that was chosen', () => {
    expect(kept({ venue_name: 'Parque de las Palapas' })).toMatchObject({
      venue: 've_0123456789',
      venue_name: 'Parque de las Palapas',
    });
  });
});
