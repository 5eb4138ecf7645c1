// Every address of the site: the only place that builds a link (style, Text).
import type { Lang, LocalText } from '../domain/lang.ts';
import { toPlaceLine } from '../domain/place-line.ts';
import type { VenueRecord } from '../domain/venue.ts';

/** Paths of the pages that exist once, in both languages. */
export const PAGE_PATHS = {
  today: { es: '/hoy', en: '/en/today' },
  tomorrow: { es: '/manana', en: '/en/tomorrow' },
  weekend: { es: '/fin-de-semana', en: '/en/weekend' },
  week: { es: '/semana', en: '/en/week' },
  calendar: { es: '/calendario', en: '/en/calendar' },
  docs: { es: '/docs', en: '/en/docs' },
  submit: { es: '/publicar', en: '/en/submit' },
} as const satisfies Record<string, LocalText>;
export type PageName = keyof typeof PAGE_PATHS;

/** First path parts of the pages that exist once a thing. */
export const SECTION_PATHS = {
  day: { es: '/fecha', en: '/en/date' },
  event: { es: '/eventos', en: '/en/events' },
  venue: { es: '/lugares', en: '/en/venues' },
  organizer: { es: '/organizadores', en: '/en/organizers' },
  category: { es: '/categorias', en: '/en/categories' },
  zone: { es: '/zonas', en: '/en/zones' },
} as const satisfies Record<string, LocalText>;
export type SectionName = keyof typeof SECTION_PATHS;

export const toPagePath = (page: PageName, lang: Lang): string => PAGE_PATHS[page][lang];

/** The page of a thing by its slugs: `/eventos/paseo`, `/en/events/ride`. */
export const toThingPath = (
  section: Exclude<SectionName, 'day'>,
  slug: LocalText,
  lang: Lang,
): string => `${SECTION_PATHS[section][lang]}/${slug[lang]}`;

/** The page of a day, YYYY-MM-DD. */
export const toDayPath = (day: string, lang: Lang): string => `${SECTION_PATHS.day[lang]}/${day}`;

/**
 * Where the variants of a page that the clock decides are prebuilt: `/hoy` in `_hoy`, `/en/today`
 * in `_today`.
 */
export const toVariantFolder = (path: string): string =>
  `_${path.slice(path.lastIndexOf('/') + 1)}`;

/** The Markdown twin of a page. */
export const toMarkdownPath = (path: string): string => `${path}.md`;

/** The single-event calendar file. */
export const toEventIcsPath = (id: string): string => `/api/v1/events/${id}.ics`;

/** An absolute address; `site_url` has no slash at its end. */
export const toAbsolute = (site_url: string, path: string): string => `${site_url}${path}`;

/**
 * Directions to a point or, without one, to an address: an https address that opens any phone's
 * map.
 */
export function toDirectionsUrl(
  place: Pick<VenueRecord, 'lat' | 'lng' | 'name' | 'address' | 'locality' | 'zone'>,
): string | null {
  const where =
    place.lat !== null && place.lng !== null
      ? `${place.lat},${place.lng}`
      : toPlaceLine([place.name, place.address, place.locality], place.zone);
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(where)}`;
}

/** The description of the API (interface 9). */
export const OPENAPI_PATH = '/api/openapi.json';

/** The calendar feed of what a page lists: a filter of the REST parameters, in one language. */
export const toFeedPath = (filter: Readonly<Record<string, string>>, lang: Lang): string =>
  `/api/v1/events.ics?${new URLSearchParams(lang === 'es' ? filter : { ...filter, lang })}`.replace(
    /\?$/,
    '',
  );

/** The calendar of a place or of who organizes, in one language. */
export const toThingIcsPath = (
  section: 'venue' | 'organizer',
  slug: LocalText,
  lang: Lang,
): string => `/${section}s/${slug[lang]}.ics${lang === 'es' ? '' : `?lang=${lang}`}`;

/** The name of the host of an outer address, without `www.`: what a reader knows a source by. */
export const toHostName = (url: string): string => new URL(url).hostname.replace(/^www\./, '');

/** Calls a number: its first run of digits, without an extension or a second number. */
export const toPhoneUrl = (phone: string): string =>
  `tel:${(phone.match(/^[\d\s()+.-]+/)?.[0] ?? phone).replace(/[^\d+]/g, '')}`;
