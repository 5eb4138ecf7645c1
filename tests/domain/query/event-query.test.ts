// Event queries: parsed, rejected with every issue, or parsed leniently and formatted in one canonical way.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/domain/app-error.ts';
import {
  formatQuery,
  parseEventQuery,
  parseQueryLeniently,
} from '../../../src/domain/query/event-query.ts';
import { toLocalDay } from '../../../src/domain/local-time.ts';
import { FRIDAY_NOON_MS, createQueryLookups } from '../../fixtures/fixture.ts';

const town = createQueryLookups();
type Params = Readonly<Record<string, string>>;
const parse = (params: Params, kind: 'list' | 'feed' = 'list') =>
  parseEventQuery(params, town, FRIDAY_NOON_MS, kind);
const rejectionOf = (params: Params, kind: 'list' | 'feed' = 'list'): string => {
  try {
    parse(params, kind);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_parameter') return error.message;
    throw error;
  }
  throw new Error('the query was accepted');
};

const listIds = (count: number): string =>
  Array.from({ length: count }, (_, at) => `ev_${at}`).join(',');

const FRIDAY = toLocalDay(FRIDAY_NOON_MS);
const NEAR = { lat: 21.1, lng: -86.8, radius_km: 5 };
const VENUE = expect.objectContaining({ name: 'Malecón Inventado' });
test.each<[Params, object]>([
  [{}, { range: null, near: null, words: null, limit: 50, after: null }],
  [{ category: 'MÚSICA-en-vivo' }, { categories: ['live-music'] }],
  [{ category: 'party, familia ,party' }, { categories: ['family', 'party'] }],
  [{ category: ',' }, { categories: null }],
  [{ zone: 'isla-mujeres,Centro' }, { zones: ['downtown', 'isla-mujeres'] }],
  [
    { free: '1', family: 'false' },
    { free: true, family: false },
  ],
  [{ near: '21.1,-86.8' }, { near: NEAR }],
  [{ near: '21.1,-86.8', radius_km: '50' }, { near: { ...NEAR, radius_km: 50 } }],
  [{ radius_km: '50' }, { near: null }],
  [{ near: '21.1, -86.8' }, { near: NEAR }],
  [{ venue: 'Malecón-Inventado' }, { venue: VENUE }],
  [{ venue: 'malecon inventado' }, { venue: VENUE }],
  [{ date: 'viernes' }, { range: expect.objectContaining({ from: FRIDAY, to: FRIDAY }) }],
  [{ date: 'esta noche' }, { hours: expect.objectContaining({ keyword: 'tonight' }) }],
  // Soft hyphens and zero-width characters of copied texts.
  [{ q: 'mer\u00adca\u200bdo' }, { words: ['mercado'] }],
  [{ status: 'postponed' }, { status: 'postponed' }],
  [{ price_max: '0' }, { price_max: 0 }],
  [{ price_max: '100000' }, { price_max: 100_000 }],
  [{ limit: '200' }, { limit: 200 }],
  [{ ids: ' ev_b,ev_a,ev_b' }, { ids: ['ev_b', 'ev_a'] }],
  [{ ids: listIds(60) }, { ids: listIds(60).split(',') }],
  [{ q: 'ñ'.repeat(100) }, { words: ['n'.repeat(100)] }],
])('%j is parsed to %j', (params, filter) => {
  expect(parse(params).filter).toMatchObject(filter);
});

