// The page of all venues, organizers, categories or zones: each with what it is and how much comes up there; the
// same things in the same order as the API lists (contract 8.27). And the ways on to them that pages share.
import type { Temporal } from 'temporal-polyfill';
import { MAP_LABEL_KEY } from '../domain/town-map.ts';
import { floorToMinute, toLocalDay } from '../domain/local-time.ts';
import { byLang, type Lang, type LocalText } from '../domain/lang.ts';
import { computeVenueDay } from '../domain/opening-hours.ts';
import { stripTrailingPeriod } from '../domain/place-text.ts';
import {
  encodeDirectoryCursor,
  ORGANIZER_LIST_PARAMETERS,
  parseDirectoryQuery,
  type DirectoryFilter,
  VENUE_LIST_PARAMETERS,
} from '../domain/query/list-queries.ts';
import {
  formatFilterChoices,
  sortParameters,
  unfilteredEventFilter,
} from '../domain/query/event-query.ts';
import { RESULT_LIMITS, parseParameters } from '../domain/query/parameters.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { formatShortDay } from '../i18n/format-dates.ts';
import { formatDistance } from '../i18n/format-facts.ts';
import {
  formatOpeningDay,
  formatOpeningToday,
  formatOpeningWeek,
} from '../i18n/format-opening-hours.ts';
import {
  DIRECTORY_SECTIONS,
  type DirectorySection,
  absoluteUrl,
  directoryPath,
  markdownPath,
  pagePath,
  recordPath,
  withQuery,
} from '../i18n/paths.ts';
import { formatSpellingCorrections, formatNearCaveats } from '../i18n/format-query.ts';
import { t, tPlural } from '../i18n/translate.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { type ListedRecord, renderRecordItem } from '../serializers/markdown/entries.ts';
import { inlineCode, labeled, link, list, paragraph } from '../serializers/markdown/nodes.ts';
import { countListedByTaxon, listNonEmptyTaxa } from '../snapshot/count-events.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import {
  countVenueChoices,
  countVenues,
  findOrganizers,
  findVenues,
  type DirectoryResults,
} from '../snapshot/find-directory.ts';
import { parseChoice, parseOrIssue } from './filter-form.ts';
import { buildFilterChoices } from './filter-panel.ts';
import { definePage, type LoadedPage, type PageRequest, routesOf } from './page-definition.ts';
import { buildPageMeta } from './page-meta.ts';
import { motifThumbnailUrl } from './picture-views.ts';
import type { PageContext } from './page-context.ts';
import { interpretSearchText } from './page-query.ts';
import { redirectFound, pageResult } from './visitor-request.ts';

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
export function listTaxonLinks(
  state: PageContext,
  here: string | null,
  lang: Lang,
): readonly LinkNav[] {
  const { categories, zones } = state.snapshot.taxonomy;
  const with_events = listNonEmptyTaxa(state);
  const ways = [
    { section: 'category', taxa: categories },
    { section: 'zone', taxa: zones },
  ] as const;
  return ways.map(({ section, taxa }) => ({
    title: t(lang, `browse.${section}`),
    links: taxa.map(({ key, slug, name }) => ({
      label: name[lang],
      path: with_events.get(section)?.includes(key) ? recordPath(section, slug, lang) : null,
      is_here: key === here,
    })),
    map:
      section === 'zone'
        ? { label: t(lang, `${MAP_LABEL_KEY}.open`), path: pagePath('map', lang) }
        : null,
  }));
}

export const listDirectories = (lang: Lang, here: DirectorySection | null = null): LinkNav => ({
  title: t(lang, 'directory.others'),
  links: DIRECTORY_SECTIONS.map((section) => ({
    label: t(lang, `directory.title.${section}`),
    path: directoryPath(section, lang),
    is_here: section === here,
  })),
});

interface DirectoryRequest extends PageRequest {
  readonly section: DirectorySection;
}

/** What the API takes, in the language of the address, and how a document says so. */
const CHOICES = {
  venue: { names: VENUE_LIST_PARAMETERS, choice: '?q=…&zone=…&near=21.16,-86.82&radius_km=2' },
  organizer: { names: ORGANIZER_LIST_PARAMETERS, choice: '?q=…' },
  category: { names: [], choice: null },
  zone: { names: [], choice: null },
} as const;
const listParameters = (section: DirectorySection): readonly string[] =>
  CHOICES[section].names.filter((name) => name !== 'lang');

/**
 * The address of what the words of a query ask for as filters of places (contract 7.32); null where they are nothing
 * but words, or find more as they stand.
 */
