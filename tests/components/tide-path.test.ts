// The tide: higher where more is on, calm where nothing is, inside its box whatever the day brings.
import { describe, expect, test } from 'vitest';
import { TIDE_HEIGHT, TIDE_WIDTH, toTidePath } from '../../src/components/sea/tide-path.ts';

const DAY_MS = 24 * 3_600_000;
const hours = (start: number, end: number) => ({
  start_ms: start * 3_600_000,
  end_ms: end * 3_600_000,
});

/** The points towards which the surface bends, and its end: x and height from the top. */
function readPoints(path: string): (readonly [x: number, height: number])[] {
  const [x = 0, y = 0, ...steps] = [...path.matchAll(/-?\d+/g)].map(Number);
  const points: [number, number][] = [];
  const at = { x, y };
  for (let step = 0; step < steps.length; step += 4) {
    const [bend_x = 0, bend_y = 0, dx = 0, dy = 0] = steps.slice(step, step + 4);
    points.push([at.x + bend_x, at.y + bend_y]);
    at.x += dx;
    at.y += dy;
  }
  return [...points, [at.x, at.y]];
}

/** Heights of the surface, from the top, by hour. */
const readHeights = (path: string): number[] =>
  Array.from({ length: 24 }, (_, hour) =>
    Number(readPoints(path).find(([x]) => x >= (hour / 24) * TIDE_WIDTH)?.[1]),
  );

describe('the tide', () => {
  test('spans the width and stays within the box', () => {
    const path = toTidePath(
      Array.from({ length: 500 }, () => hours(-5, 40)),
      0,
      DAY_MS,
    );
    expect(path).toMatch(/^M0 \d+q(-?\d+ ?)+$/);
    expect(readPoints(path).at(-1)?.[0]).toBe(TIDE_WIDTH);
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
    expect(Math.min(...readHeights(toTidePath([hours(12, 15)], 0, DAY_MS)))).toBeGreaterThan(20);
  });
});
