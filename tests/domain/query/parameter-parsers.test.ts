// Parameter parsers: both sides of each edge of points, radii, amounts, flags, lists and cursors (contract 7.3).
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  decodeCursor,
  encodeCursor,
  EVENT_IDS_PARSER,
  FLAG_PARSER,
  INSTANT_PARSER,
  limitParser,
  MAX_EVENT_IDS,
  MAX_Q_LENGTH,
  NEAR_PARSER,
  type ParameterValues,
  parseOrThrow,
  PRICE_PARSER,
  recordParser,
  SEARCH_WORDS_PARSER,
  taxaParser,
} from '../../../src/domain/query/parameter-parsers.ts';
import { formatIssues, type ParameterIssue } from '../../../src/domain/query/parameter-issue.ts';
import { createQueryLookups } from '../../fixtures/fixture.ts';

const lookups = createQueryLookups();
/** Returns the value, or the issues if there are any. */
function parse<T>(
  parser: {
    readonly parse: (
      input: { texts: ParameterValues; issues: ParameterIssue[]; lookups: typeof lookups },
      name: string,
    ) => T;
  },
  texts: ParameterValues,
  name = Object.keys(texts)[0] ?? '',
): T | string[] {
  const issues: ParameterIssue[] = [];
  const value = parser.parse({ texts, issues, lookups }, name);
  return issues.length > 0 ? issues.map((issue) => formatIssues([issue])) : value;
}
const startsWith = (text: string) => [expect.stringMatching(new RegExp(`^${text}`))];

describe('near', () => {
  test.each([
    ['90,180', { lat: 90, lng: 180, radius_km: 5 }],
    ['-90,-180', { lat: -90, lng: -180, radius_km: 5 }],
    ['0,0', { lat: 0, lng: 0, radius_km: 5 }],
    ['21.16,-86.85', { lat: 21.16, lng: -86.85, radius_km: 5 }],
  ])('%s is accepted', (near, point) => {
    expect(parse(NEAR_PARSER, { near })).toEqual(point);
  });
  test.each(['90.1,0', '-90.1,0', '0,180.1', '0,-180.1'])('%s is not on the globe', (near) => {
    expect(parse(NEAR_PARSER, { near })).toEqual(startsWith(`near: ${near} is not on the globe`));
  });
  test.each([
    '21',
    '21,-86,1',
    '21;-86',
    '21,  -86',
    '+21,-86',
    '.5,1',
    '1.,1',
    'a,b',
    '1e1,1',
    '',
  ])('%j is not a point', (near) => {
    expect(parse(NEAR_PARSER, { near })).toEqual(startsWith('near: .* is not a point'));
  });
  test.each([
    ['0.01', 0.01],
    ['+3.5', 3.5],
    ['50', 50],
    ['50.0', 50],
  ])('radius_km=%s is accepted', (radius_km, expected) => {
    const near = parse(NEAR_PARSER, { near: '1,2', radius_km });
    expect(near).toEqual({ lat: 1, lng: 2, radius_km: expected });
  });
  test.each(['0', '-1', '50.01', '5,5', '1e1', '.5', '5.'])('radius_km=%s is rejected', (text) => {
    const issues = parse(NEAR_PARSER, { near: '1,2', radius_km: text });
    expect(issues).toEqual(startsWith('radius_km: '));
  });
});

test.each([
  ['0', 0],
  ['0.5', 0.5],
  ['100000', 100_000],
  ['100000.01', null],
  ['-0', null],
  ['+1', null],
  ['1,5', null],
])('price_max=%s is %s', (price_max, expected) => {
  const price = parse(PRICE_PARSER, { price_max });
  expect(price).toEqual(expected ?? startsWith('price_max: '));
});

test.each([
  ['1', 1],
  ['9', 9],
  ['0', null],
  ['10', null],
  ['2.0', null],
  ['+2', null],
])('limit=%s of at most 9 is %s', (limit, expected) => {
  const parsed = parse(limitParser({ max: 9, fallback: 5 }), { limit });
  expect(parsed).toEqual(expected ?? startsWith(`limit: '.*Use a whole number from 1 to 9`));
});

test('a missing limit, flag or point is its default', () => {
  expect(parse(limitParser({ max: 9, fallback: 5 }), {})).toBe(5);
  expect([parse(FLAG_PARSER, {}), parse(NEAR_PARSER, {})]).toEqual([false, null]);
});

