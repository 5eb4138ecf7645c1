// The page of all venues, organizers, categories or zones: each with what it is and how much comes up there; the
// same things in the same order as the API lists (contract 8.27). And the ways on to them that pages share.
import type { Temporal } from 'temporal-polyfill';
import { MAP_WORDS } from '../domain/drawing.ts';
import { floorToMinute, toLocalDay } from '../domain/local-time.ts';
import { byLang, type Lang, type LocalText } from '../domain/lang.ts';
import { toVenueDay } from '../domain/opening-hours.ts';
import { withoutStop } from '../domain/place-names.ts';
import {
  formatPlaceCursor,
  ORGANIZER_LIST_PARAMETERS,
  parsePlaceQuery,
  type PlaceFilter,
  VENUE_LIST_PARAMETERS,
} from '../domain/query/list-queries.ts';
import { formatChoices, sortTexts, toOpenFilter } from '../domain/query/event-query.ts';
import { LIMITS, parseParameters } from '../domain/query/parameters.ts';
import type { ParameterTexts } from '../domain/query/values.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { toShortDay } from '../i18n/dates.ts';
import { toDistanceWords } from '../i18n/fact-words.ts';
import { toDayWords, toTodayWords, toWeekLines } from '../i18n/opening.ts';
import {
  DIRECTORIES,
  type DirectoryName,
  toAbsolute,
  toDirectoryPath,
  toMarkdownPath,
  toPagePath,
  toThingPath,
  withQuery,
} from '../i18n/paths.ts';
import { toSpellingSentences, toUnplacedSentences } from '../i18n/query-words.ts';
import { t, tCount } from '../i18n/translate.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { type ListedThing, toThingItem } from '../serializers/markdown/entries.ts';
import { inlineCode, labelled, link, list, paragraph } from '../serializers/markdown/nodes.ts';
import { countListed, listWithEvents } from '../snapshot/count-events.ts';
import type { Snapshot } from '../snapshot/open.ts';
import {
  countVenueChoices,
  countVenues,
  findOrganizers,
  findVenues,
  type FoundPlaces,
} from '../snapshot/places.ts';
import { readChoice, tryToRead } from './choice.ts';
import { toChoices } from './narrowing.ts';
import { definePage, type Loaded, type PageRequest, toRoutes } from './page-kind.ts';
import { buildMeta } from './page.ts';
import { toMotifThumb } from './pictures.ts';
import type { SiteState } from './state.ts';
import { readSearchText } from './page-query.ts';
import { lead, show } from './visit.ts';

export interface NavLink {
  readonly label: string;
  readonly path: string | null;
  readonly is_here?: boolean;
  readonly is_code?: true;
}

export interface LinkNav {
  readonly title: string;
  readonly links: readonly NavLink[];
  readonly map?: { readonly label: string; readonly path: string } | null;
}

/**
 * Categories and zones; `here` is the key of the one that the page is. How much each has stands in the lists of
 * all of them: here it would change every page with every event.
 */
export function listBrowse(state: SiteState, here: string | null, lang: Lang): readonly LinkNav[] {
  const { categories, zones } = state.snapshot.taxonomy;
  const with_events = listWithEvents(state);
  const ways = [
    { section: 'category', taxa: categories },
    { section: 'zone', taxa: zones },
  ] as const;
  return ways.map(({ section, taxa }) => ({
    title: t(lang, `browse.${section}`),
    links: taxa.map(({ key, slug, name }) => ({
      label: name[lang],
      path: with_events.get(section)?.includes(key) ? toThingPath(section, slug, lang) : null,
      is_here: key === here,
    })),
    map:
      section === 'zone'
        ? { label: t(lang, `${MAP_WORDS}.open`), path: toPagePath('map', lang) }
        : null,
  }));
}

export const listDirectories = (lang: Lang, here: DirectoryName | null = null): LinkNav => ({
  title: t(lang, 'directory.others'),
  links: DIRECTORIES.map((section) => ({
    label: t(lang, `directory.title.${section}`),
    path: toDirectoryPath(section, lang),
    is_here: section === here,
  })),
});

interface DirectoryRequest extends PageRequest {
  readonly section: DirectoryName;
}

/** What the API takes, in the language of the address, and how a document says so. */
const CHOICES = {
  venue: { names: VENUE_LIST_PARAMETERS, choice: '?q=…&zone=…&near=21.16,-86.82&radius_km=2' },
  organizer: { names: ORGANIZER_LIST_PARAMETERS, choice: '?q=…' },
  category: { names: [], choice: null },
  zone: { names: [], choice: null },
} as const;
const listParameters = (section: DirectoryName): readonly string[] =>
  CHOICES[section].names.filter((name) => name !== 'lang');

/**
 * The address of what the words of a query ask for as filters of places (contract 7.32); null where they are nothing
 * but words, or find more as they stand.
 */
