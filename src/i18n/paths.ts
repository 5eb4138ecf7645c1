// Paths: builds every internal URL of the site; no other module does (README.md, How it is made).
// The words in a path come from its language (`path.today`, `path.event`, …).
import { AGENDA_KEYWORDS } from '../domain/date-keywords.ts';
import type { ErrorCode } from '../domain/app-error.ts';
import type { DayRange } from '../domain/local-time.ts';
import type { CorrectableKind } from '../domain/correction.ts';
import type { Site } from '../domain/site.ts';
import {
  findPicture,
  type StoredPicture,
  type Motif,
  type PictureFormat,
  type PicturedEvent,
  PICTURES_FOLDER,
  SCENE_PIXELS,
  largestWidth,
  pictureFileName,
} from '../domain/pictures.ts';
import {
  byLang,
  DEFAULT_LANG,
  LANGS,
  type Lang,
  type LocalText,
  UNPREFIXED_LANG,
} from '../domain/lang.ts';
import { t } from './translate.ts';

/** Prefix of all API paths, with the version. */
export const API_BASE = '/api/v1';

export const API_PATHS = {
  listEvents: `${API_BASE}/events`,
  eventsCalendarFeed: `${API_BASE}/events.ics`,
  getEvent: `${API_BASE}/events/{idOrSlug}`,
  getEventCalendar: `${API_BASE}/events/{idOrSlug}.ics`,
  listVenues: `${API_BASE}/venues`,
  getVenue: `${API_BASE}/venues/{slug}`,
  listOrganizers: `${API_BASE}/organizers`,
  getOrganizer: `${API_BASE}/organizers/{slug}`,
  listCategories: `${API_BASE}/categories`,
  listZones: `${API_BASE}/zones`,
  listNotices: `${API_BASE}/notices`,
  getNotice: `${API_BASE}/notices/{id}`,
  getDay: `${API_BASE}/days/{date}`,
  listChanges: `${API_BASE}/changes`,
  followEvent: '/events/{idOrSlug}.ics',
  getVenueCalendar: '/venues/{slug}.ics',
  getOrganizerCalendar: '/organizers/{slug}.ics',
} as const;
export type OperationId = keyof typeof API_PATHS;

export const apiPath = (operation: OperationId, id: string): string =>
  API_PATHS[operation].replace(/\{\w+\}/, () => id);

