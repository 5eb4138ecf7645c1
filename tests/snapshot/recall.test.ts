// How much of what people look for is found, and the floor that is reached.
import { describe, expect, test } from 'vitest';
import { askQueries, toRecall } from '../fixtures/recall/ask-queries.ts';

/** Of what was expected, on the mean over all queries; 0.657 before there were forms and other words. */
const FLOOR = 0.97;

describe('what people look for', () => {
  const asked = askQueries();
  test.each(['es', 'en'])('is found in %s', (lang) => {
    const missed = asked.filter((each) => each.lang === lang && each.missed.length > 0);
    const recall = toRecall(asked.filter((each) => each.lang === lang));
    expect(recall, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.95);
  });
  test('is found in all', () => {
    expect(toRecall(asked)).toBeGreaterThanOrEqual(FLOOR);
  });
  test.each(asked.map(({ q, wrong }) => [q, wrong]))(
    '%s finds nothing that it must not',
    (_, wrong) => {
      expect(wrong).toEqual([]);
    },
  );
});
