// What comes up in one place, category or zone, for the page of that thing.
import type { EventCard } from '../domain/agenda.ts';
import { floorToMinute } from '../domain/cancun-time.ts';
import { type EventFilter, toOpenFilter } from '../domain/filters/event-filter.ts';
import type { Lang } from '../domain/lang.ts';
import { findEvents } from '../snapshot/find-events.ts';
import type { SiteState } from './state.ts';

/** Most events that such a page lists. */
export const MAX_UPCOMING = 100;

/** Upcoming events that match, in order of their next date. */
export function findUpcoming(
  { snapshot, now_ms }: SiteState,
  only: Partial<EventFilter>,
  lang: Lang,
): readonly EventCard[] {
  return findEvents(
    snapshot,
    { ...toOpenFilter(floorToMinute(now_ms), MAX_UPCOMING), ...only },
    lang,
  ).cards;
}
