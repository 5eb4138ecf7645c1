// Every address of the site: the only place that builds a link (README.md, How it is made). What
// stands in a path is in the words of its language (`path.today`, `path.event`, …).
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

/** What the paths of the API begin with; the version stands in it. */
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
  getDay: `${API_BASE}/days/{date}`,
  listChanges: `${API_BASE}/changes`,
  followEvent: '/events/{idOrSlug}.ics',
  getVenueCalendar: '/venues/{slug}.ics',
  getOrganizerCalendar: '/organizers/{slug}.ics',
} as const;
export type OperationId = keyof typeof API_PATHS;

export const apiPath = (operation: OperationId, id: string): string =>
  API_PATHS[operation].replace(/\{\w+\}/, () => id);

/** A path with a query; without a question mark where there is nothing to ask. */
export function withQuery(path: string, params: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(params).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The pages of the docs beside the reference, in the order of reading. */
export const GUIDES = [
  'docs_agents',
  'docs_calendars',
  'docs_errors',
  'docs_changelog',
  'docs_status',
] as const;
export const DOCS_PAGES = ['docs', ...GUIDES] as const;
export type DocsPage = (typeof DOCS_PAGES)[number];

/** The pages that exist once in each language, the most wanted first. */
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

/** The kinds of page that exist once a day or a thing. */
const SECTIONS = ['day', 'event', 'venue', 'organizer', 'category', 'zone'] as const;
export type SectionName = (typeof SECTIONS)[number];

/** The paths that no page of these lists has. */
const OTHERS = [
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

type PathName = PageName | SectionName | (typeof OTHERS)[number];

/** What every path of a language begins with. */
export const langPrefix = (lang: Lang): string => (lang === UNPREFIXED_LANG ? '' : `/${lang}`);

function toLocalPaths<K extends PathName>(names: readonly K[]): Readonly<Record<K, LocalText>>;
function toLocalPaths(names: readonly PathName[]): object {
  return Object.fromEntries(
    names.map((name) => [name, byLang((lang) => `${langPrefix(lang)}/${t(lang, `path.${name}`)}`)]),
  );
}

export const PAGE_PATHS = toLocalPaths(PAGES);
/** What the paths of a section's pages begin with; the day or the slug comes after it. */
export const SECTION_PATHS = toLocalPaths(SECTIONS);
const OTHER_PATHS = toLocalPaths(OTHERS);

/** The page that stands in for one that was not kept, without a network. */
export const offlinePath = (lang: Lang): string => OTHER_PATHS.offline[lang];

/** The service worker, and what a telephone is told of the installed site. */
export const WORKER_PATH = '/sw.js';
export const manifestPath = (lang: Lang): string => `${langPrefix(lang)}/manifest.webmanifest`;

/** The home page of a language, which redirects to today's. */
export const homePath = (lang: Lang): string => (lang === DEFAULT_LANG ? '/' : `/${lang}`);

export const findHomeLang = (path: string): Lang | null =>
  LANGS.find((lang) => [homePath(lang), langPrefix(lang)].includes(path)) ?? null;

/** An address where nothing is, for what is said there. */
export const notFoundPath = (lang: Lang): string =>
  lang === DEFAULT_LANG ? '/404' : `/${lang}/404`;

const toFirstWord = (path: string): string => path.split(/[/.]/, 2)[1] ?? '';
/** With what the paths of each language begin. */
const FIRST_WORDS = byLang((lang) => {
  const paths = Object.values({ ...PAGE_PATHS, ...SECTION_PATHS, ...OTHER_PATHS });
  return new Set([lang, ...paths.map((by_lang: LocalText) => toFirstWord(by_lang[lang]))]);
});

/** The language of a path, whether there is a page or not; the default one of what could be any's. */
export const langOfPath = (path: string): Lang =>
  LANGS.find((lang) => FIRST_WORDS[lang].has(toFirstWord(path))) ?? DEFAULT_LANG;

export const pagePath = (page: PageName, lang: Lang): string => PAGE_PATHS[page][lang];

/** A list of events to keep and to share: their ids as they are, which an address takes without an escape. */
export const savedEventsPath = (ids: readonly string[], lang: Lang): string =>
  pagePath('saved', lang) + (ids.length > 0 ? `?ids=${ids.join(',')}` : '');

/** The list that other sites put in a frame. */
export const embedFramePath = (lang: Lang): string => OTHER_PATHS.frame[lang];

/** The kinds of thing that have a page with all of them. */
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

/** Where the field for a date leads: on to the page of that day. */
export const dayPickerPath = (lang: Lang): string => SECTION_PATHS.day[lang];

export const dayPath = (day: string, lang: Lang): string => `${SECTION_PATHS.day[lang]}/${day}`;

/** Several days as ISO 8601 writes an interval in a name: `2026-12-20--2027-01-02`. */
export const DAY_RANGE_SEPARATOR = '--';
export const dayRangePath = ({ from, to }: DayRange, lang: Lang): string =>
  dayPath(from.equals(to) ? `${from}` : `${from}${DAY_RANGE_SEPARATOR}${to}`, lang);

/** The page of a festivity: `/navidad`. */
export const festivityPath = (slug: string, lang: Lang): string => `${langPrefix(lang)}/${slug}`;

/** Whoever knows the token may correct or withdraw the submission. */
export const submissionStatusPath = (token: string, lang: Lang): string =>
  `${OTHER_PATHS.status[lang]}/${token}`;

/** Where a reader of Thursday's letter changes or ends it; where it is asked for, without a token. */
export const newsletterPath = (token: string | null, lang: Lang): string =>
  `${OTHER_PATHS.reader[lang]}/${token ?? t(lang, 'path.reader_new')}`;

/** Of a calendar that was read; whoever knows the token may change what was sent of it. */
export const calendarImportPath = (token: string, lang: Lang): string =>
  `${PAGE_PATHS.import[lang]}/${token}`;

/** The form by which a reader says what has changed in a thing, by its id. */
export const correctionFormPath = (kind: CorrectableKind, id: string, lang: Lang): string =>
  `${OTHER_PATHS[`correct_${kind}`][lang]}/${id}`;

export const markdownPath = (path: string): string => `${path}.md`;

/** What the paths of events' pictures begin with; the same in every language. */
export const PICTURES_PATH = `/${PICTURES_FOLDER}`;

export const picturePath = (
  { digest }: Pick<StoredPicture, 'digest'>,
  width: number,
  format: PictureFormat,
): string => `${PICTURES_PATH}/${digest}/${pictureFileName(width, format)}`;

/** What the paths of drawings begin with. */
export const MOTIFS_PATH = '/motifs';

/** With the digest of the drawing; as PNG for whoever reads no SVG. */
export const motifPath = ({ key, digest }: Motif, ending: 'svg' | 'png'): string =>
  `${MOTIFS_PATH}/${key}.${digest}.${ending}`;

/** Where an uploaded picture is looked at before it is published: an address that is a secret. */
export const uploadPath = (id: string): string => `/subidas/${id}`;

/** The picture that a page is shared with. */
export const posterPath = (path: string): string => `${path}.png`;

/** The picture of every page that has none of its own. */
export const defaultPosterPath = (lang: Lang): string =>
  posterPath(`${langPrefix(lang)}/${t(lang, 'path.share')}`);

/** An absolute address; `site_url` has no slash at its end. */
export const absoluteUrl = (site_url: string, path: string): string => `${site_url}${path}`;

export const occurrenceIcsPath = (id: string, date: string, lang: Lang): string =>
  withQuery(apiPath('getEventCalendar', id), inLang({ date }, lang));

export const eventIcsPath = (id: string): string => apiPath('getEventCalendar', id);

/** A query in a language: the default one goes without saying. */
const inLang = (params: Readonly<Record<string, string>>, lang: Lang): Record<string, string> =>
  lang === DEFAULT_LANG ? { ...params } : { ...params, lang };

/** The calendar feed of what a page lists: a filter of the REST parameters, in one language. */
export const calendarFeedPath = (filter: Readonly<Record<string, string>>, lang: Lang): string =>
  withQuery(API_PATHS.eventsCalendarFeed, inLang(filter, lang));

const FOLLOWED = {
  event: 'followEvent',
  venue: 'getVenueCalendar',
  organizer: 'getOrganizerCalendar',
} as const;

/** The calendar of an event, a place or of who organizes, to subscribe to, in one language. */
export const recordIcsPath = (
  section: keyof typeof FOLLOWED,
  slug: LocalText,
  lang: Lang,
): string => withQuery(apiPath(FOLLOWED[section], slug[lang]), inLang({}, lang));

/** What is told as news, and in which forms. */
export const FEED_KINDS = ['events', 'notices', 'changes'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];
export const FEED_FORMATS = ['atom', 'json'] as const;
type FeedFormat = (typeof FEED_FORMATS)[number];
/** Where the feeds of news are; the name comes after it. */
export const FEEDS_PATTERN = '/feeds/{feed}';

export const newsFeedName = (kind: FeedKind, format: FeedFormat, lang: Lang): string =>
  `${t(lang, `path.feed_${kind}`)}.${format}`;

/** The feed of what is new in the agenda, or of the notices, in one language. */
export const newsFeedPath = (kind: FeedKind, format: FeedFormat, lang: Lang): string =>
  FEEDS_PATTERN.replace('{feed}', newsFeedName(kind, format, lang));

/** Where the description of our search is, by language, for the address bar of a browser. */
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

/** How the service is, for monitors (contract 8.37). */
export const HEALTH_PATH = '/healthz';
export const READINESS_PATH = '/readyz';
export const LIVENESS_PATH = '/livez';
export const STATUS_PATH = '/statusz';

/** What robots, language models and programs look for first. */
export const LLMS_PATH = '/llms.txt';
export const llmsFullPath = (lang: Lang): string => `${langPrefix(lang)}/llms-full.txt`;
export const SITEMAP_PATH = '/sitemap.xml';
export const ROBOTS_PATH = '/robots.txt';
export const API_CATALOG_PATH = '/.well-known/api-catalog';

/** The picture of an event for JSON, feeds, JSON-LD and calendars (contract 16.3): what everything reads. */
export function pictureLink(card: PicturedEvent, lang: Lang, site: Site) {
  const picture = findPicture(card);
  if (picture === null) return null;
  const { kind } = picture;
  const alt = picture.alt[lang];
  if (kind === 'drawing') {
    const url = absoluteUrl(site.url, motifPath(picture.motif, 'png'));
    return { kind, url, alt, type: 'image/png', ...SCENE_PIXELS } as const;
  }
  const { held } = picture;
  const width = largestWidth(held);
  const url = absoluteUrl(site.url, picturePath(held, width, 'jpg'));
  return { kind, url, alt, type: 'image/jpeg', width, height: held.height } as const;
}
