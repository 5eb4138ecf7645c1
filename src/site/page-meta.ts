// Page metadata: builds the head of a page (title, paths, alternates, structured data), and defines
// the failure results of pages. Also builds posters (contract 16.1): images shown where a page is
// shared, with the date, the title and picture cards of events. A card has a drawing or photo, the
// day of the month and the name of the drawing's motif.
import { findLastDate } from '../domain/event/event.ts';
import { createHash } from 'node:crypto';
import { type AgendaPageKind, isSingleDay } from '../domain/date-keywords.ts';
import type { EventCard, EventDetail } from '../domain/agenda.ts';
import { type DayRange, fromDayNumber, toDayNumber } from '../domain/local-time.ts';
import { getEffectiveStatus } from '../domain/event/facts.ts';
import type { Lang, LocalText } from '../domain/lang.ts';
import { findPicture, type Poster, type PosterCard } from '../domain/pictures.ts';
import type { Site } from '../domain/site.ts';
import { formatDateParts, formatHoursOrNote } from '../i18n/format-dates.ts';
import { formatDoubt } from '../i18n/format-facts.ts';
import { type PageName, dayPath, markdownPath, posterPath } from '../i18n/paths.ts';
import { t, tPlural } from '../i18n/translate.ts';

/** The image of a page, for its head. */
export interface PosterLink {
  /** Ends in a digest of the poster's content, so that a changed picture has a new address. */
  readonly path: string;
  readonly alt: string;
}

/** Metadata of a page: title, paths in each language and alternates. */
export interface PageMeta {
  readonly lang: Lang;
  /** Without the site's name. */
  readonly title: string;
  /** One sentence, plain text. */
  readonly description: string;
  /** Canonical paths in each language; null for error pages, which have no address. */
  readonly paths: LocalText | null;
  /**
   * Query in each language, such as `?free=1`. A page with a query is one of many variants: it is
   * not indexed, and its canonical address is the path alone. Empty or absent for other pages.
   */
  readonly query?: LocalText;
  /**
   * Set if the address is secret: the page is not indexed, and its head does not contain the
   * address.
   */
  readonly is_private?: true;
  /** Path of the Markdown version, with the query of the page. */
  readonly markdown: string | null;
  /** Path of the calendar feed with the events of the page. */
  readonly calendar: string | null;
  /** Structured data (schema.org). */
  readonly json_ld: object | null;
  /** Menu entry that is marked as current on this page. */
  readonly entry: PageName | null;
  readonly site: Site;
  /** Absent if the page uses the site's default poster. */
  readonly poster?: PosterLink;
}

/** Fields that a page sets itself. */
type MetaFields = Pick<PageMeta, 'title' | 'description'> & Partial<PageMeta>;

/**
 * Builds the metadata of a page.
 * @param fields Title, description, and the fields that differ from a plain page.
 */
export const buildPageMeta = (
  { site }: { readonly site: Site },
  lang: Lang,
  paths: LocalText | null,
  fields: MetaFields,
): PageMeta => ({
  lang,
  site,
  paths,
  markdown: paths && markdownPath(paths[lang]),
  calendar: null,
  json_ld: null,
  entry: null,
  ...fields,
});

/**
 * HTTP status of each failure page. The service worker caches `offline` while online, hence 200.
 */
export const FAILURE_STATUS = { not_found: 404, gone: 410, broken: 500, offline: 200 } as const;
/** `gone`: withdrawn for legal reasons; `broken`: internal error or unavailable. */
export type FailureKind = keyof typeof FAILURE_STATUS;

/** Result of a page that cannot be shown. */
export interface FailureResult {
  readonly kind: 'failure';
  readonly failure: FailureKind;
  /** Overrides FAILURE_STATUS. */
  readonly status?: number;
}

export const NOT_FOUND: FailureResult = { kind: 'failure', failure: 'not_found' };
/** A record withdrawn for legal reasons. */
export const GONE: FailureResult = { kind: 'failure', failure: 'gone' };
/** Returned for form pages without the front server, which receives submissions. */
export const UNAVAILABLE: FailureResult = { kind: 'failure', failure: 'broken', status: 503 };

/** Builds the view of a failure page, which has no address and is not indexed. */
export const buildFailureView = (kind: FailureKind, lang: Lang, site: Site) => ({
  meta: buildPageMeta({ site }, lang, null, {
    title: t(lang, `failure.${kind}.title`),
    description: t(lang, `failure.${kind}.text`),
  }),
});

/** Returns a short digest of a poster's content, for its address. */
export const digestPoster = (poster: object): string =>
  createHash('sha256').update(JSON.stringify(poster)).digest('base64url').slice(0, 10);

/** Builds the link to a poster, with its texts as the alternative text. */
export function posterLink(poster: Poster, path: string): PosterLink {
  const { date, cards, mark, title, lines } = poster;
  const day = date && `${date.weekday} ${date.number} ${date.month}`;
  const titles = cards.map((card) => card.title);
  return {
    path: `${path}?v=${digestPoster(poster)}`,
    alt: [mark, title, day, ...lines, ...titles].filter((part) => part).join(', '),
  };
}