function toWordsPath(
  { snapshot, now_ms }: PageContext,
  { section, lang }: DirectoryRequest,
  query: string,
): string | null {
  const names = VENUE_LIST_PARAMETERS;
  const given: ParameterValues = parseParameters(query, names, []);
  if (section !== 'venue' || given.q === undefined) return null;
  const days = given.open_on === undefined ? {} : { date: given.open_on };
  const { q, texts } = interpretSearchText(given.q, snapshot.taxonomy, now_ms, {
    ...given,
    ...days,
  });
  const { date: open_on = null, ...read } = texts;
  const path = sortParameters(
    { ...given, ...read, q, ...(open_on && { open_on }), lang: null },
    names,
  );
  const count = (asked: ParameterValues): number =>
    parseOrIssue(() =>
      countVenues(snapshot, parseDirectoryQuery(asked, snapshot, now_ms, []).filter),
    ).asked ?? 0;
  const found = Object.keys(texts).length === 0 ? 0 : count(path);
  return found > 0 && found >= count(given) ? withQuery(directoryPath(section, lang), path) : null;
}

/** The page of a query as sent; all is listed where that is not understood. */
export function loadDirectoryPage(
  state: PageContext,
  { section, lang }: DirectoryRequest,
  query: string,
) {
  const { snapshot, now_ms } = state;
  const all = { limit: String(RESULT_LIMITS.list.max) };
  const { asked, issue, ...sent } = parseChoice(query, listParameters(section), (given, issues) =>
    parseDirectoryQuery({ ...all, ...given }, snapshot, now_ms, issues),
  );
  const params: ParameterValues = asked ? sent.params : {};
  const { filter } = asked ?? parseDirectoryQuery(all, snapshot, now_ms, []);
  const { total, things, next, spellings, near } = listDirectoryEntries(
    state,
    section,
    lang,
    filter,
  );
  const paths = byLang((each) => directoryPath(section, each));
  const own = withQuery('', params);
  const list = { snapshot, lang, path: paths[lang], params, filter };
  return pageResult({
    meta: buildPageMeta(state, lang, paths, {
      query: byLang(() => own),
      title: t(lang, `directory.title.${section}`),
      description: t(lang, `directory.description.${section}`),
      markdown: markdownPath(paths[lang]) + own,
    }),
    path: paths[lang],
    choice: CHOICES[section].choice,
    issue,
    /** As it was written; null for a list without a search. */
    q: params.q ?? null,
    /** How a word was read, and what is not sure around a point, in sentences. */
    remarks: [...formatSpellingCorrections(spellings, lang), ...formatNearCaveats(near, lang)],
    narrowing: section === 'venue' ? toPlaceChoices(list, total) : null,
    /** The search for the same words, which finds more than these. */
    search: params.q === undefined ? null : toSearchLink(params.q, lang),
    tally: tPlural(lang, `directory.count.${section}`, total),
    things,
    total,
    next: next && withQuery('', { ...params, cursor: encodeDirectoryCursor(next) }),
    directories: listDirectories(lang, section),
  });
}

export type DirectoryView = LoadedPage<typeof loadDirectoryPage>;

interface AskedPlaces {
  readonly snapshot: Snapshot;
  readonly lang: Lang;
  readonly path: string;
  readonly params: ParameterValues;
  readonly filter: DirectoryFilter;
}

/** What is on, what would narrow the list, of which what opens today comes first, and all filters. */
function toPlaceChoices({ params, filter, ...list }: AskedPlaces, found: number) {
  const { snapshot, lang, path } = list;
  const names = VENUE_LIST_PARAMETERS;
  const events = { ...unfilteredEventFilter(filter.now_ms, 1), ...filter, after: null };
  const taxa = formatFilterChoices(events, snapshot.taxonomy, lang);
  const texts = sortParameters({ ...params, ...taxa, limit: null, cursor: null }, names);
  const today = toLocalDay(filter.now_ms);
  const { open_on } = filter;
  const is_today = open_on?.equals(today) ?? false;
  const opening = { ...filter, open_on: today };
  const open = {
    label: t(lang, 'directory.open_today'),
    path: withQuery(path, sortParameters({ ...texts, open_on: 'today' }, names)),
    count: open_on === null ? countVenues(snapshot, opening) : 0,
  };
  const label =
    open_on && !is_today
      ? t(lang, 'directory.open_on', { day: formatShortDay(open_on, lang) })
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
  return buildFilterChoices(places, counts, found, {
    on: open_on === null ? [] : [{ label, changed: { open_on: null } }],
    chips: [open.count > 0 ? open : undefined, undefined],
  });
}

