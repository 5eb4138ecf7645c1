// Events and submissions that look like the same thing as a submission (contract 14.10).
import type { Lang } from '../../domain/lang.ts';
import { isLikelyDuplicate } from '../../domain/submission/likeness.ts';
import type { StoredSubmission } from '../../domain/submission/submission.ts';
import { DESK_PATHS, toThingPath } from '../../i18n/paths.ts';
import { findAlikeEvents, toLikeable, toEventId } from '../../desk/known.ts';
import type { SiteState } from '../state.ts';
import type { Duplicate } from './screens.ts';

/** Those of the agenda, then those of `others` that wait too. */
export function findDuplicates(
  state: SiteState,
  stored: StoredSubmission,
  others: readonly StoredSubmission[],
  lang: Lang,
): readonly Duplicate[] {
  const own = toLikeable(stored.submission);
  const published = findAlikeEvents(state, own, toEventId(stored.reference)).map(
    ({ card: { event, venue } }): Duplicate => ({
      reference: event.id,
      title: event.title[lang],
      place: venue?.name ?? null,
      path: toThingPath('event', event.slug, lang),
    }),
  );
  const waiting = others
    .filter(
      (other) =>
        other.reference !== stored.reference &&
        isLikelyDuplicate(own, toLikeable(other.submission)),
    )
    .map(
      (other): Duplicate => ({
        reference: other.reference,
        title: other.submission.title,
        place: other.submission.venue_name,
        path: `${DESK_PATHS.items}/${other.reference}`,
      }),
    );
  return [...published, ...waiting];
}
