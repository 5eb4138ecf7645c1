// The tide of a stretch of time: a curve that stands higher where more is on. Pure; the page draws
// it.

/** A time that something is on, epoch ms, the end exclusive. */
export interface TideSpan {
  readonly start_ms: number;
  readonly end_ms: number;
}

/** The box of the curve: one step is STEP_WIDTH wide. */
export const TIDE_HEIGHT = 100;
const STEP_WIDTH = 20;
const STEPS = 48;
/** Heights of the calm sea and of the highest water, from the top: the figures along it stand below both. */
const CALM = 38;
const HIGH = 8;
/** How many things at once make a full tide, at least: two events are no flood. */
const FULL_AT_LEAST = 4;

export const TIDE_WIDTH = STEP_WIDTH * STEPS;

/** How many spans are on at each step from `from_ms` to `until_ms`. */
function countAt(spans: readonly TideSpan[], from_ms: number, until_ms: number): number[] {
  const step_ms = (until_ms - from_ms) / STEPS;
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const at_ms = from_ms + step * step_ms;
    return spans.filter(
      (span) => span.start_ms < at_ms + step_ms / 2 && span.end_ms > at_ms - step_ms / 2,
    ).length;
  });
}

const smooth = (values: readonly number[]): number[] =>
  values.map(
    (value, at) => ((values[at - 1] ?? value) + 2 * value + (values[at + 1] ?? value)) / 4,
  );

/**
 * The surface from the left edge to the right as SVG path data, without the sides; heights from 0
 * (top) to TIDE_HEIGHT. Each step is said from where the one before ended, which is short and packs
 * well.
 */
export function buildTidePath(
  spans: readonly TideSpan[],
  from_ms: number,
  until_ms: number,
): string {
  const counts = smooth(smooth(countAt(spans, from_ms, until_ms)));
  const full = Math.max(FULL_AT_LEAST, ...counts);
  const heights = counts.map((count, at) => {
    const swell = 3 * Math.sin(at * 0.55);
    return Math.round(CALM - (CALM - HIGH) * (count / full) ** 0.8 + swell);
  });
  let [path, x, y] = [`M0 ${heights[0]}q`, 0, heights[0] ?? CALM];
  for (let at = 1; at < heights.length; at += 1) {
    const [height, next] = [heights[at] ?? CALM, heights[at + 1]];
    const [bend_x, bend_y] = [at * STEP_WIDTH - x, height - y];
    const dx = bend_x + (next === undefined ? 0 : STEP_WIDTH / 2);
    const dy = Math.round(next === undefined ? bend_y : (height + next) / 2 - y);
    path += `${at > 1 ? ' ' : ''}${bend_x} ${bend_y} ${dx} ${dy}`;
    [x, y] = [x + dx, y + dy];
  }
  // A minus parts two numbers as well as a space does (SVG 2, 9.3.9).
  return path.replaceAll(' -', '-');
}
