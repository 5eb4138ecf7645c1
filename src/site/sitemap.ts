// Which pages a search engine should know: the days ahead, what comes up, places, and the pages
// about the site.
import { AGENDA_WORDS } from '../domain/agenda-words.ts';
import type { LocalText } from '../domain/lang.ts';
import { toCancunDay } from '../domain/cancun-time.ts';
import {
  PAGE_PATHS,
  type PageName,
  type SectionName,
  toDayPath,
  toThingPath,
} from '../i18n/paths.ts';
import type { SitemapEntry } from '../serializers/discovery/sitemap.ts';
import { listOrganizers, listUpcomingEvents, listVenues } from '../snapshot/list-pages.ts';
import type { SiteState } from './state.ts';

const PAGES: readonly PageName[] = [...AGENDA_WORDS, 'calendar', 'submit', 'docs'];
const DAYS = 14;

type Thing = { readonly slug: LocalText; readonly updated_at?: string };

const toEntries = (
  section: Exclude<SectionName, 'day'>,
  things: readonly Thing[],
): SitemapEntry[] =>
  things.map(({ slug, updated_at }) => ({
    paths: { es: toThingPath(section, slug, 'es'), en: toThingPath(section, slug, 'en') },
    updated_at: updated_at ?? null,
  }));

/** The entries, the most wanted first. */
export function listSitemapEntries({ snapshot, now_ms }: SiteState): readonly SitemapEntry[] {
  const today = toCancunDay(now_ms);
  const days = Array.from({ length: DAYS }, (_, at) => today.add({ days: at }).toString());
  return [
    ...PAGES.map((page) => ({ paths: PAGE_PATHS[page], updated_at: null })),
    ...days.map((day) => ({
      paths: { es: toDayPath(day, 'es'), en: toDayPath(day, 'en') },
      updated_at: null,
    })),
    ...toEntries('category', snapshot.taxonomy.categories),
    ...toEntries('zone', snapshot.taxonomy.zones),
    ...toEntries('event', listUpcomingEvents(snapshot, now_ms)),
    ...toEntries('venue', listVenues(snapshot)),
    ...toEntries('organizer', listOrganizers(snapshot)),
  ];
}
