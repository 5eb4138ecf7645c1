// Which of a day's open places are open at an instant, open later, or have closed. Pure.
import type { OpenSpan } from '../opening-hours.ts';
import type { OpenPlace } from '../venue-day.ts';

/**
 * `open` until a closing hour that is known; `unknown`: it opens on that day, at hours that nobody knows,
 * or may be open still; `closed`: it does not open.
 */
export const PLACE_STATES = ['open', 'later', 'unknown', 'over', 'closed'] as const;
export type PlaceState = (typeof PLACE_STATES)[number];

/** A place with how it stands, and the span that says so: the one under way or the next. */
export interface PlaceByHour {
  readonly place: OpenPlace;
  readonly state: PlaceState;
  readonly span: OpenSpan | null;
}

function toState({ on_day: { opening } }: OpenPlace, now_ms: number): Omit<PlaceByHour, 'place'> {
  const { is_open, spans } = opening;
  if (!is_open) return { state: 'closed', span: null };
  const ahead = spans.find(({ open_ms }) => open_ms > now_ms);
  const begun = spans.findLast(({ open_ms }) => open_ms <= now_ms);
  if (begun && begun.close_ms !== null && now_ms < begun.close_ms)
    return { state: 'open', span: begun };
  if (ahead) return { state: 'later', span: ahead };
  if (begun?.close_ms === null || spans.length === 0)
    return { state: 'unknown', span: begun ?? null };
  return { state: 'over', span: null };
}

/** The places of today at an instant: those that are open first, those that are not last. */
export function splitPlaces(places: readonly OpenPlace[], now_ms: number): readonly PlaceByHour[] {
  return places
    .map((place) => ({ place, ...toState(place, now_ms) }))
    .sort((a, b) => PLACE_STATES.indexOf(a.state) - PLACE_STATES.indexOf(b.state));
}
