// The page of all venues, organizers, categories or zones: each with what it is and how much comes up
// there; the same things in the same order as the API lists (contract 8.27, 8.28, 8.29).
import { type ListedThing, renderDirectory } from '../serializers/markdown/places.ts';
import { definePage, type PageRequest, toRoutes } from './page-kind.ts';
import { show, type Shown } from './visit.ts';
import { AppError } from '../domain/app-error.ts';
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import { LIMITS, type ParameterTexts, parseParameters } from '../domain/query/parameters.ts';
import {
  formatPlaceCursor,
  ORGANIZER_LIST_PARAMETERS,
  parsePlaceQuery,
  type PlaceFilter,
  VENUE_LIST_PARAMETERS,
} from '../domain/query/list-queries.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { toVenueDay } from '../domain/venue-day.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { withQuery } from '../i18n/api-paths.ts';
import { toDistanceWords } from '../i18n/distance.ts';
import { toTodayWords } from '../i18n/opening.ts';
import {
  type DirectoryName,
  toDirectoryPath,
  toMarkdownPath,
  toThingPath,
  DIRECTORIES,
} from '../i18n/paths.ts';
import { toSpellingSentences, toUnplacedSentences } from '../i18n/query-words.ts';
import { t } from '../i18n/translate.ts';
import { countListed } from '../snapshot/count-events.ts';
import { findOrganizers, findVenues, type FoundPlaces } from '../snapshot/places.ts';
import type { PageMeta } from './page.ts';
import type { SiteState } from './state.ts';

/** What the page is given. */
export interface DirectoryView {
  readonly meta: PageMeta;
  readonly section: DirectoryName;
  readonly things: readonly ListedThing[];
  /** How many there are, on every page. */
  readonly total: number;
  /** What was searched for, as it was written; null for a list without a search. */
  readonly q: string | null;
  /** How a word was read, and what is not sure around a point, in sentences. */
  readonly remarks: readonly string[];
  /** Why the query is not understood, in the API's words; all is listed then. */
  readonly issue: string | null;
  /** The query of the next page; null at the end. */
  readonly next: string | null;
}

interface DirectoryRequest extends PageRequest {
  readonly section: DirectoryName;
}

/** What each takes behind its address: what the API takes, in the language of the address. */
const PARAMETERS: Readonly<Record<DirectoryName, readonly string[]>> = {
  venue: VENUE_LIST_PARAMETERS.filter((name) => name !== 'lang'),
  organizer: ORGANIZER_LIST_PARAMETERS.filter((name) => name !== 'lang'),
  category: [],
  zone: [],
};

/** A query that was read, or why it was not. */
interface Read {
  readonly params: ParameterTexts;
  readonly filter: PlaceFilter;
  readonly issue: string | null;
}

function readQuery(query: string, section: DirectoryName, state: SiteState): Read {
  const all = { limit: String(LIMITS.list.max) };
  const issues: string[] = [];
  const params = parseParameters(query, PARAMETERS[section], issues);
  try {
    const { filter } = parsePlaceQuery({ ...all, ...params }, state.snapshot, state.now_ms, issues);
    return { params, filter, issue: null };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const { filter } = parsePlaceQuery(all, state.snapshot, state.now_ms, []);
    return { params: {}, filter, issue: thrown.message };
  }
}

/** The page of a query as sent, without its question mark. */
export function resolveDirectory(
  state: SiteState,
  { section, lang }: DirectoryRequest,
  query: string,
): Shown<DirectoryView> {
  const { params, filter, issue } = readQuery(query, section, state);
  const { total, things, next, spellings, near } = listThings(state, section, lang, filter);
  const paths = byLang((each) => toDirectoryPath(section, each));
  const asked = withQuery('', params);
  const meta: PageMeta = {
    lang,
    paths,
    site: state.site,
    query: byLang(() => asked),
    title: t(lang, `directory.title.${section}`),
    description: t(lang, `directory.description.${section}`),
    markdown: toMarkdownPath(paths[lang]) + asked,
    calendar: null,
    json_ld: null,
    entry: null,
  };
  return show({
    ...{ meta, section, things, total, issue },
    q: params.q ?? null,
    remarks: [...toSpellingSentences(spellings, lang), ...toUnplacedSentences(near, lang)],
    next: next && withQuery('', { ...params, cursor: formatPlaceCursor(next) }),
  });
}

type Listed = Pick<FoundPlaces<unknown>, 'total' | 'next' | 'spellings' | 'near'> & {
  readonly things: readonly ListedThing[];
};

/** A page of them as lines. */
export function listThings(
  state: SiteState,
  section: DirectoryName,
  lang: Lang,
  filter: PlaceFilter,
): Listed {
  const { snapshot } = state;
  if (section === 'category' || section === 'zone') return listTaxa(state, section, lang);
  const toThing = (
    { record, upcoming_count }: FoundPlaces<Named>['items'][number],
    facts: readonly string[],
  ): ListedThing => ({
    name: record.name,
    path: toThingPath(section, record.slug, lang),
    facts,
    count: upcoming_count,
  });
  if (section === 'venue') {
    const found = findVenues(snapshot, filter);
    const things = found.items.map((item) => toThing(item, toVenueFacts(item, state, lang)));
    return { ...found, things };
  }
  const found = findOrganizers(snapshot, filter);
  const things = found.items.map((item) =>
    toThing(item, [t(lang, `organizer.type.${item.record.type}`)]),
  );
  return { ...found, things };
}

type Named = Pick<VenueRecord, 'name' | 'slug'>;

/** How far it is, where a point was asked for, its zone, and whether it opens today. */
function toVenueFacts(
  { record: venue, distance_km }: FoundPlaces<VenueRecord>['items'][number],
  { snapshot, now_ms }: SiteState,
  lang: Lang,
): string[] {
  const zone = snapshot.taxonomy.zones.find(({ key }) => key === venue.zone);
  const today = toVenueDay(venue, toCancunDay(now_ms), snapshot.calendar.holidays);
  return [
    ...(distance_km === null ? [] : [toDistanceWords(distance_km, venue.coordinates, lang)]),
    ...(zone ? [zone.name[lang]] : []),
    ...(today ? [toTodayWords(today, lang)] : []),
  ];
}

function listTaxa(
  { snapshot, now_ms }: SiteState,
  section: 'category' | 'zone',
  lang: Lang,
): Listed {
  const { categories, zones } = snapshot.taxonomy;
  const taxa: readonly TaxonRecord[] = section === 'category' ? categories : zones;
  const counts = countListed({ snapshot, now_ms: floorToMinute(now_ms) }).get(section);
  const things = taxa.map(({ key, name, slug, description }) => ({
    name: name[lang],
    path: toThingPath(section, slug, lang),
    facts: description === null ? [] : [description[lang]],
    count: counts?.get(key) ?? 0,
  }));
  return { things, total: things.length, next: null, spellings: [], near: null };
}

export const directoryPage = definePage<DirectoryRequest, DirectoryView>({
  name: 'directory',
  routes: DIRECTORIES.flatMap((section) =>
    toRoutes(
      byLang((lang) => toDirectoryPath(section, lang)),
      (lang) => ({ lang, section }),
    ),
  ),
  load: resolveDirectory,
  toMarkdown: renderDirectory,
  parameters: ({ section }) => PARAMETERS[section],
  judge: (params, issues, { snapshot, now_ms }) => {
    parsePlaceQuery(params, snapshot, now_ms, issues);
    return issues;
  },
});
