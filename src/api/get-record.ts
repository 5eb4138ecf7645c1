// GET /api/v1/events/{idOrSlug}, /venues/{slug} and /organizers/{slug}: one record with what is
// upcoming of it (contract 8.4, 8.6, 8.7).
import type { EventCard, EventDetail } from '../domain/agenda.ts';
import { AppError } from '../domain/app-error.ts';
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import { type EventFilter, toOpenFilter } from '../domain/filters/event-filter.ts';
import {
  EVENT_DATES_NAMES,
  parseEventDatesQuery,
  pickDates,
} from '../domain/filters/event-dates-query.ts';
import { LIMITS } from '../domain/filters/limit.ts';
import type { Lang } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import { toVenueDay } from '../domain/venue-day.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { type HttpResponse, toEnvelopeResponse } from '../http/message.ts';
import { toMeta } from '../serializers/wire/meta.ts';
import { toEventDetail } from '../serializers/wire/event.ts';
import { toPublicOrganizer } from '../serializers/wire/organizer.ts';
import { toPublicVenue } from '../serializers/wire/venue.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { getEvent, getOrganizer, getVenue } from '../snapshot/get-thing.ts';
import { type ApiContext, type Call, parseLang, readParameters, toFreshness } from './operation.ts';

/**
 * By id or any slug it ever had. Throws AppError not_found or gone (contract 5.5, 5.7).
 */
export function findEvent(id_or_slug: string, { snapshot, now_ms }: ApiContext): EventDetail {
  const detail = getEvent(snapshot, id_or_slug, floorToMinute(now_ms));
  if (detail === null) throw new AppError('not_found', 'idOrSlug: no event has this id or slug');
  if (detail === 'gone') throw new AppError('gone', 'idOrSlug: this event has been withdrawn');
  return detail;
}

/** By any slug it ever had, or its id. Throws AppError not_found or gone. */
export function findVenue(slug: string, { snapshot }: ApiContext): VenueRecord {
  if (snapshot.findId('venue', slug) === 'gone')
    throw new AppError('gone', 'slug: this venue is no longer listed');
  const venue = getVenue(snapshot, slug);
  if (venue === null) throw new AppError('not_found', 'slug: no venue has this slug');
  return venue;
}

/** By any slug it ever had, or its id. Throws AppError not_found or gone. */
export function findOrganizer(slug: string, { snapshot }: ApiContext): OrganizerRecord {
  if (snapshot.findId('organizer', slug) === 'gone')
    throw new AppError('gone', 'slug: this organizer is no longer listed');
  const organizer = getOrganizer(snapshot, slug);
  if (organizer === null) throw new AppError('not_found', 'slug: no organizer has this slug');
  return organizer;
}

/** The event as `{data, meta}` with every occurrence, or those of some days; past events too. */
export function toEventResponse({ request, id, context }: Call): HttpResponse {
  const issues: string[] = [];
  const params = readParameters(request.query, EVENT_DATES_NAMES, issues);
  const { lang, range } = parseEventDatesQuery(params, context.now_ms, issues);
  const detail = findEvent(id, context);
  const dates = pickDates(detail.occurrences, range);
  return toRecordResponse(toEventDetail(detail, lang, context.site, dates), lang, context);
}

/** The venue as `{data, meta}` with at most 200 upcoming events. */
export function toVenueResponse({ request, id, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const lang = parseLang(request.query);
  const venue = findVenue(id, context);
  const cards = findUpcoming({ venue }, lang, context);
  return toRecordResponse(
    toPublicVenue(
      venue,
      toVenueDay(venue, toCancunDay(now_ms), snapshot.calendar.holidays),
      cards,
      snapshot.taxonomy,
      lang,
      site,
    ),
    lang,
    context,
  );
}

/** The organizer as `{data, meta}` with at most 200 upcoming events. */
export function toOrganizerResponse({ request, id, context }: Call): HttpResponse {
  const lang = parseLang(request.query);
  const organizer = findOrganizer(id, context);
  const cards = findUpcoming({ organizer }, lang, context);
  return toRecordResponse(toPublicOrganizer(organizer, cards, lang, context.site), lang, context);
}

function findUpcoming(
  whose: Partial<EventFilter>,
  lang: Lang,
  { snapshot, now_ms }: ApiContext,
): readonly EventCard[] {
  const filter = { ...toOpenFilter(floorToMinute(now_ms), LIMITS.list.max), ...whose };
  return findEvents(snapshot, filter, lang).cards;
}

const toRecordResponse = (
  data: unknown,
  lang: Lang,
  { snapshot, now_ms, site }: ApiContext,
): HttpResponse =>
  toEnvelopeResponse(data, toMeta(snapshot.generated_at, lang, site), {
    'cache-control': toFreshness(now_ms),
  });
