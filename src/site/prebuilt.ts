// Which pages are made ahead: what is to come. The rest is rendered when it is requested.
import { toCancunDay } from '../domain/cancun-time.ts';
import { LANGS, type LocalText } from '../domain/lang.ts';
import {
  DOCS_PAGES,
  LLMS_PATH,
  ROBOTS_PATH,
  SITEMAP_PATH,
  toDataPath,
  toDayPath,
  toManifestPath,
  toMarkdownPath,
  toPagePath,
  toThingPath,
  WORKER_PATH,
} from '../i18n/paths.ts';
import { listOrganizers, listUpcomingEvents, listVenues } from '../snapshot/list-things.ts';
import { DATA_NAMES } from './data-files.ts';
import { CLOCK_PAGES, MINUTE_PAGES, resolveAlias, type ThingKind } from './page-request.ts';
import type { SiteState } from './state.ts';

/** Days after today that have a page in the release: the longest range of the API. */
export const DAYS_AHEAD = 92;
/**
 * Days from today on whose `/manana`, `/avisos`, … are in the release: it must outlive a week without
 * a rebuild.
 */
const VARIANT_DAYS = 14;

/** Yesterday to DAYS_AHEAD days after today, as YYYY-MM-DD. */
export function listBuiltDays(now_ms: number): readonly string[] {
  const yesterday = toCancunDay(now_ms).subtract({ days: 1 });
  return Array.from({ length: DAYS_AHEAD + 2 }, (_, at) => yesterday.add({ days: at }).toString());
}

/**
 * Every prebuilt page that the clock may choose from today on, `days` days, in each language: all
 * but those that are made by the minute.
 */
export function listVariantPaths(now_ms: number, days: number): readonly string[] {
  const built = CLOCK_PAGES.filter((page) => !MINUTE_PAGES.some((made) => made === page));
  const pages = built.flatMap((page) => LANGS.map((lang) => toPagePath(page, lang)));
  const instants = Array.from({ length: days }, (_, day) => now_ms + day * 86_400_000);
  return [
    ...new Set(
      instants.flatMap((instant) => pages.flatMap((page) => resolveAlias(page, instant) ?? [])),
    ),
  ];
}

const toPaths = (
  section: ThingKind,
  things: readonly { readonly slug: LocalText }[],
): readonly string[] =>
  // A thing is read once for all of its pages.
  things.flatMap(({ slug }) => LANGS.map((lang) => toThingPath(section, slug, lang)));

/** The pages that are built ahead, each as HTML and as Markdown. */
const listBuiltPages = ({ snapshot, now_ms }: SiteState): readonly string[] => [
  ...listVariantPaths(now_ms, VARIANT_DAYS),
  ...LANGS.flatMap((lang) => listBuiltDays(now_ms).map((day) => toDayPath(day, lang))),
  ...toPaths('event', listUpcomingEvents(snapshot, now_ms)),
  // One with hours says whether it is open today: it is rendered when it is requested.
  ...toPaths(
    'venue',
    listVenues(snapshot).filter(({ hours }) => hours === null),
  ),
  ...toPaths('organizer', listOrganizers(snapshot)),
  ...toPaths('category', snapshot.taxonomy.categories),
  ...toPaths('zone', snapshot.taxonomy.zones),
  // How the service is only a server knows.
  ...DOCS_PAGES.filter((page) => page !== 'docs_status').flatMap((page) =>
    LANGS.map((lang) => toPagePath(page, lang)),
  ),
];

/** The pages of the public data. */
const DATA_PAGES = LANGS.map((lang) => toPagePath('data', lang));

/** What is no page: for crawlers, for the installed site. */
const DOCUMENTS: readonly string[] = [
  ...[LLMS_PATH, ROBOTS_PATH, SITEMAP_PATH, WORKER_PATH],
  ...LANGS.map(toManifestPath),
];

/** Whether an address is that of a document or of public data: no page of the agenda. */
export const isDocument = (path: string): boolean =>
  DOCUMENTS.includes(path) || path.startsWith(toDataPath(''));

const withTwin = (path: string): readonly string[] => [path, toMarkdownPath(path)];

/** Every address that is made ahead; the public data together, for who makes one of them has all. */
export const listBuiltPaths = (state: SiteState): readonly string[] => [
  ...DATA_NAMES.map(toDataPath),
  ...DATA_PAGES.flatMap(withTwin),
  ...listBuiltPages(state).flatMap(withTwin),
  ...DOCUMENTS,
];
