// Positions by what they belong to: the occurrences of an event, the events of a category or zone,
// without looking at the rest.

/**
 * The members of group g lie in `members` from `offsets[g]` to before `offsets[g + 1]`, in rising
 * order.
 */
export interface Groups {
  readonly members: Int32Array;
  readonly offsets: Int32Array;
}

/** Groups the positions of an array by its value; values from `count` on belong to no group. */
export function groupPositions(group_of: Int32Array | Uint8Array, count: number): Groups {
  const offsets = new Int32Array(count + 1);
  for (const group of group_of)
    if (group < count) offsets[group + 1] = (offsets[group + 1] ?? 0) + 1;
  for (let group = 0; group < count; group += 1)
    offsets[group + 1] = (offsets[group + 1] ?? 0) + (offsets[group] ?? 0);
  const free = offsets.slice();
  const members = new Int32Array(offsets[count] ?? 0);
  group_of.forEach((group, position) => {
    if (group >= count) return;
    members[free[group] ?? 0] = position;
    free[group] = (free[group] ?? 0) + 1;
  });
  return { members, offsets };
}
