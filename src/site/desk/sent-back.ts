// A button that sends something back, with one of the reasons that are given most or with what was typed.
import { findRejection, findWish, type Rejection, type Wish } from '../../domain/change.ts';

/** How it is sent back, and for which chosen reason; null where it is not. */
export function readSentBack(
  does: string,
): { readonly action: 'ask' | 'reject'; readonly chosen: Rejection | Wish | null } | null {
  const [, action, code] = /^(ask|reject)(?::(\w+))?$/.exec(does) ?? [];
  if (action !== 'ask' && action !== 'reject') return null;
  const chosen = action === 'ask' ? findWish(code) : findRejection(code);
  return { action, chosen };
}
