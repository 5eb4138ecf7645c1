// The tide: higher where more is on, calm where nothing is, inside its box whatever the day brings.
import { describe, expect, test } from 'vitest';
import { TIDE_HEIGHT, TIDE_WIDTH, toTidePath } from '../../src/components/sea/tide-path.ts';

const DAY_MS = 24 * 3_600_000;
const hours = (start: number, end: number) => ({
  start_ms: start * 3_600_000,
  end_ms: end * 3_600_000,
});

/** Heights of the surface, from the top, by hour. */
function readHeights(path: string): number[] {
  const points = [...path.matchAll(/Q(-?[\d.]+) (-?[\d.]+)/g)];
  return Array.from({ length: 24 }, (_, hour) =>
    Number(points.find((point) => Number(point[1]) >= (hour / 24) * TIDE_WIDTH)?.[2]),
  );
}

describe('the tide', () => {
  test('spans the width and stays within the box', () => {
    const path = toTidePath(
      Array.from({ length: 500 }, () => hours(-5, 40)),
      0,
      DAY_MS,
    );
    expect(path).toMatch(/^M0 /);
    expect(path.endsWith(` ${TIDE_WIDTH} ${path.split(' ').at(-1)}`)).toBe(true);
    for (const height of readHeights(path)) expect(height).toBeGreaterThan(0);
    for (const height of readHeights(path)) expect(height).toBeLessThan(TIDE_HEIGHT);
  });
  test('stands higher in the evening that has three concerts than in the morning that has one', () => {
    const heights = readHeights(
      toTidePath([hours(9, 11), hours(20, 23), hours(20, 23), hours(20, 23)], 0, DAY_MS),
    );
    expect(heights[21]).toBeLessThan(heights[10] ?? 0);
    expect(heights[10]).toBeLessThan(heights[4] ?? 0);
  });
  test('does not flood for a single event, nor move for one outside its time', () => {
    expect(toTidePath([hours(30, 33), hours(-9, -5)], 0, DAY_MS)).toBe(toTidePath([], 0, DAY_MS));
    expect(Math.min(...readHeights(toTidePath([hours(12, 15)], 0, DAY_MS)))).toBeGreaterThan(30);
  });
});