/** Appends a query to a path; no question mark if it is empty. */
export function withQuery(path: string, params: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(params).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Docs pages besides the API reference, in reading order. */
export const GUIDES = [
  'docs_agents',
  'docs_calendars',
  'docs_errors',
  'docs_changelog',
  'docs_status',
] as const;
export const DOCS_PAGES = ['docs', ...GUIDES] as const;
export type DocsPage = (typeof DOCS_PAGES)[number];

/** Pages that exist once per language, most visited first. */
export const PAGES = [
  ...AGENDA_KEYWORDS,
  'notices',
  'changes',
  'search',
  'map',
  'calendar',
  'saved',
  'submit',
  'import',
  'embed',
  'data',
  ...DOCS_PAGES,
] as const;
export type PageName = (typeof PAGES)[number];

/** Kinds of pages that exist once per day, record or taxon. */
const SECTIONS = ['day', 'event', 'venue', 'organizer', 'category', 'zone'] as const;
export type SectionName = (typeof SECTIONS)[number];

/** Further paths: submission status, newsletter (`reader`), frame for other sites, and so on. */
const OTHER_NAMES = [
  'status',
  'reader',
  'offline',
  'frame',
  'correct_event',
  'correct_venue',
  'correct_organizer',
  'correct_notice',
] as const satisfies readonly (
  | 'status'
  | 'reader'
  | 'offline'
  | 'frame'
  | `correct_${CorrectableKind}`
)[];

type PathName = PageName | SectionName | (typeof OTHER_NAMES)[number];

/** Prefix of all paths of a language. */
export const langPrefix = (lang: Lang): string => (lang === UNPREFIXED_LANG ? '' : `/${lang}`);

function buildLocalPaths<K extends PathName>(names: readonly K[]): Readonly<Record<K, LocalText>>;
function buildLocalPaths(names: readonly PathName[]): object {
  return Object.fromEntries(
    names.map((name) => [name, byLang((lang) => `${langPrefix(lang)}/${t(lang, `path.${name}`)}`)]),
  );
}

export const PAGE_PATHS = buildLocalPaths(PAGES);
/** Path prefixes of sections; the day or the slug follows. */
export const SECTION_PATHS = buildLocalPaths(SECTIONS);
const OTHER_PATHS = buildLocalPaths(OTHER_NAMES);

/** Page shown offline instead of one that is not cached. */
export const offlinePath = (lang: Lang): string => OTHER_PATHS.offline[lang];

/** Service worker script. */
export const WORKER_PATH = '/sw.js';
/** Web app manifest of the installed site. */
export const manifestPath = (lang: Lang): string => `${langPrefix(lang)}/manifest.webmanifest`;

/** The home page of a language, which redirects to today's. */
export const homePath = (lang: Lang): string => (lang === DEFAULT_LANG ? '/' : `/${lang}`);

export const findHomeLang = (path: string): Lang | null =>
  LANGS.find((lang) => [homePath(lang), langPrefix(lang)].includes(path)) ?? null;

/** Path of the 404 page. */
export const missingPagePath = (lang: Lang): string =>
  lang === DEFAULT_LANG ? '/404' : `/${lang}/404`;

const firstSegment = (path: string): string => path.split(/[/.]/, 2)[1] ?? '';
/** First path segments of each language. */
const FIRST_SEGMENTS = byLang((lang) => {
  const paths = Object.values({ ...PAGE_PATHS, ...SECTION_PATHS, ...OTHER_PATHS });
  return new Set([lang, ...paths.map((by_lang: LocalText) => firstSegment(by_lang[lang]))]);
});

/**
 * Returns the language of a path, whether or not a page exists; the default one if the path does
 * not tell.
 */
export const langOfPath = (path: string): Lang =>
  LANGS.find((lang) => FIRST_SEGMENTS[lang].has(firstSegment(path))) ?? DEFAULT_LANG;

export const pagePath = (page: PageName, lang: Lang): string => PAGE_PATHS[page][lang];

/** Path of a notice: its place on the page of notices. */
export const noticePath = (id: string, lang: Lang): string => `${pagePath('notices', lang)}#${id}`;

/** Builds the path of a saved list of events. The ids need no escaping. */
export const savedEventsPath = (ids: readonly string[], lang: Lang): string =>
  pagePath('saved', lang) + (ids.length > 0 ? `?ids=${ids.join(',')}` : '');

/** Event list that other sites embed in a frame. */
export const embedFramePath = (lang: Lang): string => OTHER_PATHS.frame[lang];

/** Sections with a directory page. */
export const DIRECTORY_SECTIONS = ['venue', 'organizer', 'category', 'zone'] as const;
export type DirectorySection = (typeof DIRECTORY_SECTIONS)[number];

export const directoryPath = (section: DirectorySection, lang: Lang): string =>
  SECTION_PATHS[section][lang];

export const recordPath = (
  section: Exclude<SectionName, 'day'>,
  slug: LocalText,
  lang: Lang,
): string => `${SECTION_PATHS[section][lang]}/${slug[lang]}`;

export const eventDatesPath = (slug: LocalText, lang: Lang): string =>
  `${recordPath('event', slug, lang)}/${t(lang, 'path.dates')}`;

export const errorDocsPath = (code: ErrorCode, lang: Lang): string =>
  `${PAGE_PATHS.docs_errors[lang]}#${code}`;

/** Target of the date picker, which redirects to the page of the day. */
export const dayPickerPath = (lang: Lang): string => SECTION_PATHS.day[lang];

export const dayPath = (day: string, lang: Lang): string => `${SECTION_PATHS.day[lang]}/${day}`;

/** Separator of an ISO 8601 interval in a name: `2026-12-20--2027-01-02`. */
export const DAY_RANGE_SEPARATOR = '--';
export const dayRangePath = ({ from, to }: DayRange, lang: Lang): string =>
  dayPath(from.equals(to) ? `${from}` : `${from}${DAY_RANGE_SEPARATOR}${to}`, lang);

/** Builds the path of a festivity: `/navidad`. */
export const festivityPath = (slug: string, lang: Lang): string => `${langPrefix(lang)}/${slug}`;

/** Builds the secret path of a submission: its token allows amending or withdrawing it. */
export const submissionStatusPath = (token: string, lang: Lang): string =>
  `${OTHER_PATHS.status[lang]}/${token}`;

/** Builds the path to manage a newsletter subscription; without a token, to subscribe. */
export const newsletterPath = (token: string | null, lang: Lang): string =>
  `${OTHER_PATHS.reader[lang]}/${token ?? t(lang, 'path.reader_new')}`;

/** Builds the secret path of an imported calendar: its token allows changing its submissions. */
export const calendarImportPath = (token: string, lang: Lang): string =>
  `${PAGE_PATHS.import[lang]}/${token}`;

/** Builds the path of the correction form of a record. */
export const correctionFormPath = (kind: CorrectableKind, id: string, lang: Lang): string =>
  `${OTHER_PATHS[`correct_${kind}`][lang]}/${id}`;

export const markdownPath = (path: string): string => `${path}.md`;

/** Prefix of picture paths, the same in every language. */
export const PICTURES_PATH = `/${PICTURES_FOLDER}`;

export const picturePath = (
  { digest }: Pick<StoredPicture, 'digest'>,
  width: number,
  format: PictureFormat,
): string => `${PICTURES_PATH}/${digest}/${pictureFileName(width, format)}`;

/** Prefix of motif paths. */
export const MOTIFS_PATH = '/motifs';

/** Builds the path of a motif, with the digest of its drawing; as PNG for clients without SVG. */
export const motifPath = ({ key, digest }: Motif, ending: 'svg' | 'png'): string =>
  `${MOTIFS_PATH}/${key}.${digest}.${ending}`;

/** Builds the secret path of an uploaded picture before its publication. */
export const uploadPath = (id: string): string => `/subidas/${id}`;

/** Builds the path of a page's poster, for link previews. */
export const posterPath = (path: string): string => `${path}.png`;

/** Returns the poster of pages without one of their own. */
export const defaultPosterPath = (lang: Lang): string =>
  posterPath(`${langPrefix(lang)}/${t(lang, 'path.share')}`);

/** Builds an absolute URL; `site_url` has no trailing slash. */
export const absoluteUrl = (site_url: string, path: string): string => `${site_url}${path}`;

export const occurrenceIcsPath = (id: string, date: string, lang: Lang): string =>
  withQuery(apiPath('getEventCalendar', id), withLang({ date }, lang));

export const eventIcsPath = (id: string): string => apiPath('getEventCalendar', id);

/** Adds the language to a query, unless it is the default one. */
export const withLang = (
  params: Readonly<Record<string, string>>,
  lang: Lang,
): Record<string, string> => (lang === DEFAULT_LANG ? { ...params } : { ...params, lang });

/** Builds the path of the calendar feed with the given REST filter, in one language. */
export const calendarFeedPath = (filter: Readonly<Record<string, string>>, lang: Lang): string =>
  withQuery(API_PATHS.eventsCalendarFeed, withLang(filter, lang));

const CALENDAR_OPERATIONS = {
  event: 'followEvent',
  venue: 'getVenueCalendar',
  organizer: 'getOrganizerCalendar',
} as const;

/**
 * Builds the path of the calendar of an event, venue or organizer, for subscriptions, in one
 * language.
 */
export const recordIcsPath = (
  section: keyof typeof CALENDAR_OPERATIONS,
  slug: LocalText,
  lang: Lang,
): string => withQuery(apiPath(CALENDAR_OPERATIONS[section], slug[lang]), withLang({}, lang));

/** News feeds and their formats. */
export const FEED_KINDS = ['events', 'notices', 'changes'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];
export const FEED_FORMATS = ['atom', 'json'] as const;
type FeedFormat = (typeof FEED_FORMATS)[number];
/** Path pattern of news feeds. */
export const FEEDS_PATTERN = '/feeds/{feed}';

export const newsFeedName = (kind: FeedKind, format: FeedFormat, lang: Lang): string =>
  `${t(lang, `path.feed_${kind}`)}.${format}`;

/** Builds the path of a news feed in one language. */
export const newsFeedPath = (kind: FeedKind, format: FeedFormat, lang: Lang): string =>
  FEEDS_PATTERN.replace('{feed}', newsFeedName(kind, format, lang));

/** Path pattern of the OpenSearch description, for a browser's address bar. */
export const OPENSEARCH_PATTERN = '/opensearch/{lang}.xml';
export const openSearchPath = (lang: Lang): string => OPENSEARCH_PATTERN.replace('{lang}', lang);

/** The public data as files, the same in every language (contract 17). */
export const DATA_FOLDER = '/data';
export const dataFilePath = (file: string): string => `${DATA_FOLDER}/${file}`;

/** The description of the API (contract 15.2). */
export const OPENAPI_PATH = '/api/openapi.json';

/** The MCP server (contract 13.1), and the documents that describe it. */
export const MCP_PATH = '/mcp';
export const SERVER_CARD_PATH = '/mcp/server-card';
export const SERVER_CARD_ALIAS_PATH = '/.well-known/mcp/server-card.json';
export const REGISTRY_ENTRY_PATH = '/mcp/server.json';

/** The review desk; one address for all languages. */
export const DESK_PATHS = {
  today: '/revision',
  queue: '/revision/pendientes',
  login: '/revision/entrar',
  logout: '/revision/salir',
  log: '/revision/registro',
  account: '/revision/cuenta',
  people: '/revision/editores',
  items: '/revision/envios',
  events: '/revision/eventos',
  notices: '/revision/avisos',
  edit: '/revision/editar',
  sources: '/revision/fuentes',
} as const;
export const DESK_PATH = DESK_PATHS.today;

/** Health endpoints for monitors (contract 8.37). */
export const HEALTH_PATH = '/healthz';
export const READINESS_PATH = '/readyz';
export const LIVENESS_PATH = '/livez';
export const STATUS_PATH = '/statusz';

/** Well-known files for robots, language models and programs. */
export const LLMS_PATH = '/llms.txt';
export const llmsFullPath = (lang: Lang): string => `${langPrefix(lang)}/llms-full.txt`;
export const SITEMAP_PATH = '/sitemap.xml';
export const ROBOTS_PATH = '/robots.txt';
export const API_CATALOG_PATH = '/.well-known/api-catalog';

/**
 * Builds the picture link of an event for JSON, feeds, JSON-LD and calendars, in a widely supported
 * format (contract 16.3).
 */
export function pictureLink(card: PicturedEvent, lang: Lang, site: Site) {
  const picture = findPicture(card);
  if (picture === null) return null;
  const { kind } = picture;
  const alt = picture.alt[lang];
  if (kind === 'drawing') {
    const url = absoluteUrl(site.url, motifPath(picture.motif, 'png'));
    return { kind, url, alt, type: 'image/png', ...SCENE_PIXELS } as const;
  }
  const { stored } = picture;
  const width = largestWidth(stored);
  const url = absoluteUrl(site.url, picturePath(stored, width, 'jpg'));
  return { kind, url, alt, type: 'image/jpeg', width, height: stored.height } as const;
}