const toSearchLink = (q: string, lang: Lang) => ({
  label: t(lang, 'directory.search_all', { q }),
  path: withQuery(pagePath('search', lang), { q }),
});

function renderDirectory(view: DirectoryView) {
  const { meta, path, choice, remarks, tally, things, next, narrowing, search } = view;
  const { lang, site } = meta;
  const on = narrowing?.on ?? [];
  return renderDocument(
    { ...meta, about: meta.description },
    on.length > 0 &&
      paragraph(labeled(t(lang, 'filters.on'), on.map(({ label }) => label).join(', '))),
    remarks,
    paragraph(`${tally}.`, choice && [` ${t(lang, 'md.choose')} `, inlineCode(choice)]),
    list(things.map((thing) => renderRecordItem(thing, meta))),
    next &&
      paragraph(link(absoluteUrl(site.url, markdownPath(path)) + next, t(lang, 'directory.next'))),
    search && paragraph(link(absoluteUrl(site.url, search.path), search.label)),
  );
}

type DirectoryEntries = Pick<DirectoryResults<unknown>, 'total' | 'next' | 'spellings' | 'near'> & {
  readonly things: readonly (ListedRecord & {
    readonly about: string;
    readonly thumb?: string | null;
  })[];
};

export function listDirectoryEntries(
  state: PageContext,
  section: DirectorySection,
  lang: Lang,
  filter: DirectoryFilter,
  day: Temporal.PlainDate = toLocalDay(state.now_ms),
): DirectoryEntries {
  const { snapshot, now_ms } = state;
  const toThing = (name: string, slug: LocalText, facts: readonly string[], count: number) => ({
    name,
    facts,
    count,
    path: recordPath(section, slug, lang),
    about:
      count > 0
        ? [...facts.map(stripTrailingPeriod), tPlural(lang, 'events.count', count)].join(' · ')
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
  const counts = countListedByTaxon({ snapshot, now_ms: floorToMinute(now_ms) }).get(section);
  const things = (section === 'category' ? categories : zones).map(
    ({ key, name, slug, description, motif }) => {
      const facts = description ? [description[lang]] : [];
      const thing = toThing(name[lang], slug, facts, counts?.get(key) ?? 0);
      return { ...thing, thumb: motifThumbnailUrl(snapshot, motif) };
    },
  );
  return { things, total: things.length, next: null, spellings: [], near: null };
}

/** How far it is, where a point was asked for, its zone, and whether it opens on a day; where not, when it does. */
function toVenueFacts(
  { record: venue, distance_km }: DirectoryResults<VenueRecord>['items'][number],
  { snapshot, now_ms }: PageContext,
  lang: Lang,
  day: Temporal.PlainDate,
): string[] {
  const zone = snapshot.taxonomy.zones.find(({ key }) => key === venue.zone);
  const today = toLocalDay(now_ms);
  const on_day = computeVenueDay(venue, day, snapshot.calendar.holidays);
  const is_today = day.equals(today);
  const is_shut = on_day !== null && !on_day.opening.is_open;
  const says_when = is_today && on_day !== null && on_day.only_on !== null;
  return [
    ...(distance_km === null ? [] : [formatDistance(distance_km, venue.coordinates, lang)]),
    ...(zone && zone.name[lang] !== venue.name ? [zone.name[lang]] : []),
    ...(on_day === null
      ? []
      : [is_today ? formatOpeningToday(on_day, lang) : formatOpeningDay(on_day, today.year, lang)]),
    ...(is_shut && !says_when && venue.hours
      ? formatOpeningWeek(venue.hours, on_day, lang).slice(0, 1)
      : []),
  ];
}

export const directoryPage = definePage<DirectoryRequest, LoadedPage<typeof loadDirectoryPage>>({
  name: 'directory',
  routes: DIRECTORY_SECTIONS.flatMap((section) =>
    routesOf(
      byLang((lang) => directoryPath(section, lang)),
      (lang) => ({ lang, section }),
    ),
  ),
  load: (state, request, query) => {
    const words_path = toWordsPath(state, request, query);
    return words_path === null
      ? loadDirectoryPage(state, request, query)
      : redirectFound(words_path);
  },
  toMarkdown: renderDirectory,
  parameters: ({ section }) => listParameters(section),
  validate: (params, issues, { snapshot, now_ms }) => {
    parseDirectoryQuery(params, snapshot, now_ms, issues);
    return issues;
  },
});
