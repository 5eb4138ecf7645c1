// Release comparison: rejects an excessive loss of events.
import { expect, test } from 'vitest';
import { findExcessiveLoss } from '../../src/releases/compare-releases.ts';

test.each([
  [100, 10, false],
  [100, 11, true],
  // Editors of a small town may withdraw a few events, but never all.
  [7, 3, false],
  [7, 4, true],
  [2, 2, true],
])('of %i events %i disappear: rejected %s', (before, gone, expected) => {
  const loss = findExcessiveLoss(
    { read: before - gone, new: 0, changed: 0, cancelled: 0, gone },
    before,
  );
  expect(loss !== null).toBe(expected);
});
