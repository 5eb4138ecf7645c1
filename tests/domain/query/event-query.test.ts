// A query understood, refused with every fault by name, or read leniently and spelled in one way.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/domain/app-error.ts';
import {
  formatCursor,
  formatQuery,
  parseEventQuery,
  readLeniently,
} from '../../../src/domain/query/event-query.ts';
import { FRIDAY_NOON_MS, readTown } from '../../fixtures/fixture.ts';

const town = readTown();
const parse = (params: Record<string, string>, kind: 'list' | 'feed' = 'list') =>
  parseEventQuery(params, town, FRIDAY_NOON_MS, kind);
const refuse = (params: Record<string, string>, kind: 'list' | 'feed' = 'list'): string => {
  try {
    parse(params, kind);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_parameter') return error.message;
    throw error;
  }
  throw new Error('it was accepted');
};

describe('a question', () => {
  test('without anything asks for what is upcoming, fifty in Spanish', () => {
    const { filter, lang } = parse({});
    expect(lang).toBe('es');
    expect(filter).toMatchObject({
      range: null,
      categories: null,
      zones: null,
      free: false,
      family: false,
      near: null,
      words: null,
      limit: 50,
      after: null,
    });
  });
  test('of a feed covers today and sixty days, a thousand occurrences', () => {
    const { filter } = parse({}, 'feed');
    expect(`${filter.range?.from}..${filter.range?.to}`).toBe('2026-11-20..2027-01-19');
    expect(filter.limit).toBe(1000);
  });
  test.each([
    ['live-music', ['live-music']],
    ['MÚSICA-en-vivo', ['live-music']],
    ['musica-en-vivo', ['live-music']],
    ['party, familia ,party', ['family', 'party']],
    [',', null],
  ])('finds category %s', (category, keys) => {
    expect(parse({ category }).filter.categories).toEqual(keys);
  });
  test.each([
    ['Zona-Hotelera', ['hotel-zone']],
    ['isla-mujeres,centro', ['downtown', 'isla-mujeres']],
  ])('finds zone %s', (zone, keys) => {
    expect(parse({ zone }).filter.zones).toEqual(keys);
  });
  test.each([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false],
  ])('reads free=%s', (free, value) => {
    expect(parse({ free, family: free }).filter).toMatchObject({ free: value, family: value });
  });
  test.each([
    ['0.1', 0.1],
    ['50', 50],
    ['5', 5],
  ])('takes a radius of %s km', (radius_km, value) => {
    expect(parse({ near: '21.1,-86.8', radius_km }).filter.near).toEqual({
      lat: 21.1,
      lng: -86.8,
      radius_km: value,
    });
  });
  test.each(['0.1', '50'])('minds no radius of %s without a point', (radius_km) => {
    expect(parse({ radius_km }).filter.near).toBeNull();
  });
  test.each([
    ['malecon-inventado', 'Malecón Inventado'],
    ['Malec%C3%B3n-Inventado', 'Malecón Inventado'],
  ])('finds the venue %s', (venue, name) => {
    expect(parse({ venue: decodeURIComponent(venue) }).filter.venue).toMatchObject({ name });
  });
  test.each([
    ['0', 0],
    ['99.5', 99.5],
    ['100000', 100_000],
  ])('reads price_max=%s', (price_max, value) => {
    expect(parse({ price_max, status: 'postponed' }).filter).toMatchObject({
      price_max: value,
      status: 'postponed',
    });
  });
  test.each([
    ['1', 'list', 1],
    ['200', 'list', 200],
    ['1000', 'feed', 1000],
  ] as const)('takes a limit of %s in a %s', (limit, kind, value) => {
    expect(parse({ limit }, kind).filter.limit).toBe(value);
  });
  test('takes a hundred characters of q, and no more', () => {
    expect(parse({ q: 'ñ'.repeat(100) }).filter.words).toEqual(['n'.repeat(100)]);
    expect(refuse({ q: 'ñ'.repeat(101) })).toBe('q: has 101 characters. At most 100 are accepted');
  });
  test('goes on from its own cursor at the instant of the first page', () => {
    const cursor = { now_ms: FRIDAY_NOON_MS - 600_000, start_ms: FRIDAY_NOON_MS, id: 'ev_abc' };
    const { filter } = parse({ cursor: formatCursor(cursor) });
    expect(filter.after).toEqual(cursor);
    expect(filter.now_ms).toBe(cursor.now_ms);
  });
});

