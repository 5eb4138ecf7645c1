// Which pages a release has ready: what is ahead. The rest is rendered when it is requested.
import { toCancunDay } from '../domain/cancun-time.ts';
import { LANGS, type LocalText } from '../domain/lang.ts';
import { GUIDES, toDayPath, toManifestPath, toPagePath, toThingPath } from '../i18n/paths.ts';
import { listOrganizers, listUpcomingEvents, listVenues } from '../snapshot/list-things.ts';
import { listDataNames } from './data-files.ts';
import { CLOCK_PAGES, MINUTE_PAGES, resolveAlias, type ThingKind } from './page-request.ts';
import { readState, type SiteState } from './state.ts';

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
  LANGS.flatMap((lang) => things.map(({ slug }) => toThingPath(section, slug, lang)));

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
  ...GUIDES.filter((guide) => guide !== 'docs_status').flatMap((guide) =>
    LANGS.map((lang) => toPagePath(guide, lang)),
  ),
];

/** As Astro takes them: what stands after the first slash is `page`. */
type StaticPath = { readonly params: { readonly page: string } };
const toStaticPath = (path: string): StaticPath => ({ params: { page: path.slice(1) } });

/** Every page that is built ahead, and so is its Markdown twin. */
export const listStaticPages = (): StaticPath[] => listBuiltPages(readState()).map(toStaticPath);

/** The docs, which are built in every language. */
export const listStaticDocs = () =>
  LANGS.map((lang) => ({ params: { docs: toPagePath('docs', lang).slice(1) }, props: { lang } }));

/** The page of the public data, which is built in every language. */
export const listStaticData = () =>
  LANGS.map((lang) => ({ params: { data: toPagePath('data', lang).slice(1) }, props: { lang } }));

/** The files of the public data. */
export const listStaticDataFiles = () =>
  listDataNames(readState()).map((file) => ({ params: { file } }));

/** The manifests of the installed site, without their ending. */
export const listStaticManifests = () =>
  LANGS.map((lang) => ({
    params: {
      manifest: toManifestPath(lang)
        .slice(1)
        .replace(/\.webmanifest$/, ''),
    },
    props: { lang },
  }));
