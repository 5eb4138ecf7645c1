// Events and submissions that look like the same thing as a submission (contract 14.10).
import { floorToMinute, parseDay } from '../../domain/cancun-time.ts';
import { toOpenFilter } from '../../domain/filters/event-filter.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import { isLikelyDuplicate, type Likeable } from '../../domain/submission/likeness.ts';
import type { StoredSubmission, Submission } from '../../domain/submission/submission.ts';
import { DESK_PATHS, toThingPath } from '../../i18n/paths.ts';
import { toEventId } from '../../desk/known.ts';
import { findOccurrences } from '../../snapshot/find-occurrences.ts';
import type { SiteState } from '../state.ts';
import type { Duplicate } from './screens.ts';

/** Days of a submission that are looked at, and occurrences on each. */
const MAX_DAYS = 10;
const MAX_A_DAY = 500;

const toDays = ({ start, dates }: Submission): string[] =>
  [start.slice(0, 10), ...dates].slice(0, MAX_DAYS);

const toLikeable = (s: Submission): Likeable => ({
  titles: [s.title],
  days: toDays(s),
  venue: s.venue,
  venue_name: s.venue_name,
});

/** Those of the agenda, then those of `others` that wait too. */
export function findDuplicates(
  state: SiteState,
  stored: StoredSubmission,
  others: readonly StoredSubmission[],
  lang: Lang,
): readonly Duplicate[] {
  const own = toLikeable(stored.submission);
  const waiting = others
    .filter(
      (other) =>
        other.reference !== stored.reference &&
        isLikelyDuplicate(own, toLikeable(other.submission)),
    )
    .map(
      (other): Duplicate => ({
        title: other.submission.title,
        place: other.submission.venue_name,
        path: `${DESK_PATHS.items}/${other.reference}`,
      }),
    );
  return [...findPublishedDuplicates(state, own, toEventId(stored.reference), lang), ...waiting];
}

function findPublishedDuplicates(
  { snapshot, now_ms }: SiteState,
  own: Likeable,
  own_id: string,
  lang: Lang,
): Duplicate[] {
  const found = new Map<string, Duplicate>();
  for (const date of own.days) {
    const day = parseDay(date);
    if (!day) continue;
    const filter = {
      ...toOpenFilter(floorToMinute(now_ms), MAX_A_DAY),
      range: { from: day, to: day },
    };
    for (const {
      card: { event, venue },
    } of findOccurrences(snapshot, filter).items) {
      const other: Likeable = {
        titles: LANGS.map((one) => event.title[one]),
        days: [date],
        venue: venue?.id ?? null,
        venue_name: venue?.name ?? null,
      };
      if (event.id === own_id || found.has(event.id) || !isLikelyDuplicate(own, other)) continue;
      found.set(event.id, {
        title: event.title[lang],
        place: venue?.name ?? null,
        path: toThingPath('event', event.slug, lang),
      });
    }
  }
  return [...found.values()];
}
