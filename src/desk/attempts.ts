// Attempts to log in, counted so that passwords cannot be guessed and nobody can lock anybody out: an
// address has so many, a name that is tried often gets slower, and devices from which an editor came
// in before are counted by themselves (contract 14.38).
import {
  countAttempts,
  deleteAttempt,
  insertAttempt,
  pruneAttempts,
} from '../inbox/login-attempts.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';
import { toCounted } from './secret.ts';

const WINDOW_MS = 15 * 60_000;
/** Failures within the window: beyond those of an address, or of a known device, it is refused. */
export const LOGIN_LIMITS = { address: 8, device: 12 } as const;
/** Wrong codes within the window, after a right password. */
export const CODE_LIMIT = 6;
/** Failures of a name from which on strangers wait, and how long at first and at most. */
export const SLOW = { from: 5, first_ms: 250, longest_ms: 8_000 } as const;

/** Who tries: `device` is the digest of what a known device brought, null for a stranger. */
export interface Attempt {
  readonly address: string;
  readonly name: string;
  readonly device: string | null;
  readonly now_ms: number;
}

/** An attempt that is counted as a failure until it is taken back. */
export interface Counted {
  /** How long a stranger waits before the password is looked at. */
  readonly wait_ms: number;
  readonly ids: readonly number[];
}

/** Null where there were too many, and then the password is not to be looked at. */
export function countAttempt(inbox: Inbox, attempt: Attempt): Counted | null {
  const { address, name, device, now_ms } = attempt;
  const limit = device === null ? LOGIN_LIMITS.address : LOGIN_LIMITS.device;
  const who =
    device === null
      ? toCounted(inbox, 'login address', address)
      : toCounted(inbox, 'login device', device);
  const named = toCounted(inbox, 'login name', name);
  return count(inbox, [who, ...(device === null ? [named] : [])], limit, now_ms, () =>
    device === null ? toWait(countRecent(inbox, named, now_ms)) : 0,
  );
}

/** The same for a code after a right password: counted for the name, and for a known device alone. */
export function countCode(inbox: Inbox, { name, device, now_ms }: Attempt): Counted | null {
  const who = toCounted(inbox, 'login code', `${name}\n${device ?? ''}`);
  return count(inbox, [who], CODE_LIMIT, now_ms, () => 0);
}

function count(
  inbox: Inbox,
  who: readonly string[],
  limit: number,
  now_ms: number,
  toWaitMs: () => number,
): Counted | null {
  const [first = ''] = who;
  // A look alone: whoever is refused must cost no writing.
  if (countRecent(inbox, first, now_ms) >= limit) return null;
  return inTransaction(inbox, (): Counted | null => {
    // What a clock that ran ahead has counted would count until it is that late.
    pruneAttempts(inbox, now_ms - WINDOW_MS, now_ms + WINDOW_MS);
    if (countRecent(inbox, first, now_ms) >= limit) return null;
    const wait_ms = toWaitMs();
    return { wait_ms, ids: who.map((one) => insertAttempt(inbox, one, now_ms)) };
  });
}

const countRecent = (inbox: Inbox, who: string, now_ms: number): number =>
  countAttempts(inbox, who, now_ms - WINDOW_MS, now_ms + WINDOW_MS);

/** Twice as long with each failure. */
const toWait = (failures: number): number =>
  failures < SLOW.from
    ? 0
    : Math.min(SLOW.longest_ms, SLOW.first_ms * 2 ** Math.min(failures - SLOW.from, 20));

/** It was none that failed: only this attempt is forgotten, so that nobody clears the others by it. */
export function takeBack(inbox: Inbox, { ids }: Counted): void {
  inTransaction(inbox, () => {
    for (const id of ids) deleteAttempt(inbox, id);
  });
}
