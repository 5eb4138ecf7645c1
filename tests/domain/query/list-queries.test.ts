// List queries: cursors, start of the list of changes, and notices of a zone (contract 8.8, 8.27, 8.31).
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/domain/app-error.ts';
import {
  encodeChangesCursor,
  encodeDirectoryCursor,
  parseChangesQuery,
  parseDirectoryQuery,
  parseEmbedQuery,
  parseNoticeQuery,
} from '../../../src/domain/query/list-queries.ts';
import { LAST_ID_OF_TIMESTAMP } from '../../../src/domain/record-history.ts';
import { localMs, FRIDAY_NOON_MS, createQueryLookups } from '../../fixtures/fixture.ts';

const lookups = createQueryLookups();
type Texts = Readonly<Record<string, string>>;
/** Returns the result, or the message of invalid_parameter. */
function run<T>(parse: () => T): T | string {
  try {
    return parse();
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_parameter') return error.message;
    throw error;
  }
}

describe('the list of changes', () => {
  const parse = (texts: Texts) => run(() => parseChangesQuery(texts, FRIDAY_NOON_MS));

  test.each([
    // Seven days ago, or 15 minutes before an instant, or one second before a day.
    [{}, '2026-11-13T12:00:00-05:00'],
    [{ since: '2026-11-20T11:00:00-05:00' }, '2026-11-20T10:45:00-05:00'],
    [{ since: '2026-11-20T12:00:00-05:00' }, '2026-11-20T11:45:00-05:00'],
    [{ since: '2026-11-19' }, '2026-11-18T23:59:59-05:00'],
  ])('%j starts after %s', (texts, since) => {
    const after = { changed_at: since, id: LAST_ID_OF_TIMESTAMP };
    expect(parse(texts)).toMatchObject({ since, after });
  });

  test.each([
    [{ since: '2026-11-20T12:00:01-05:00' }, 'since: 2026-11-20T12:00:01-05:00 is in the future'],
    [{ since: '2026-11-21' }, 'since: 2026-11-21 is in the future'],
    [{ since: 'ayer' }, "since: 'ayer' is invalid"],
    [{ cursor: 'bm8' }, 'cursor: '],
    [{ kind: 'taxon' }, "kind: 'taxon' is invalid"],
    [{ limit: '501' }, 'limit: '],
  ])('%j is rejected: %s', (texts, message) => {
    expect(parse(texts)).toEqual(expect.stringContaining(message));
  });

  const since = '2026-11-18T00:00:00-05:00';
  const changed_at = '2026-11-19T00:00:00-05:00';
  test('continues after its cursor, and describes later changes since its end', () => {
    const cursor = encodeChangesCursor(since, { changed_at, id: 'ev_1' });
    expect(parse({ cursor })).toMatchObject({ since, after: { changed_at, id: 'ev_1' } });
    const end = encodeChangesCursor(since, { changed_at, id: LAST_ID_OF_TIMESTAMP });
    expect(parse({ cursor: end })).toMatchObject({ since: changed_at });
    expect(parse({ cursor, since })).toEqual(expect.stringContaining('since: '));
  });

  test('lists all kinds or one', () => {
    expect(parse({})).toMatchObject({ kinds: ['event', 'venue', 'organizer', 'notice'] });
    expect(parse({ kind: 'notice' })).toMatchObject({ kinds: ['notice'] });
  });
});

test.each([[{ key: 'teatro', id: 've_1' }], [{ key: 0.25, id: 'or_9' }]])(
  'a directory continues after the cursor of %j',
  (after) => {
    const { filter: first_page } = parseDirectoryQuery({}, lookups, FRIDAY_NOON_MS, []);
    const texts = { cursor: encodeDirectoryCursor(after, first_page) };
    const { filter } = parseDirectoryQuery(texts, lookups, FRIDAY_NOON_MS, []);
    expect(filter.after).toEqual(after);
    expect(() => parseDirectoryQuery({ ...texts, q: 'x' }, lookups, FRIDAY_NOON_MS, [])).toThrow(
      'belongs to another question',
    );
  },
);

test.each([[['teatro']], [['teatro', '1']], [['teatro', 've_']], [[null, 've_1']]])(
  'a directory rejects the cursor of %j',
  (parts) => {
    const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
    const result = run(() => parseDirectoryQuery({ cursor }, lookups, FRIDAY_NOON_MS, []));
    expect(result).toEqual(expect.stringContaining('cursor: '));
  },
);

test.each([
  [{}, 'weather', null, true],
  [{}, 'weather', 'downtown', true],
  [{ zone: 'centro' }, 'weather', 'downtown', true],
  [{ zone: 'centro' }, 'weather', 'hotel-zone', false],
  // A notice without a zone applies to all of them.
  [{ zone: 'centro' }, 'weather', null, true],
  [{ type: 'weather' }, 'weather', null, true],
  [{ type: 'health' }, 'weather', null, false],
] as const)('the notice query %j matches a notice of type %s and zone %s: %s', (...row) => {
  const [texts, type, zone, expected] = row;
  const { matches, day } = parseNoticeQuery(texts, lookups, localMs('2026-11-20T23:59:00'), []);
  expect([matches({ type, zone }), `${day}`]).toEqual([expected, '2026-11-20']);
});

test.each([
  [{}, 10, 'auto'],
  [{ limit: '30', theme: 'dark' }, 30, 'dark'],
])('the embedded list %j has %d rows and theme %s', (texts: Texts, limit, theme) => {
  const result = parseEmbedQuery(texts, lookups, FRIDAY_NOON_MS, []);
  expect([result.filter.limit, result.theme]).toEqual([limit, theme]);
});

test('the embedded list rejects more than 30 rows and other themes', () => {
  const texts = { limit: '31', theme: 'sepia' };
  const message = run(() => parseEmbedQuery(texts, lookups, FRIDAY_NOON_MS, []));
  expect(message).toMatch(/theme: .*limit: /);
});
