// What is counted of requests while they are answered: a few additions to arrays of numbers, so that
// measuring costs next to nothing. What is counted says nothing of who asked, or for what.
import type { RefusalKind } from '../http/refusals.ts';
import type { Figure, FigureValue } from './figure.ts';

/** Classes of work, each with a latency of its own. */
export const ROUTES = [
  'page_file',
  'page_rendered',
  'api',
  'ics',
  'mcp',
  'form',
  'desk',
  'other',
] as const;
export type Route = (typeof ROUTES)[number];

/** Which class of work a request turned out to be; whoever does the work says it. */
export interface Work {
  route: Route;
}

/** Upper bounds of the latency's buckets in milliseconds; what is beyond has one of its own. */
const BOUNDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const;
const BUCKETS = BOUNDS_MS.length + 1;
const STATUSES = 600;

/** Counts requests of one process. */
export interface RequestMeter {
  /** One request that was answered, and how long that took. */
  readonly count: (route: Route, status: number, duration_ms: number) => void;
  /** One that was refused, by its kind; also what no answer tells, as a reader who does not read. */
  readonly refuse: (kind: RefusalKind) => void;
  /** What was counted so far; `labels` go to every value. */
  readonly read: (labels: Readonly<Record<string, string>>) => readonly Figure[];
}

/** A meter at zero. */
export function createRequestMeter(): RequestMeter {
  const buckets = new Float64Array(ROUTES.length * BUCKETS);
  const sums_ms = new Float64Array(ROUTES.length);
  const statuses = new Float64Array(ROUTES.length * STATUSES);
  const refused = new Map<RefusalKind, number>();
  const places = new Map<Route, number>(ROUTES.map((route, at) => [route, at]));
  const add = (numbers: Float64Array, at: number, more: number): void => {
    numbers[at] = (numbers[at] ?? 0) + more;
  };
  return {
    count: (route, status, duration_ms) => {
      const at = places.get(route) ?? 0;
      let bucket = 0;
      while (bucket < BOUNDS_MS.length && duration_ms > (BOUNDS_MS[bucket] ?? 0)) bucket++;
      add(buckets, at * BUCKETS + bucket, 1);
      add(sums_ms, at, duration_ms);
      add(statuses, at * STATUSES + Math.min(status, STATUSES - 1), 1);
    },
    refuse: (kind) => void refused.set(kind, (refused.get(kind) ?? 0) + 1),
    read: (labels) => [
      {
        name: 'hoy_request_duration_seconds',
        help: 'From the whole head of a request to the handing over of its answer.',
        type: 'histogram',
        values: ROUTES.flatMap((route, at) =>
          toHistogram({ ...labels, route }, buckets.subarray(at * BUCKETS), sums_ms[at] ?? 0),
        ),
      },
      {
        name: 'hoy_responses_total',
        help: 'Answers by status; 429 are those over a limit.',
        type: 'counter',
        values: ROUTES.flatMap((route, at) =>
          toCounts({ ...labels, route }, statuses.subarray(at * STATUSES, (at + 1) * STATUSES)),
        ),
      },
      {
        name: 'hoy_refused_total',
        help: 'What was refused, by kind; also what no status tells: cut off, not read in time, one connection too many.',
        type: 'counter',
        values: [...refused].map(([kind, value]) => ({ value, labels: { ...labels, kind } })),
      },
    ],
  };
}

/** Those that came, each under its status. */
const toCounts = (
  labels: Readonly<Record<string, string>>,
  statuses: Float64Array,
): FigureValue[] =>
  [...statuses].flatMap((value, status) =>
    value === 0 ? [] : [{ value, labels: { ...labels, status: String(status) } }],
  );

const DURATION = 'hoy_request_duration_seconds';

/** Cumulative, as Prometheus has it. */
function toHistogram(
  labels: Readonly<Record<string, string>>,
  counts: Float64Array,
  sum_ms: number,
): FigureValue[] {
  let count = 0;
  const bounds = [...BOUNDS_MS.map((bound_ms) => String(bound_ms / 1000)), '+Inf'];
  const values = bounds.map((le, bucket) => {
    count += counts[bucket] ?? 0;
    return { value: count, labels: { ...labels, le }, metricName: `${DURATION}_bucket` };
  });
  return [
    ...values,
    { value: sum_ms / 1000, labels, metricName: `${DURATION}_sum` },
    { value: count, labels, metricName: `${DURATION}_count` },
  ];
}
