// How much of what people look for is found, and the floor that is reached.
import { expect, test } from 'vitest';
import { askQueries, toRecall } from '../fixtures/recall/ask-queries.ts';

/** Of what was expected, on the mean over all queries; 0.657 before there were forms and other words. */
const FLOOR = 0.97;
const asked = askQueries();

test('what people look for is found', () => {
  const missed = asked.filter((each) => each.missed.length > 0);
  expect(toRecall(asked), JSON.stringify(missed)).toBeGreaterThanOrEqual(FLOOR);
});

test('nothing is found that must not be', () => {
  expect(asked.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
});
