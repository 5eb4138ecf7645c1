// When a build that failed is tried again: after pauses that grow, at once when another is due, and
// soon when somebody asks for one.

const MINUTE_MS = 60_000;
/** After the first failure, the second, …; the last holds for all that follow. */
const PAUSES_MS = [1, 2, 4, 8, 16, 32, 60].map((minutes) => minutes * MINUTE_MS);
/** Whoever asks meanwhile, having mended something, waits no longer than this. */
const ASKED_PAUSE_MS = MINUTE_MS;

/** How builds of this process have gone since the last that came out. */
export interface Attempts {
  readonly failures: number;
  /** When the last one ended, on a clock that never jumps, ms. */
  readonly ended_ms: number;
  /** The due moment that was tried last, epoch ms; null for none. */
  readonly due_ms: number | null;
}

/** Before the first. */
export const NO_ATTEMPTS: Attempts = { failures: 0, ended_ms: 0, due_ms: null };

/** How long after that many failures the next attempt is made; 0 after none. */
export const toPauseMs = (failures: number): number =>
  failures === 0 ? 0 : (PAUSES_MS[failures - 1] ?? PAUSES_MS.at(-1) ?? MINUTE_MS);

/** What speaks for a build now. */
export interface Wishes {
  /** The last moment at which one was due, epoch ms, where none has come out since; else null. */
  readonly due_ms: number | null;
  readonly is_requested: boolean;
  /** Whether the last build failed, whoever began it. */
  readonly has_failed: boolean;
}

/** Why a build is begun at `now_ms`, on the clock of `ended_ms`; null where none is, or not yet. */
export function findCause(
  { failures, ended_ms, due_ms }: Attempts,
  wishes: Wishes,
  now_ms: number,
): 'due' | 'requested' | 'again' | null {
  const waited_ms = now_ms - ended_ms;
  if (wishes.due_ms !== null && wishes.due_ms !== due_ms) return 'due';
  if (wishes.is_requested && (failures === 0 || waited_ms > ASKED_PAUSE_MS)) return 'requested';
  const is_owed = failures > 0 && (wishes.has_failed || wishes.due_ms !== null);
  return is_owed && waited_ms > toPauseMs(failures) ? 'again' : null;
}
