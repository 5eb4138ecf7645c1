// Release comparison: rejects an excessive loss of events.
import { expect, test } from 'vitest';
import { compareEventStatuses, findExcessiveLoss } from '../../src/releases/compare-releases.ts';

test.each([
  [100, 10, false],
  [100, 11, true],
  // Editors of a small town may withdraw a few events, but never all.
  [7, 3, false],
  [7, 4, true],
  [2, 2, true],
])('of %i events %i disappear: rejected %s', (before, gone, expected) => {
  const loss = findExcessiveLoss(
    { read: before - gone, new: 0, changed: 0, cancelled: 0, gone, dateless: 0 },
    before,
  );
  expect(loss !== null).toBe(expected);
});

const NOW_MS = 1_000;
const createStatuses = (
  ...ends: readonly [id: string, last_end_ms: number, is_outdated?: number][]
) =>
  new Map(
    ends.map(([id, last_end_ms, is_outdated = 0]) => [
      id,
      { id, status: 'published' as const, updated_at: '', last_end_ms, is_outdated },
    ]),
  );

test('an event that loses all upcoming dates counts as lost, unless it is over or outdated', () => {
  const before = createStatuses(['lost', 2_000], ['over', 900], ['old', 2_000], ['same', 2_000]);
  const after = createStatuses(['lost', 0], ['over', 900], ['old', 900, 1], ['same', 2_000]);
  const changes = compareEventStatuses(before, after, NOW_MS);
  expect(changes).toMatchObject({ read: 4, gone: 0, dateless: 1 });
  expect(findExcessiveLoss(changes, 4)).toBe(null);
  expect(findExcessiveLoss({ ...changes, dateless: 4 }, 4)).toMatch(/lose all their dates \(4\)/);
});