describe('a wrong question', () => {
  test.each([
    [
      { category: 'salsa' },
      /^category: 'salsa' is not known\. Use one or several of live-music, party, /,
    ],
    [{ zone: 'tulum' }, /^zone: 'tulum' is not known\. Use one or several of hotel-zone, /],
    [{ free: 'yes' }, /^free: 'yes' is not accepted\. Use 1, true, 0 or false$/],
    [{ near: '21.1 -86.8' }, /^near: .* Write lat,lng in degrees/],
    [{ near: '91,0' }, /^near: 91,0 is not on the globe/],
    [{ near: '0,-180.1' }, /^near: 0,-180.1 is not on the globe/],
    [
      { near: '21.1,-86.8', radius_km: '0' },
      /^radius_km: '0' is not accepted\. Use a number above 0, at most 50$/,
    ],
    [{ near: '21.1,-86.8', radius_km: '50.01' }, /^radius_km:/],
    [{ near: '21.1,-86.8', radius_km: '1e1' }, /^radius_km:/],
    [{ radius_km: '0' }, /^radius_km:/],
    [{ radius_km: '51' }, /^radius_km:/],
    [{ radius_km: 'x' }, /^radius_km:/],
    [{ radius_km: '-1' }, /^radius_km:/],
    [
      { status: 'canceled' },
      /^status: 'canceled' is not accepted\. Use published, cancelled, postponed$/,
    ],
    [{ price_max: '-1' }, /^price_max:/],
    [{ price_max: '100001' }, /^price_max:/],
    [{ price_max: '$5' }, /^price_max:/],
    [{ price_max: '1e2' }, /^price_max:/],
    [{ venue: 'x' }, /^venue: 'x' is not known\. .*\/api\/v1\/venues$/],
    [{ organizer: 'malecon-inventado' }, /^organizer: .*\/api\/v1\/organizers$/],
    [{ lang: 'fr' }, /^lang: 'fr' is not accepted\. Use es or en$/],
    [{ limit: '0' }, /^limit: '0' is not accepted\. Use a whole number from 1 to 200$/],
    [{ limit: '201' }, /^limit:/],
    [{ limit: '1.5' }, /^limit:/],
    [{ cursor: 'bm8' }, /^cursor: is not one of ours/],
  ])('%j is refused by name', (params, message) => {
    expect(refuse(params)).toMatch(message);
  });
  test('with several faults hears of all of them in one message', () => {
    const message = refuse({
      date: 'someday',
      from: '2026-02-30',
      category: 'x',
      limit: '999',
      lang: 'de',
    });
    for (const name of ['date:', 'from:', 'category:', 'limit:', 'lang:'])
      expect(message).toContain(name);
  });
  test('of a feed hears of its own limit', () => {
    expect(refuse({ limit: '1001' }, 'feed')).toBe(
      "limit: '1001' is not accepted. Use a whole number from 1 to 1000",
    );
  });
});

const spell = (query: string, lang: 'es' | 'en' = 'es') => {
  const params = Object.fromEntries(new URLSearchParams(query));
  const { filter, texts, left_out } = readLeniently(params, town, FRIDAY_NOON_MS);
  return {
    spelled: new URLSearchParams(formatQuery(filter, texts, town.taxonomy, lang)).toString(),
    left_out: left_out.map(({ name, value }) => `${name}=${value}`),
  };
};

describe('a query that is understood', () => {
  test.each([
    ['', 'es', ''],
    ['zone=Isla-Mujeres&free=true', 'es', 'zone=isla-mujeres&free=1'],
    ['category=live-music', 'es', 'category=musica-en-vivo'],
    ['category=musica-en-vivo', 'en', 'category=live-music'],
    ['free=0&family=false', 'es', ''],
    ['q=+jazz++noche+', 'es', 'q=jazz+noche'],
    ['near=21.1,-86.8&radius_km=5', 'es', 'near=21.1%2C-86.8'],
    ['near=21.1,-86.8&radius_km=3', 'es', 'near=21.1%2C-86.8&radius_km=3'],
    ['radius_km=3', 'es', ''],
    ['limit=50', 'es', ''],
    ['venue=malecon-inventado&price_max=50', 'es', 'price_max=50&venue=malecon-inventado'],
    ['limit=20&date=weekend', 'es', 'date=weekend&limit=20'],
    ['from=2026-11-21&to=2026-11-30', 'en', 'from=2026-11-21&to=2026-11-30'],
  ] as const)('%s in %s is spelled %s', (query, lang, spelled) => {
    expect(spell(query, lang)).toEqual({ spelled, left_out: [] });
  });
});

describe('what is not understood', () => {
  test.each([
    ['zone=atlantis', '', ['zone=atlantis']],
    ['venue=atlantis&radius_km=51', '', ['radius_km=51', 'venue=atlantis']],
    ['zone=atlantis,centro,lemuria', 'zone=centro', ['zone=atlantis, lemuria']],
    ['free=si&family=1', 'family=1', ['free=si']],
    ['date=2026-02-30&free=1', 'free=1', ['date=2026-02-30']],
    ['from=2026-12-01&to=2026-11-21', 'to=2026-11-21', ['from=2026-12-01']],
    ['to=2020-01-01', '', ['to=2020-01-01']],
    ['from=2026-11-21&to=2027-11-21', 'from=2026-11-21', ['to=2027-11-21']],
    ['near=cancun', '', ['near=cancun']],
    ['near=21.1,-86.8&radius_km=500', 'near=21.1%2C-86.8', ['radius_km=500']],
    [`q=${'a'.repeat(101)}`, '', [`q=${'a'.repeat(101)}`]],
    ['limit=0', '', ['limit=0']],
    ['cursor=nada&free=1', 'free=1', ['cursor=nada']],
  ])('%s leaves %s', (query, spelled, left_out) => {
    expect(spell(query)).toEqual({ spelled, left_out });
  });
});
