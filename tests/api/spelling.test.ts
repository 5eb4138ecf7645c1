// A searched word with a slip in it: what is answered, and that it is looked up once
// (contract 7.15).
import { afterAll, expect, test } from 'vitest';
import { parseEventQuery } from '../../src/domain/query/event-query.ts';
import { EventListResponse } from '../../src/serializers/wire/responses.ts';
import { findEvents } from '../../src/snapshot/find-events.ts';
import { findSpellings } from '../../src/snapshot/scan.ts';
import { askFor } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const list = (query: string) => askFor(snapshot, EventListResponse, `/api/v1/events${query}`);

test('one slip is forgiven where no event has the word, and the answer says how it was read', () => {
  const { data, meta } = list('?q=exposicoin');
  expect(data.map((item) => item.title)).toEqual(['Exposición larga']);
  expect(meta.spellings).toEqual([{ word: 'exposicoin', read_as: ['exposicion'] }]);
  expect(list('?q=exposiciones').data).toHaveLength(1);
  expect(list('?q=exposiciones').meta).not.toHaveProperty('spellings');
});

test('the words of a request are looked up once, whatever is asked of them', () => {
  const query = { q: 'exposicoin' };
  const { filter } = parseEventQuery(query, snapshot, FRIDAY_NOON_MS, 'list');
  const { word_index } = snapshot;
  let reads = 0;
  const counted = {
    ...snapshot,
    word_index: {
      ...word_index,
      get words() {
        reads += 1;
        return word_index.words;
      },
    },
  };
  expect(findEvents(counted, filter, 'es').cards).toHaveLength(1);
  const after_one = reads;
  expect(after_one).toBeGreaterThan(0);
  expect(findSpellings(counted, filter)).toHaveLength(1);
  expect(findSpellings(counted, { ...filter, free: true })).toHaveLength(1);
  expect(reads).toBe(after_one);
});
