// What a release brings against the one before, and when it loses too much.
import { expect, test } from 'vitest';
import { compareStandings, findLoss } from '../../src/releases/compare.ts';
import type { Standing } from '../../src/snapshot/list-things.ts';

const standing = (
  id: string,
  status: Standing['status'] = 'published',
  updated_at = 'monday',
): [string, Standing] => [id, { id, status, updated_at }];

test('each event is counted once, for what happened to it', () => {
  const before = new Map([
    standing('same'),
    standing('edited'),
    standing('off'),
    standing('gone'),
    standing('still off', 'cancelled'),
  ]);
  const after = new Map([
    standing('same'),
    standing('edited', 'published', 'tuesday'),
    standing('off', 'cancelled', 'tuesday'),
    standing('still off', 'cancelled'),
    standing('born', 'published', 'tuesday'),
    standing('born off', 'cancelled', 'tuesday'),
  ]);
  const changes = { read: 6, new: 2, changed: 1, cancelled: 1, gone: 1 };
  expect(compareStandings(before, after)).toEqual(changes);
});

test.each([
  [100, 10, false],
  [100, 11, true],
  // In a small town an editor takes a few away on purpose; all of them is never meant.
  [7, 3, false],
  [7, 4, true],
  [2, 2, true],
])('of %i events, %i gone: refused %s', (before, gone, expected) => {
  const loss = findLoss({ read: before - gone, new: 0, changed: 0, cancelled: 0, gone }, before);
  expect(loss !== null).toBe(expected);
});