describe('an invalid query', () => {
  const POINT = { near: '21.1,-86.8' };
  test.each<[Params, string]>([
    [
      { category: 'salsa', lang: 'en' },
      "category: 'salsa' is unknown. Use one or more of live-music, p",
    ],
    [
      { category: 'salsa' },
      "category: 'salsa' is unknown. Use one or more of live-music (musica-en-vivo), ",
    ],
    [{ zone: 'tulum' }, "zone: 'tulum' is unknown. Did you mean tulum-coba (tulum-y-coba)?"],
    [
      { zone: 'Centro,sona hotelera' },
      "zone: 'sona hotelera' is unknown. Did you mean hotel-zone (zona-hotelera)?",
    ],
    [
      { near: 'malecón' },
      "near: 'malecón' is not a point. Use lat,lng in degrees, for example 21.1619,-86.8515. Did you mean near=",
    ],
    [{ free: 'yes' }, "free: 'yes' is invalid. Use 1, true, 0 or false"],
    [{ near: '21.1 -86.8' }, "near: '21.1 -86.8' is not a point. Use lat,lng in degrees"],
    [{ near: '91,0' }, 'near: 91,0 is not on the globe'],
    [{ ...POINT, radius_km: '0' }, "radius_km: '0' is invalid. Use a number above 0, at"],
    [{ ...POINT, radius_km: '50.01' }, 'radius_km:'],
    [{ radius_km: '51' }, 'radius_km:'],
    [{ status: 'canceled' }, "status: 'canceled' is invalid. Use published, cancelled, "],
    [{ price_max: '-1' }, 'price_max:'],
    [{ price_max: '100001' }, 'price_max:'],
    [{ venue: 'x' }, "venue: 'x' is unknown. Use an id, slug or name from /api/v1/venues"],
    [
      { venue: 'el Malecon Imbentado' },
      "venue: 'el Malecon Imbentado' is unknown. Use an id, slug or name from /api/v1/venues. Did you mean 'Malecón Inventado'?",
    ],
    [{ organizer: 'malecon-inventado' }, "organizer: 'malecon-inventado' is unknown."],
    [{ ids: listIds(61) }, 'ids:'],
    [{ ids: 've_a' }, "ids: 've_a' is invalid. Use at most 60 ids of events, with commas"],
    [{ lang: 'fr' }, "lang: 'fr' is invalid. Use es or en"],
    [{ limit: '0' }, "limit: '0' is invalid. Use a whole number from 1 to 200"],
    [{ limit: '201' }, 'limit:'],
    [{ q: 'ñ'.repeat(101) }, 'q: has 101 characters. The limit is 100'],
    [{ cursor: 'bm8' }, 'cursor: invalid'],
  ])('%j is rejected with the name of the parameter', (params, message) => {
    expect(rejectionOf(params).startsWith(message)).toBe(true);
  });
  test('of a feed is rejected with the limit of feeds', () => {
    expect(rejectionOf({ limit: '1001' }, 'feed')).toContain('a whole number from 1 to 1000');
  });
});

function formatLeniently(query: string, lang: 'es' | 'en' = 'es') {
  const params = Object.fromEntries(new URLSearchParams(query));
  const { filter, texts, ignored: left_out } = parseQueryLeniently(params, town, FRIDAY_NOON_MS);
  const canonical = new URLSearchParams(formatQuery(filter, texts, town.taxonomy, lang));
  return [`${canonical}`, left_out.map(({ name, value }) => `${name}=${value}`).join('&')];
}

test.each([
  ['', 'es', ''],
  ['zone=Isla-Mujeres&free=true', 'es', 'zone=isla-mujeres&free=1'],
  ['category=live-music', 'es', 'category=musica-en-vivo'],
  ['category=musica-en-vivo', 'en', 'category=live-music'],
  ['free=0&family=false', 'es', ''],
  ['q=+jazz++noche+', 'es', 'q=jazz+noche'],
  ['near=21.1,-86.8&radius_km=5', 'es', 'near=21.1%2C-86.8'],
  ['limit=50', 'es', ''],
  ['venue=malecon-inventado&price_max=50', 'es', 'price_max=50&venue=malecon-inventado'],
  ['limit=20&date=weekend', 'es', 'date=weekend&limit=20'],
] as const)('%s in %s is formatted as %s', (query, lang, canonical) => {
  expect(formatLeniently(query, lang)).toEqual([canonical, '']);
});

test.each([
  ['venue=atlantis&radius_km=51', '', 'radius_km=51&venue=atlantis'],
  ['zone=atlantis,centro,lemuria', 'zone=centro', 'zone=atlantis, lemuria'],
  ['free=si&family=1', 'family=1', 'free=si'],
  ['from=2026-12-01&to=2026-11-21', 'to=2026-11-21', 'from=2026-12-01'],
  ['from=2026-11-21&to=2027-11-21', 'from=2026-11-21', 'to=2027-11-21'],
  ['near=21.1,-86.8&radius_km=500', 'near=21.1%2C-86.8', 'radius_km=500'],
])('of %s a page understands %j and leaves out %s', (query, spelled, left_out) => {
  expect(formatLeniently(query)).toEqual([spelled, left_out]);
});
