// How much of what people look for is found, and the floor that is reached.
import { expect, test } from 'vitest';
import { askQueries, toRecall } from '../fixtures/recall/ask-queries.ts';

/** Of what was expected, on the mean over all queries; 0.657 before there were forms and other words. */
const FLOOR = 0.97;
const asked = askQueries();

test.each([
  [['es', 'en'], FLOOR],
  [['es'], 0.95],
  [['en'], 0.95],
])('what people look for in %j is found', (langs, floor) => {
  const meant = asked.filter(({ lang }) => langs.includes(lang));
  const missed = meant.filter((each) => each.missed.length > 0);
  expect(toRecall(meant), JSON.stringify(missed)).toBeGreaterThanOrEqual(floor);
});

test('nothing is found that must not be', () => {
  expect(asked.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
});
