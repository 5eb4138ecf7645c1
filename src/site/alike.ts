// The events of the agenda that look like the same thing as one that is sent in (contract 14.10).
import { floorToMinute, parseDay } from '../domain/cancun-time.ts';
import { toOpenFilter } from '../domain/filters/event-filter.ts';
import { LANGS } from '../domain/lang.ts';
import { isLikelyDuplicate, type Likeable } from '../domain/submission/likeness.ts';
import type { Submission } from '../domain/submission/submission.ts';
import { findOccurrences, type FoundOccurrence } from '../snapshot/find-occurrences.ts';
import type { SiteState } from './state.ts';

/** Days of a submission that are looked at, and occurrences on each. */
const MAX_DAYS = 10;
const MAX_A_DAY = 500;

/** What of a submission is compared. */
export const toLikeable = (s: Submission): Likeable => ({
  titles: [s.title],
  days: [s.start.slice(0, 10), ...s.dates].slice(0, MAX_DAYS),
  venue: s.venue,
  venue_name: s.venue_name,
});

/** Each once, on the first day that both have; never `own_id` itself. */
export function findAlikeEvents(
  { snapshot, now_ms }: Pick<SiteState, 'snapshot' | 'now_ms'>,
  own: Likeable,
  own_id: string,
): readonly FoundOccurrence[] {
  const found = new Map<string, FoundOccurrence>();
  for (const date of own.days) {
    const day = parseDay(date);
    if (!day) continue;
    const filter = {
      ...toOpenFilter(floorToMinute(now_ms), MAX_A_DAY),
      range: { from: day, to: day },
    };
    for (const hit of findOccurrences(snapshot, filter).items) {
      const { event, venue } = hit.card;
      const other: Likeable = {
        titles: LANGS.map((one) => event.title[one]),
        days: [date],
        venue: venue?.id ?? null,
        venue_name: venue?.name ?? null,
      };
      if (event.id === own_id || found.has(event.id) || !isLikelyDuplicate(own, other)) continue;
      found.set(event.id, hit);
    }
  }
  return [...found.values()];
}
