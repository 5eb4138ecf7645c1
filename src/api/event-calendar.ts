// The calendars of one event: every date it ever had, those of one day, and the one to follow
// (contract 8.5, 8.15, 8.16).
import type { Temporal } from 'temporal-polyfill';
import type { EventDetail } from '../domain/agenda.ts';
import { AppError } from '../domain/app-error.ts';
import { fromDayNumber, toCancunDay } from '../domain/cancun-time.ts';
import { findOfDay, FOLLOWED, listFollowed } from '../domain/event/calendar-dates.ts';
import { filterUpcoming, type OccurrenceRecord } from '../domain/event/event.ts';
import { readLang } from '../domain/filters/lang.ts';
import { LIMITS } from '../domain/filters/limit.ts';
import { readDay } from '../domain/filters/notice-query.ts';
import type { Lang } from '../domain/lang.ts';
import type { HttpResponse } from '../http/message.ts';
import {
  toAbsolute,
  toDateIcsPath,
  toEventIcsPath,
  toThingIcsPath,
  toThingPath,
} from '../i18n/paths.ts';
import { withQuery } from '../i18n/api-paths.ts';
import { t } from '../i18n/translate.ts';
import { toCalendarResponse, toDescription } from './calendars.ts';
import { findEvent } from './get-record.ts';
import { type ApiContext, type Call, parseLang, readParameters } from './operation.ts';

/** Days named where one is asked for that the event does not have. */
const NAMED_DAYS = 3;

/** What is asked of one event's file; `day` is null for every date. */
interface Asked {
  readonly day: Temporal.PlainDate | null;
  readonly lang: Lang;
}

function parseAsked(query: string, now_ms: number): Asked {
  const issues: string[] = [];
  const params = readParameters(query, ['date', 'lang'], issues);
  const lang = readLang(params, issues);
  const day = params.date === undefined ? null : readDay(params.date, now_ms, issues);
  if (issues.length > 0) throw new AppError('invalid_parameter', issues.join('; '));
  return { day, lang };
}

/** Throws AppError not_found that names the days it does have. */
function findDates(
  detail: EventDetail,
  day: Temporal.PlainDate,
  now_ms: number,
): readonly OccurrenceRecord[] {
  const found = findOfDay(detail.occurrences, day);
  if (found.length > 0) return found;
  const ahead = filterUpcoming(detail.occurrences, now_ms);
  const days = (ahead.length > 0 ? ahead : detail.occurrences.slice(-1)).map((one) =>
    fromDayNumber(one.first_day).toString(),
  );
  const named = [...new Set(days)].slice(0, NAMED_DAYS).join(', ');
  throw new AppError(
    'not_found',
    `date: the event has no date on ${day.toString()}. ${ahead.length > 0 ? 'Its next ones' : 'Its last one'}: ${named}`,
  );
}

/** How a file of some of an event's dates is called and where it is. */
interface DatesFile {
  readonly dates: readonly OccurrenceRecord[];
  /** Said where not every date is in. */
  readonly more: string | null;
  readonly path: string;
  readonly suffix: string;
}

function toFile(
  detail: EventDetail,
  { dates, more, path, suffix }: DatesFile,
  lang: Lang,
  context: ApiContext,
): HttpResponse {
  const { event } = detail;
  const { site } = context;
  return toCalendarResponse(
    dates.map((occurrence) => ({ occurrence, card: detail })),
    {
      name: event.title[lang],
      description: toDescription(more, lang, site),
      page_url: toAbsolute(site.url, toThingPath('event', event.slug, lang)),
      feed_url: toAbsolute(site.url, path),
      file_name: `${event.slug[lang]}${suffix}`,
    },
    lang,
    context,
  );
}

/**
 * Every occurrence of one event, past ones too, of which the latest where there are more than a feed
 * holds; with `date` only those of that day, or AppError not_found where it has none.
 */
export function toEventCalendarResponse({ request, id, context }: Call): HttpResponse {
  const { day, lang } = parseAsked(request.query, context.now_ms);
  const detail = findEvent(id, context);
  const event_id = detail.event.id;
  const file =
    day === null
      ? {
          dates: detail.occurrences.slice(-LIMITS.feed.max),
          path: withQuery(toEventIcsPath(event_id), { lang }),
          suffix: '',
        }
      : {
          dates: findDates(detail, day, context.now_ms),
          path: toDateIcsPath(event_id, day.toString(), lang),
          suffix: `-${day.toString()}`,
        };
  return toFile(detail, { ...file, more: null }, lang, context);
}

/** What a subscriber follows of one event: from a week ago on, at most 60 dates ahead. */
export function toEventSubscriptionResponse({ request, id, context }: Call): HttpResponse {
  const lang = parseLang(request.query);
  const detail = findEvent(id, context);
  const { dates, is_cut } = listFollowed(detail.occurrences, toCancunDay(context.now_ms));
  return toFile(
    detail,
    {
      dates,
      more: is_cut ? t(lang, 'ics.followed', { count: FOLLOWED.dates_ahead }) : null,
      path: toThingIcsPath('event', detail.event.slug, lang),
      suffix: '',
    },
    lang,
    context,
  );
}
