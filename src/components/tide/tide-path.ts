// Tide path: computes the surface of the drawn sea below a heading, as SVG path data. From left to
// right it covers a period; it is higher at times with more events.

/** The time of an event, epoch ms; the end is exclusive. */
export interface TideSpan {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** Height of the drawing in SVG units; its width is STEPS × STEP_WIDTH. */
export const TIDE_HEIGHT = 100;
const STEP_WIDTH = 20;
const STEPS = 48;
/** Levels of low and high tide, from the top. The hours along the curve are below both. */
const LOW_TIDE = 38;
const HIGH_TIDE = 8;
/** High tide takes at least this many simultaneous events. */
const MIN_EVENTS_AT_HIGH_TIDE = 4;

export const TIDE_WIDTH = STEP_WIDTH * STEPS;

/**
 * Counts the events at each of the STEPS + 1 steps from `from_ms` to `until_ms`, within half a
 * step.
 */
function countAtSteps(spans: readonly TideSpan[], from_ms: number, until_ms: number): number[] {
  const step_ms = (until_ms - from_ms) / STEPS;
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const center_ms = from_ms + step * step_ms;
    return spans.filter(
      (span) => span.start_ms < center_ms + step_ms / 2 && span.end_ms > center_ms - step_ms / 2,
    ).length;
  });
}

/** Averages each value with its neighbors, weighted 1:2:1. */
const smooth = (values: readonly number[]): number[] =>
  values.map(
    (value, index) => ((values[index - 1] ?? value) + 2 * value + (values[index + 1] ?? value)) / 4,
  );

/**
 * Builds the surface from left to right as SVG path data, without the sides; heights from 0 (top)
 * to TIDE_HEIGHT. Coordinates are relative to the previous step, which compresses well.
 */
export function buildTidePath(
  spans: readonly TideSpan[],
  from_ms: number,
  until_ms: number,
): string {
  const counts = smooth(smooth(countAtSteps(spans, from_ms, until_ms)));
  const max_count = Math.max(MIN_EVENTS_AT_HIGH_TIDE, ...counts);
  const heights = counts.map((count, step) => {
    // Small waves, so that a period without events is not flat.
    const swell = 3 * Math.sin(step * 0.55);
    return Math.round(LOW_TIDE - (LOW_TIDE - HIGH_TIDE) * (count / max_count) ** 0.8 + swell);
  });
  // Quadratic curves: each bends at a step and ends halfway to the next one. x, y: the end of the
  // last one.
  let [path, x, y] = [`M0 ${heights[0]}q`, 0, heights[0] ?? LOW_TIDE];
  for (let step = 1; step < heights.length; step += 1) {
    const [height, next_height] = [heights[step] ?? LOW_TIDE, heights[step + 1]];
    const [bend_x, bend_y] = [step * STEP_WIDTH - x, height - y];
    const dx = bend_x + (next_height === undefined ? 0 : STEP_WIDTH / 2);
    const dy = Math.round(next_height === undefined ? bend_y : (height + next_height) / 2 - y);
    path += `${step > 1 ? ' ' : ''}${bend_x} ${bend_y} ${dx} ${dy}`;
    [x, y] = [x + dx, y + dy];
  }
  // A minus sign separates two numbers, so the space before it is redundant (SVG 2, 9.3.9).
  return path.replaceAll(' -', '-');
}
