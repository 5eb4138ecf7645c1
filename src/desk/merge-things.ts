// Two places, or two organizers, that are one: the old one's events move and its addresses lead to
// the kept one (contract 14.32).
import { AppError } from '../domain/app-error.ts';
import type { Actor } from '../domain/decision.ts';
import { followMerges, type Merge } from '../domain/patch.ts';
import type { Inbox } from '../inbox/open.ts';
import { deleteMerge, insertMerge, listMerges } from '../inbox/patches.ts';
import { decide } from './decide.ts';
import { toLogReason } from './reason.ts';
import { openSources } from './sources.ts';

/** Merges `old` into `kept`, from the next release on. Throws AppError where they cannot be one. */
export function mergeInto(
  inbox: Inbox,
  { editor, now_ms }: Actor,
  { kind, old, kept }: Merge,
  words: string,
): void {
  const reason = toLogReason(words);
  const [merges, sources] = [listMerges(inbox), openSources(inbox)];
  // Two that lead to each other would lead nowhere.
  const kept_at = followMerges(merges).get(kept) ?? kept;
  if (
    sources.get(old)?.kind !== kind ||
    sources.get(kept)?.kind !== kind ||
    merges.some((merge) => merge.old === old) ||
    kept_at === old
  )
    throw new AppError(
      'invalid_parameter',
      `merge: ${old} cannot be one with ${kept}. Both must be there, of one kind and not merged yet`,
      'not_mergeable',
    );
  const decision = { editor, now_ms, action: 'merge', subject: kept, reason } as const;
  decide(inbox, decision, [{ table: 'merges', key: [old] }], () =>
    insertMerge(inbox, { kind, old, kept }),
  );
}

/** Makes two of them again. Throws AppError where they were not merged. */
export function split(inbox: Inbox, { editor, now_ms }: Actor, old: string): void {
  const merge = listMerges(inbox).find((one) => one.old === old);
  if (merge === undefined)
    throw new AppError('not_found', 'merge: that one was not merged', 'no_such_merge');
  const decision = { editor, now_ms, action: 'split', subject: merge.kept, reason: null } as const;
  decide(inbox, decision, [{ table: 'merges', key: [old] }], () => deleteMerge(inbox, old));
}
