// What a release brings against the one before, and when it loses too much.
import { expect, test } from 'vitest';
import { findExcessiveLoss } from '../../src/releases/compare-releases.ts';

test.each([
  [100, 10, false],
  [100, 11, true],
  // In a small town an editor takes a few away on purpose; all of them is never meant.
  [7, 3, false],
  [7, 4, true],
  [2, 2, true],
])('of %i events, %i gone: refused %s', (before, gone, expected) => {
  const loss = findExcessiveLoss(
    { read: before - gone, new: 0, changed: 0, cancelled: 0, gone },
    before,
  );
  expect(loss !== null).toBe(expected);
});