function toWordsPath(
  { snapshot, now_ms }: SiteState,
  { section, lang }: DirectoryRequest,
  query: string,
): string | null {
  const names = VENUE_LIST_PARAMETERS;
  const given: ParameterTexts = parseParameters(query, names, []);
  if (section !== 'venue' || given.q === undefined) return null;
  const days = given.open_on === undefined ? {} : { date: given.open_on };
  const { q, texts } = readSearchText(given.q, snapshot.taxonomy, now_ms, { ...given, ...days });
  const { date: open_on = null, ...read } = texts;
  const path = sortTexts({ ...given, ...read, q, ...(open_on && { open_on }), lang: null }, names);
  const count = (asked: ParameterTexts): number =>
    tryToRead(() => countVenues(snapshot, parsePlaceQuery(asked, snapshot, now_ms, []).filter))
      .asked ?? 0;
  const found = Object.keys(texts).length === 0 ? 0 : count(path);
  return found > 0 && found >= count(given)
    ? withQuery(toDirectoryPath(section, lang), path)
    : null;
}

/** The page of a query as sent; all is listed where that is not understood. */
export function loadDirectory(
  state: SiteState,
  { section, lang }: DirectoryRequest,
  query: string,
) {
  const { snapshot, now_ms } = state;
  const all = { limit: String(LIMITS.list.max) };
  const { asked, issue, ...sent } = readChoice(query, listParameters(section), (given, issues) =>
    parsePlaceQuery({ ...all, ...given }, snapshot, now_ms, issues),
  );
  const params: ParameterTexts = asked ? sent.params : {};
  const { filter } = asked ?? parsePlaceQuery(all, snapshot, now_ms, []);
  const { total, things, next, spellings, near } = listThings(state, section, lang, filter);
  const paths = byLang((each) => toDirectoryPath(section, each));
  const own = withQuery('', params);
  const list = { snapshot, lang, path: paths[lang], params, filter };
  return show({
    meta: buildMeta(state, lang, paths, {
      query: byLang(() => own),
      title: t(lang, `directory.title.${section}`),
      description: t(lang, `directory.description.${section}`),
      markdown: toMarkdownPath(paths[lang]) + own,
    }),
    path: paths[lang],
    choice: CHOICES[section].choice,
    issue,
    /** As it was written; null for a list without a search. */
    q: params.q ?? null,
    /** How a word was read, and what is not sure around a point, in sentences. */
    remarks: [...toSpellingSentences(spellings, lang), ...toUnplacedSentences(near, lang)],
    narrowing: section === 'venue' ? toPlaceChoices(list, total) : null,
    /** The search for the same words, which finds more than these. */
    search: params.q === undefined ? null : toSearchLink(params.q, lang),
    tally: tCount(lang, `directory.count.${section}`, total),
    things,
    total,
    next: next && withQuery('', { ...params, cursor: formatPlaceCursor(next) }),
    directories: listDirectories(lang, section),
  });
}

export type DirectoryView = Loaded<typeof loadDirectory>;

interface AskedPlaces {
  readonly snapshot: Snapshot;
  readonly lang: Lang;
  readonly path: string;
  readonly params: ParameterTexts;
  readonly filter: PlaceFilter;
}

/** What is on, what would narrow the list, of which what opens today comes first, and all filters. */
function toPlaceChoices({ params, filter, ...list }: AskedPlaces, found: number) {
  const { snapshot, lang, path } = list;
  const names = VENUE_LIST_PARAMETERS;
  const events = { ...toOpenFilter(filter.now_ms, 1), ...filter, after: null };
  const taxa = formatChoices(events, snapshot.taxonomy, lang);
  const texts = sortTexts({ ...params, ...taxa, limit: null, cursor: null }, names);
  const today = toLocalDay(filter.now_ms);
  const { open_on } = filter;
  const is_today = open_on?.equals(today) ?? false;
  const opening = { ...filter, open_on: today };
  const open = {
    label: t(lang, 'directory.open_today'),
    path: withQuery(path, sortTexts({ ...texts, open_on: 'today' }, names)),
    count: open_on === null ? countVenues(snapshot, opening) : 0,
  };
  const label =
    open_on && !is_today
      ? t(lang, 'directory.open_on', { day: toShortDay(open_on, lang) })
      : open.label;
  const counts = countVenueChoices(snapshot, filter);
  const places = {
    ...list,
    texts,
    filter: events,
    names,
    fields: ['q'],
    is_of_places: true,
  } as const;
  return toChoices(places, counts, found, {
    on: open_on === null ? [] : [{ label, changed: { open_on: null } }],
    chips: [open.count > 0 ? open : undefined, undefined],
  });
}

const toSearchLink = (q: string, lang: Lang) => ({
  label: t(lang, 'directory.search_all', { q }),
  path: withQuery(toPagePath('search', lang), { q }),
});

