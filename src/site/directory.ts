// The page of all venues, organizers, categories or zones: each with what it is and how much comes up
// there; the same things in the same order as the API lists (contract 8.27).
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import { toVenueDay } from '../domain/opening-hours.ts';
import {
  formatPlaceCursor,
  ORGANIZER_LIST_PARAMETERS,
  parsePlaceQuery,
  type PlaceFilter,
  VENUE_LIST_PARAMETERS,
} from '../domain/query/list-queries.ts';
import { LIMITS, parseParameters } from '../domain/query/parameters.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { toDistanceWords } from '../i18n/fact-words.ts';
import { toTodayWords } from '../i18n/opening.ts';
import {
  DIRECTORIES,
  type DirectoryName,
  toDirectoryPath,
  toMarkdownPath,
  toThingPath,
  withQuery,
} from '../i18n/paths.ts';
import { toSpellingSentences, toUnplacedSentences } from '../i18n/query-words.ts';
import { t, tCount } from '../i18n/translate.ts';
import { type ListedThing, renderDirectory } from '../serializers/markdown/places.ts';
import { countListed } from '../snapshot/count-events.ts';
import { findOrganizers, findVenues, type FoundPlaces } from '../snapshot/places.ts';
import { listDirectories } from './browse.ts';
import { tryToRead } from './choice.ts';
import { definePage, type Loaded, type PageRequest, toRoutes } from './page-kind.ts';
import { buildMeta } from './page.ts';
import type { SiteState } from './state.ts';
import { show } from './visit.ts';

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

/** The page of a query as sent; all is listed where that is not understood. */
export function loadDirectory(
  state: SiteState,
  { section, lang }: DirectoryRequest,
  query: string,
) {
  const { snapshot, now_ms } = state;
  const all = { limit: String(LIMITS.list.max) };
  const issues: string[] = [];
  const sent = parseParameters(query, PARAMETERS[section], issues);
  const { asked, issue } = tryToRead(() =>
    parsePlaceQuery({ ...all, ...sent }, snapshot, now_ms, issues),
  );
  const params = asked ? sent : {};
  const { filter } = asked ?? parsePlaceQuery(all, snapshot, now_ms, []);
  const { total, things, next, spellings, near } = listThings(state, section, lang, filter);
  const paths = byLang((each) => toDirectoryPath(section, each));
  const own = withQuery('', params);
  return show({
    meta: buildMeta(state, lang, paths, {
      query: byLang(() => own),
      title: t(lang, `directory.title.${section}`),
      description: t(lang, `directory.description.${section}`),
      markdown: toMarkdownPath(paths[lang]) + own,
    }),
    section,
    things,
    total,
    issue,
    /** As it was written; null for a list without a search. */
    q: params.q ?? null,
    /** How a word was read, and what is not sure around a point, in sentences. */
    remarks: [...toSpellingSentences(spellings, lang), ...toUnplacedSentences(near, lang)],
    /** The query of the next page. */
    next: next && withQuery('', { ...params, cursor: formatPlaceCursor(next) }),
  });
}

export type DirectoryView = ReturnType<typeof printDirectory>;

function printDirectory({
  meta,
  section,
  things,
  total,
  q,
  remarks,
  issue,
  next,
}: Loaded<typeof loadDirectory>) {
  const { lang } = meta;
  const path = toDirectoryPath(section, lang);
  return {
    meta,
    q,
    path,
    remarks,
    issue,
    has_search: PARAMETERS[section].length > 0,
    tally: tCount(lang, 'directory.count', total),
    things: things.map(({ name, path: to, facts, count }) => {
      const events = count > 0 ? [tCount(lang, 'events.count', count)] : [];
      return { name, path: to, about: [...facts, ...events].join(' · ') };
    }),
    next_path: next && path + next,
    directories: listDirectories(lang, section),
  };
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

export const directoryPage = definePage<DirectoryRequest, Loaded<typeof loadDirectory>>({
  name: 'directory',
  routes: DIRECTORIES.flatMap((section) =>
    toRoutes(
      byLang((lang) => toDirectoryPath(section, lang)),
      (lang) => ({ lang, section }),
    ),
  ),
  load: loadDirectory,
  print: printDirectory,
  toMarkdown: renderDirectory,
  parameters: ({ section }) => PARAMETERS[section],
  judge: (params, issues, { snapshot, now_ms }) => {
    parsePlaceQuery(params, snapshot, now_ms, issues);
    return issues;
  },
});
