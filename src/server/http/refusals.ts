// What is refused, in kinds that tell an operator something and nobody who it was.

/** By the status that says it. */
const KINDS = {
  400: 'malformed',
  401: 'not_let_in',
  403: 'foreign',
  408: 'late',
  413: 'too_large',
  414: 'too_long',
  415: 'wrong_type',
  429: 'too_many',
  431: 'too_long',
  503: 'busy',
} as const;

/** Also what is never answered: cut off, not read in time, one connection too many. */
export type RefusalKind =
  | (typeof KINDS)[keyof typeof KINDS]
  | 'cut_off'
  | 'slow_reader'
  | 'connection';

const BY_STATUS: ReadonlyMap<number, RefusalKind> = new Map(
  Object.entries(KINDS).map(([status, kind]) => [Number(status), kind]),
);

/** The kind of a status; undefined of one that refuses nothing. */
export const toRefusalKind = (status: number): RefusalKind | undefined => BY_STATUS.get(status);

/** Gets each refusal. */
export type OnRefused = (kind: RefusalKind) => void;

/** A line at most so often. */
const PERIOD_MS = 10_000;

/** Counts refusals and tells them together, so that no stranger fills the log: how many of each kind. */
export function createRefusalTally(
  tell: (refused: Readonly<Record<string, number>>) => void,
  period_ms = PERIOD_MS,
): OnRefused {
  const counts = new Map<RefusalKind, number>();
  return (kind) => {
    if (counts.size === 0)
      setTimeout(() => {
        tell(Object.fromEntries(counts));
        counts.clear();
      }, period_ms).unref();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  };
}
