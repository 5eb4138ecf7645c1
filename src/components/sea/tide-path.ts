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
/** Heights of the calm sea and of the highest water, from the top. */
const CALM = 56;
const HIGH = 18;
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
 * (top) to TIDE_HEIGHT.
 */
export function toTidePath(spans: readonly TideSpan[], from_ms: number, until_ms: number): string {
  const counts = smooth(smooth(countAt(spans, from_ms, until_ms)));
  const full = Math.max(FULL_AT_LEAST, ...counts);
  const heights = counts.map((count, at) => {
    const swell = 4 * Math.sin(at * 0.55);
    return Math.round(CALM - (CALM - HIGH) * (count / full) ** 0.8 + swell);
  });
  let path = `M0 ${heights[0]}`;
  for (let at = 1; at < heights.length; at += 1) {
    const [height, next] = [heights[at] ?? CALM, heights[at + 1] ?? heights[at] ?? CALM];
    const middle = at === heights.length - 1 ? 0 : STEP_WIDTH / 2;
    path += `Q${at * STEP_WIDTH} ${height} ${at * STEP_WIDTH + middle} ${middle === 0 ? height : Math.round((height + next) / 2)}`;
  }
  return path;
}
