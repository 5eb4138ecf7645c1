// Who looks at what: an item that an editor opens is theirs for a while, so that two do not read the same.
// It keeps nobody from deciding (contract 14.22).
import type { Actor } from '../domain/decision.ts';
import { type Claim, deleteClaim, listClaims, putClaim } from '../inbox/claims.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';

/** For how long, from the last look on. */
export const CLAIM_MS = 10 * 60_000;

/**
 * Takes an item for an editor, or gives whose it is; `by_force` takes it from them. Throws AppError
 * not_stored where the disk takes no more.
 */
export function claimItem(
  inbox: Inbox,
  { editor, now_ms }: Actor,
  reference: string,
  by_force = false,
): Claim {
  return inTransaction(inbox, () => {
    const held = listClaims(inbox, now_ms).get(reference);
    if (held !== undefined && held.editor !== editor && !by_force) return held;
    const claim = { reference, editor, until_ms: now_ms + CLAIM_MS };
    putClaim(inbox, claim, now_ms);
    return claim;
  });
}

/** Gives it back. */
export const releaseItem = (inbox: Inbox, reference: string): void =>
  inTransaction(inbox, () => deleteClaim(inbox, reference));