test.each([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
  ['TRUE', null],
  ['on', null],
])('free=%s is %s', (free, expected) => {
  expect(parse(FLAG_PARSER, { free })).toEqual(expected ?? startsWith('free: '));
});

test.each([
  ['a'.repeat(MAX_Q_LENGTH), 1],
  // Characters count, not UTF-16 code units.
  ['𝒶'.repeat(MAX_Q_LENGTH), 1],
  ['a'.repeat(MAX_Q_LENGTH + 1), null],
  ['Jazz en VIVO', 3],
  [' ,. ', 0],
])('q=%s has %s words', (q, count) => {
  const words = parse(SEARCH_WORDS_PARSER, { q });
  const is_rejected = words?.[0]?.startsWith('q: has ');
  expect(is_rejected ? null : words?.length).toBe(count);
});

test.each([
  ['ev_1', ['ev_1']],
  [`ev_${'a'.repeat(40)}`, [`ev_${'a'.repeat(40)}`]],
  [`ev_${'a'.repeat(41)}`, null],
  ['ev_', null],
  ['EV_1', null],
  ['ev_1,ve_1', null],
])('ids=%s is %j', (ids, expected) => {
  expect(parse(EVENT_IDS_PARSER, { ids })).toEqual(expected ?? startsWith('ids: '));
});

test('ids counts repeated ids once', () => {
  const ids = Array.from({ length: MAX_EVENT_IDS }, (_, at) => `ev_${at}`);
  expect(parse(EVENT_IDS_PARSER, { ids: [...ids, 'ev_0'].join() })).toEqual(ids);
  expect(parse(EVENT_IDS_PARSER, { ids: [...ids, 'ev_x'].join() })).toEqual(startsWith('ids: '));
});

test.each([
  ['2026-11-20', '2026-11-20T00:00:00-05:00'],
  ['2026-11-20T12:00:00Z', '2026-11-20T07:00:00-05:00'],
  // An unencoded plus sign arrives as a space.
  ['2026-11-20T12:00:00 01:00', '2026-11-20T06:00:00-05:00'],
  ['1999-01-01', '2019-12-31T19:00:00-05:00'],
  ['2200-01-01', '2099-12-31T19:00:00-05:00'],
  ['2026-11-20T12:00:00', null],
  ['2026-02-30', null],
])('updated_since=%s is %s', (updated_since, expected) => {
  const timestamp = parse(INSTANT_PARSER, { updated_since });
  expect(timestamp).toEqual(expected ?? startsWith('updated_since: '));
});

test('a list of taxa is sorted and distinct, and every unknown one is in the issue', () => {
  expect(parse(taxaParser('zones'), { zone: 'isla-mujeres, Centro,downtown' })).toEqual([
    'downtown',
    'isla-mujeres',
  ]);
  const issues = parse(taxaParser('zones'), { zone: 'atlantis,centro,lemuria' });
  expect(issues).toEqual(startsWith("zone: 'atlantis', 'lemuria' is unknown"));
});

test('a venue is found by its slug in any case, and not as an organizer', () => {
  const venue = ' Malecón-Inventado ';
  expect(parse(recordParser('venue'), { venue })).toMatchObject({ name: 'Malecón Inventado' });
  const issues = parse(recordParser('organizer'), { organizer: venue });
  expect(issues).toEqual(startsWith('organizer: '));
});

describe('a cursor', () => {
  const Parts = v.strictTuple([v.number(), v.string()]);
  test('survives encoding', () => {
    expect(decodeCursor(Parts, encodeCursor([1, 'ñ']))).toEqual([1, 'ñ']);
  });
  test.each([
    ['of other parts', encodeCursor(['a', 1])],
    ['with one part more', encodeCursor([1, 'a', 2])],
    ['that is not JSON', Buffer.from('no').toString('base64url')],
    ['that is empty', ''],
  ])('%s is rejected', (_, text) => {
    expect(decodeCursor(Parts, text)).toBeNull();
  });
});

test('parseOrThrow lists the initial issues first, and returns the value without issues', () => {
  const fail = () =>
    parseOrThrow([{ param: 'a', message: 'one' }], (issues) => {
      issues.push({ param: 'b', message: 'two' });
    });
  expect(fail).toThrow('a: one; b: two');
  expect(parseOrThrow([], () => 7)).toBe(7);
});
