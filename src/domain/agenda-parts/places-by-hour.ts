// Which of a day's open places are open at an instant, open later, or have closed. Pure.
import type { OpenSpan } from '../opening-hours.ts';
import type { OpenPlace } from '../venue-day.ts';

/** `unknown`: it opens on that day, at hours that nobody knows; `closed`: it does not open. */
export const PLACE_STATES = ['open', 'later', 'unknown', 'over', 'closed'] as const;
export type PlaceState = (typeof PLACE_STATES)[number];

/** A place with how it stands, and the span in which it is open. */
export interface PlaceByHour {
  readonly place: OpenPlace;
  readonly state: PlaceState;
  readonly span: OpenSpan | null;
}

function toState({ on_day: { opening } }: OpenPlace, now_ms: number): Omit<PlaceByHour, 'place'> {
  const { is_open, spans } = opening;
  if (!is_open) return { state: 'closed', span: null };
  const open = spans.find(
    ({ open_ms, close_ms }) => open_ms <= now_ms && (close_ms === null || now_ms < close_ms),
  );
  if (open) return { state: 'open', span: open };
  if (spans.some(({ open_ms }) => open_ms > now_ms)) return { state: 'later', span: null };
  return { state: spans.length === 0 ? 'unknown' : 'over', span: null };
}

/** The places of today at an instant: those that are open first, those that are not last. */
export function splitPlaces(places: readonly OpenPlace[], now_ms: number): readonly PlaceByHour[] {
  return places
    .map((place) => ({ place, ...toState(place, now_ms) }))
    .sort((a, b) => PLACE_STATES.indexOf(a.state) - PLACE_STATES.indexOf(b.state));
}