/** Formats the large date of a poster: weekday, day or days of the month, and month. */
function formatPosterDate(range: DayRange, lang: Lang): NonNullable<Poster['date']> {
  const parts = formatDateParts(range, lang);
  const textOf = (kind: 'weekday' | 'number' | 'month'): string =>
    parts.find((part) => part.kind === kind)?.text ?? '';
  return { weekday: textOf('weekday'), number: textOf('number'), month: textOf('month') };
}

/**
 * Builds the picture card of an event: its picture, the name of its motif and the day of the month.
 * @param day Day number of the date.
 * @param title Null on the poster of the event itself, which has the title in large letters.
 * @returns an empty list if the event has no picture.
 */
function buildPosterCards(
  card: Pick<EventCard, 'event' | 'motif'>,
  day: number | undefined,
  lang: Lang,
  title: string | null,
): readonly PosterCard[] {
  const picture = findPicture(card);
  if (picture === null) return [];
  const name = picture.kind === 'drawing' ? picture.motif.name[lang].toLocaleUpperCase(lang) : null;
  const number = day === undefined ? '' : `${fromDayNumber(day).day}`;
  return [{ picture, number, name, title }];
}

/** Builds the poster of an event, with its next date, or its last if all are over. */
export function buildEventPoster(detail: EventDetail, lang: Lang, site: Site): Poster {
  const { event, venue, zone, next } = detail;
  const occurrence = next ?? findLastDate(detail.occurrences);
  const status = getEffectiveStatus(event, next);
  const place = venue?.name ?? event.location_note?.[lang] ?? zone?.name[lang];
  const hours = occurrence && formatHoursOrNote(occurrence, lang);
  return {
    name: site.name,
    date:
      occurrence &&
      formatPosterDate(
        { from: fromDayNumber(occurrence.first_day), to: fromDayNumber(occurrence.last_day) },
        lang,
      ),
    cards: buildPosterCards(detail, occurrence?.first_day, lang, null),
    /** Status of the event: cancelled or postponed. */
    mark: status && t(lang, `status.${status}`),
    title: event.title[lang],
    lines: [place, hours, formatDoubt(detail, lang)].filter((line) => typeof line === 'string'),
  };
}

/** The days of a poster, with the events that it names. */
export interface PosterAgenda {
  /** Kind of page: one of the keywords, `day`, `days` or `festivity`. */
  readonly agenda: AgendaPageKind;
  readonly range: DayRange;
  readonly paths: LocalText;
  /** Name of the festivity; null for other days. */
  readonly name: LocalText | null;
  /** Events that the poster names. */
  readonly events: readonly EventCard[];
  /** Number of all events of the days. */
  readonly count: number;
}

/** Returns the day number on a card: events that began earlier get the first day of the range. */
const posterDayOf = ({ next }: EventCard, { from }: DayRange): number =>
  Math.max(next?.first_day ?? 0, toDayNumber(from));

/**
 * Builds the poster of one or more days. It never says "today", so that it stays right on later
 * days.
 */
export function buildAgendaPoster(
  { agenda: kind, range, name, events, count }: PosterAgenda,
  lang: Lang,
  site: Site,
): Poster {
  return {
    name: site.name,
    date: formatPosterDate(range, lang),
    cards: events.flatMap((card) =>
      buildPosterCards(card, posterDayOf(card, range), lang, card.event.title[lang]),
    ),
    mark: null,
    title: name
      ? t(lang, 'agenda.title.festivity', { name: name[lang] })
      : t(lang, kind === 'weekend' ? 'poster.weekend' : 'agenda.title.day'),
    lines: count === 0 ? [] : [tPlural(lang, 'events.count', count)],
  };
}

/**
 * Returns the path of a poster of days. A single day has its poster at its date, also if requested
 * by keyword.
 */
export const agendaPosterPath = (
  { agenda: kind, range, paths }: Pick<PosterAgenda, 'agenda' | 'range' | 'paths'>,
  lang: Lang,
): string => posterPath(isSingleDay(kind) ? dayPath(range.from.toString(), lang) : paths[lang]);

/** Links to save a date, to subscribe to a calendar and to share a page. */
export interface SubscribeLinks {
  /** Summary of the folded links. */
  readonly title: string;
  /** Name of the calendar. */
  readonly name: string;
  /** Path of the calendar file of one date, and URL that adds it to Google Calendar. */
  readonly save: { readonly file: string; readonly google: string } | null;
  /** Absolute URL of the calendar. */
  readonly follow_url: string | null;
  /** Text and URL to share, and the link that shares both on WhatsApp. */
  readonly share: {
    readonly text: string;
    readonly url: string;
    readonly whatsapp: string;
  } | null;
}

/** Builds the links of a page with a calendar only. */
export const buildSubscribeLinks = (
  title: string,
  name: string,
  follow_url: string,
): SubscribeLinks => ({
  title,
  name,
  save: null,
  follow_url,
  share: null,
});
