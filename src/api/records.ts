// One record with what is upcoming of it, and one day (contract 8.4, 8.6, 8.14).
import type { EventDetail } from '../domain/agenda.ts';
import { pickDates } from '../domain/event/event.ts';
import { AppError } from '../domain/app-error.ts';
import { floorToMinute, toLocalDay } from '../domain/local-time.ts';
import { toDayFacts } from '../domain/day/day-facts.ts';
import { EVENT_DATES_NAMES, parseEventDatesQuery } from '../domain/query/list-queries.ts';
import { type EventFilter, toOpenFilter } from '../domain/query/event-query.ts';
import { readLang, refuse } from '../domain/query/values.ts';
import { LIMITS } from '../domain/query/parameters.ts';
import { readComputedDay } from '../domain/query/days.ts';
import type { Lang } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import { toVenueDay } from '../domain/opening-hours.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { HttpResponse } from '../http/message.ts';
import { toPublicDay } from '../serializers/wire/day.ts';
import { toEventDetail, toPublicEvent } from '../serializers/wire/event.ts';
import {
  toPublicOpenPlaces,
  toPublicOrganizer,
  toPublicVenue,
} from '../serializers/wire/places.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { getEvent, getOrganizer, getVenue } from '../snapshot/get-thing.ts';
import { findOpenPlaces } from '../snapshot/places.ts';
import { type Call, parseLang, readParameters, respondData } from './operation.ts';

/** By id or any slug it ever had. Throws AppError not_found or gone (contract 5.5, 5.7). */
export function findEvent({ id, snapshot, now_ms }: Call): EventDetail {
  const detail = getEvent(snapshot, id, floorToMinute(now_ms));
  if (detail === null) throw new AppError('not_found', 'idOrSlug: no event has this id or slug');
  if (detail === 'gone') throw new AppError('gone', 'idOrSlug: this event has been withdrawn');
  return detail;
}

/** By any slug it ever had, or its id. Throws AppError not_found or gone. */
export const findVenue = (call: Call): VenueRecord =>
  findPlace(call, 'venue', getVenue(call.snapshot, call.id));
export const findOrganizer = (call: Call): OrganizerRecord =>
  findPlace(call, 'organizer', getOrganizer(call.snapshot, call.id));

function findPlace<T>({ id, snapshot }: Call, kind: 'venue' | 'organizer', found: T | null): T {
  if (snapshot.findId(kind, id) === 'gone')
    throw new AppError('gone', `slug: this ${kind} is no longer listed`);
  if (found === null) throw new AppError('not_found', `slug: no ${kind} has this slug`);
  return found;
}

/** With every occurrence, or those of some days; past events too. */
export function serveEvent(call: Call): HttpResponse {
  const issues: string[] = [];
  const params = readParameters(call, EVENT_DATES_NAMES, issues);
  const { lang, range } = parseEventDatesQuery(params, call.now_ms, issues);
  const detail = findEvent(call);
  const dates = pickDates(detail.occurrences, range);
  return respondData(call, { data: toEventDetail(detail, lang, call.site, dates), lang });
}

export function serveVenue(call: Call): HttpResponse {
  const { snapshot, now_ms, site } = call;
  const lang = parseLang(call);
  const venue = findVenue(call);
  const day = toVenueDay(venue, toLocalDay(now_ms), snapshot.calendar.holidays);
  const fields = toPublicVenue(venue, day, snapshot.taxonomy, lang, site);
  return respondData(call, { data: { ...fields, ...listUpcoming({ venue }, lang, call) }, lang });
}

export function serveOrganizer(call: Call): HttpResponse {
  const lang = parseLang(call);
  const organizer = findOrganizer(call);
  const fields = toPublicOrganizer(organizer, lang, call.site);
  return respondData(call, {
    data: { ...fields, ...listUpcoming({ organizer }, lang, call) },
    lang,
  });
}

/** In order of time. */
function listUpcoming(whose: Partial<EventFilter>, lang: Lang, { snapshot, now_ms, site }: Call) {
  const filter = { ...toOpenFilter(floorToMinute(now_ms), LIMITS.list.max), ...whose };
  const { cards } = findEvents(snapshot, filter, lang);
  return { upcoming_events: cards.map((card) => toPublicEvent(card, lang, site)) };
}

/** What is known of a day, whatever takes place on it. */
export function serveDay(call: Call): HttpResponse {
  const { snapshot, now_ms, site, id } = call;
  const issues: string[] = [];
  const lang = readLang(readParameters(call, ['lang'], issues), issues);
  const day = readComputedDay(id, now_ms, issues);
  refuse(issues);
  const data = {
    ...toPublicDay(toDayFacts(day, snapshot.calendar), lang),
    open_places: toPublicOpenPlaces(findOpenPlaces(snapshot, day), lang, site),
  };
  return respondData(call, { data, lang });
}