function renderDirectory(view: DirectoryView) {
  const { meta, path, choice, remarks, tally, things, next, narrowing, search } = view;
  const { lang, site } = meta;
  const on = narrowing?.on ?? [];
  return renderDocument(
    { ...meta, about: meta.description },
    on.length > 0 &&
      paragraph(labelled(t(lang, 'filters.on'), on.map(({ label }) => label).join(', '))),
    remarks,
    paragraph(`${tally}.`, choice && [` ${t(lang, 'md.choose')} `, inlineCode(choice)]),
    list(things.map((thing) => toThingItem(thing, meta))),
    next &&
      paragraph(link(toAbsolute(site.url, toMarkdownPath(path)) + next, t(lang, 'directory.next'))),
    search && paragraph(link(toAbsolute(site.url, search.path), search.label)),
  );
}

type Listed = Pick<FoundPlaces<unknown>, 'total' | 'next' | 'spellings' | 'near'> & {
  readonly things: readonly (ListedThing & {
    readonly about: string;
    readonly thumb?: string | null;
  })[];
};

export function listThings(
  state: SiteState,
  section: DirectoryName,
  lang: Lang,
  filter: PlaceFilter,
  day: Temporal.PlainDate = toLocalDay(state.now_ms),
): Listed {
  const { snapshot, now_ms } = state;
  const toThing = (name: string, slug: LocalText, facts: readonly string[], count: number) => ({
    name,
    facts,
    count,
    path: toThingPath(section, slug, lang),
    about:
      count > 0
        ? [...facts.map(withoutStop), tCount(lang, 'events.count', count)].join(' · ')
        : facts.join(' · '),
  });
  if (section === 'venue') {
    const found = findVenues(snapshot, filter);
    const things = found.items.map((item) =>
      toThing(
        item.record.name,
        item.record.slug,
        toVenueFacts(item, state, lang, day),
        item.upcoming_count,
      ),
    );
    return { ...found, things };
  }
  if (section === 'organizer') {
    const found = findOrganizers(snapshot, filter);
    const things = found.items.map(({ record: { name, slug, type }, upcoming_count }) =>
      toThing(name, slug, [t(lang, `organizer.type.${type}`)], upcoming_count),
    );
    return { ...found, things };
  }
  const { categories, zones } = snapshot.taxonomy;
  const counts = countListed({ snapshot, now_ms: floorToMinute(now_ms) }).get(section);
  const things = (section === 'category' ? categories : zones).map(
    ({ key, name, slug, description, motif }) => {
      const facts = description ? [description[lang]] : [];
      const thing = toThing(name[lang], slug, facts, counts?.get(key) ?? 0);
      return { ...thing, thumb: toMotifThumb(snapshot, motif) };
    },
  );
  return { things, total: things.length, next: null, spellings: [], near: null };
}

/** How far it is, where a point was asked for, its zone, and whether it opens on a day; where not, when it does. */
function toVenueFacts(
  { record: venue, distance_km }: FoundPlaces<VenueRecord>['items'][number],
  { snapshot, now_ms }: SiteState,
  lang: Lang,
  day: Temporal.PlainDate,
): string[] {
  const zone = snapshot.taxonomy.zones.find(({ key }) => key === venue.zone);
  const today = toLocalDay(now_ms);
  const on_day = toVenueDay(venue, day, snapshot.calendar.holidays);
  const is_today = day.equals(today);
  const is_shut = on_day !== null && !on_day.opening.is_open;
  const says_when = is_today && on_day !== null && on_day.only_on !== null;
  return [
    ...(distance_km === null ? [] : [toDistanceWords(distance_km, venue.coordinates, lang)]),
    ...(zone && zone.name[lang] !== venue.name ? [zone.name[lang]] : []),
    ...(on_day === null
      ? []
      : [is_today ? toTodayWords(on_day, lang) : toDayWords(on_day, today.year, lang)]),
    ...(is_shut && !says_when && venue.hours
      ? toWeekLines(venue.hours, on_day, lang).slice(0, 1)
      : []),
  ];
}

export const directoryPage = definePage<DirectoryRequest, Loaded<typeof loadDirectory>>({
  name: 'directory',
  routes: DIRECTORIES.flatMap((section) =>
    toRoutes(
      byLang((lang) => toDirectoryPath(section, lang)),
      (lang) => ({ lang, section }),
    ),
  ),
  load: (state, request, query) => {
    const words_path = toWordsPath(state, request, query);
    return words_path === null ? loadDirectory(state, request, query) : lead(words_path);
  },
  toMarkdown: renderDirectory,
  parameters: ({ section }) => listParameters(section),
  judge: (params, issues, { snapshot, now_ms }) => {
    parsePlaceQuery(params, snapshot, now_ms, issues);
    return issues;
  },
});
