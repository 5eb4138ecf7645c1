// Which pages a search engine should know: the days ahead, what comes up, places, and the pages
// about the site.
import { toCancunDay } from '../domain/cancun-time.ts';
import { byLang, type LocalText } from '../domain/lang.ts';
import {
  DIRECTORIES,
  PAGE_PATHS,
  PAGES,
  type SectionName,
  toDayPath,
  toDirectoryPath,
  toThingPath,
} from '../i18n/paths.ts';
import type { SitemapEntry } from '../serializers/discovery.ts';
import { listOrganizers, listUpcomingEvents, listVenues } from '../snapshot/list-things.ts';
import type { SiteState } from './state.ts';

/** So many days from today on; the days after them are found from these. */
const DAYS = 14;

type Thing = { readonly slug: LocalText; readonly updated_at?: string };

const toEntries = (
  section: Exclude<SectionName, 'day'>,
  things: readonly Thing[],
): SitemapEntry[] =>
  things.map(({ slug, updated_at }) => ({
    paths: byLang((lang) => toThingPath(section, slug, lang)),
    updated_at: updated_at ?? null,
  }));

/** The entries, the most wanted first. */
export function listSitemapEntries({ snapshot, now_ms }: SiteState): readonly SitemapEntry[] {
  const today = toCancunDay(now_ms);
  const days = Array.from({ length: DAYS }, (_, at) => today.add({ days: at }).toString());
  return [
    ...PAGES.map((page) => ({ paths: PAGE_PATHS[page], updated_at: null })),
    ...DIRECTORIES.map((section) => ({
      paths: byLang((lang) => toDirectoryPath(section, lang)),
      updated_at: null,
    })),
    ...days.map((day) => ({
      paths: byLang((lang) => toDayPath(day, lang)),
      updated_at: null,
    })),
    ...toEntries('category', snapshot.taxonomy.categories),
    ...toEntries('zone', snapshot.taxonomy.zones),
    ...toEntries('event', listUpcomingEvents(snapshot, now_ms)),
    ...toEntries('venue', listVenues(snapshot)),
    ...toEntries('organizer', listOrganizers(snapshot)),
  ];
}
