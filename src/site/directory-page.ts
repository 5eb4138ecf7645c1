// Directory pages: list all venues, organizers, categories or zones with their facts and numbers of
// upcoming events, in the order of the API (contract 8.27). Also builds the links to directories,
// categories and zones that other pages share. A taxon is a category or a zone; those with upcoming
// events have a link.
import type { Temporal } from 'temporal-polyfill';
import { MAP_LABEL_KEY } from '../domain/town-map.ts';
import { floorToMinute, toLocalDay } from '../domain/local-time.ts';
import { byLang, type Lang, type LocalText } from '../domain/lang.ts';
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
import { formatShortDay } from '../i18n/format-dates.ts';
import { formatDistance } from '../i18n/format-facts.ts';
import {
  formatOpeningOn,
  formatOpeningWeek,
  formatUnlistedVenues,
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
  type VenueResult,
} from '../snapshot/find-directory.ts';
import { parseChoice, parseOrIssue } from './filter-form.ts';
import { buildFilterChoices } from './filter-panel.ts';
import { definePage, type LoadedPage, type PageRequest, routesOf } from './page-definition.ts';
import { buildPageMeta } from './page-meta.ts';
import { motifThumbnailUrl } from './picture-views.ts';
import type { PageContext } from './page-context.ts';
import { interpretSearchText } from './page-query.ts';
import { redirect302, pageResult } from './visitor-request.ts';

/** A link of a navigation block. */
export interface NavLink {
  readonly label: string;
  /** Null if the label is shown without a link, because its page would have no events. */
  readonly path: string | null;
  /** Set if the link is to this page. */
  readonly is_current?: boolean;
  /** Set if the label is shown as code. */
  readonly is_code?: true;
}

/** A titled block of links. `map` is the link to the map, after the zones. */
export interface LinkNav {
  readonly title: string;
  readonly links: readonly NavLink[];
  readonly map?: { readonly label: string; readonly path: string } | null;
}

/**
 * Lists the links to categories and zones, without event counts: those would change every page with
 * every event.
 * @param current_key Key of the category or zone that the page shows.
 */
export function listTaxonLinks(
  context: PageContext,
  current_key: string | null,
  lang: Lang,
): readonly LinkNav[] {
  const { categories, zones } = context.snapshot.taxonomy;
  const non_empty_taxa = listNonEmptyTaxa(context);
  const sections = [
    { section: 'category', taxa: categories },
    { section: 'zone', taxa: zones },
  ] as const;
  return sections.map(({ section, taxa }) => ({
    title: t(lang, `browse.${section}`),
    links: taxa.map(({ key, slug, name }) => ({
      label: name[lang],
      path: non_empty_taxa.get(section)?.includes(key) ? recordPath(section, slug, lang) : null,
      is_current: key === current_key,
    })),
    map:
      section === 'zone'
        ? { label: t(lang, `${MAP_LABEL_KEY}.open`), path: pagePath('map', lang) }
        : null,
  }));
}

/** Lists the links to the directories. */
export const listDirectories = (lang: Lang, current: DirectorySection | null = null): LinkNav => ({
  title: t(lang, 'directory.others'),
  links: DIRECTORY_SECTIONS.map((section) => ({
    label: t(lang, `directory.title.${section}`),
    path: directoryPath(section, lang),
    is_current: section === current,
  })),
});

/** The directory of a kind of record. */
interface DirectoryRequest extends PageRequest {
  readonly section: DirectorySection;
}

/** Parameters of each directory, and an example query for the Markdown version. */
const QUERIES = {
  venue: { names: VENUE_LIST_PARAMETERS, example: '?q=…&zone=…&near=21.16,-86.82&radius_km=2' },
  organizer: { names: ORGANIZER_LIST_PARAMETERS, example: '?q=…' },
  category: { names: [], example: null },
  zone: { names: [], example: null },
} as const;
/** Lists the query parameters of a directory; the path determines the language. */
const listParameters = (section: DirectorySection): readonly string[] =>
  QUERIES[section].names.filter((name) => name !== 'lang');

/**
 * Resolves search words that are venue filters to the path with these filters (contract 7.32).
 * @returns null if the words are only words, or match more venues as plain words.
 */
function resolveFilterWords(
  { snapshot, now_ms }: PageContext,
  { section, lang }: DirectoryRequest,
  query: string,
): string | null {
  const names = VENUE_LIST_PARAMETERS;
  const params: ParameterValues = parseParameters(query, names, []);
  if (section !== 'venue' || params.q === undefined) return null;
  const days = params.open_on === undefined ? {} : { date: params.open_on };
  const { q, texts } = interpretSearchText(params.q, snapshot.taxonomy, now_ms, {
    ...params,
    ...days,
  });
  const { date: open_on = null, ...filters } = texts;
  const filter_params = sortParameters(
    { ...params, ...filters, q, ...(open_on && { open_on }), lang: null },
    names,
  );
  const countMatches = (query_params: ParameterValues): number =>
    parseOrIssue(() =>
      countVenues(snapshot, parseDirectoryQuery(query_params, snapshot, now_ms, []).filter),
    ).parsed ?? 0;
  const count = Object.keys(texts).length === 0 ? 0 : countMatches(filter_params);
  return count > 0 && count >= countMatches(params)
    ? withQuery(directoryPath(section, lang), filter_params)
    : null;
}

/** Loads a directory page; with an invalid query, the whole directory and the issue. */
export function loadDirectoryPage(
  context: PageContext,
  { section, lang }: DirectoryRequest,
  query: string,
) {
  const { snapshot, now_ms } = context;
  const max_limit = { limit: String(RESULT_LIMITS.list.max) };
  const {
    parsed,
    issue,
    params: raw_params,
  } = parseChoice(query, listParameters(section), (values, issues) =>
    parseDirectoryQuery({ ...max_limit, ...values }, snapshot, now_ms, issues),
  );
  const params: ParameterValues = parsed ? raw_params : {};
  const { filter } = parsed ?? parseDirectoryQuery(max_limit, snapshot, now_ms, []);
  const { total, entries, next, spellings, near, day_remarks } = listDirectoryEntries(
    context,
    section,
    lang,
    filter,
  );
  const paths = byLang((each) => directoryPath(section, each));
  const query_string = withQuery('', params);
  const list = { snapshot, lang, path: paths[lang], params, filter };
  return pageResult({
    meta: buildPageMeta(context, lang, paths, {
      query: byLang(() => query_string),
      title: t(lang, `directory.title.${section}`),
      description: t(lang, `directory.description.${section}`),
      markdown: markdownPath(paths[lang]) + query_string,
    }),
    path: paths[lang],
    query_example: QUERIES[section].example,
    issue,
    /** The search text as typed; null if there is none. */
    q: params.q ?? null,
    /** Spelling corrections, and caveats of a search around a point or for a day. */
    remarks: [
      ...formatSpellingCorrections(spellings, lang),
      ...formatNearCaveats(near, lang),
      ...day_remarks,
    ],
    filter_panel: section === 'venue' ? buildVenueFilters(list, total) : null,
    /** Link to the search for the same words, which finds events and other records too. */
    search_link: params.q === undefined ? null : buildSearchLink(params.q, lang),
    /** Line below the title: the number of records. */
    tally: tPlural(lang, `directory.count.${section}`, total),
    entries,
    total,
    /** Query of the next page, such as `?cursor=…`; null on the last page. */
    next: next && withQuery('', { ...params, cursor: encodeDirectoryCursor(next, filter) }),
    directories: listDirectories(lang, section),
  });
}

export type DirectoryView = LoadedPage<typeof loadDirectoryPage>;

/** The venue list with its query. `filter` is the parsed form of `params`. */
interface VenueList {
  readonly snapshot: Snapshot;
  readonly lang: Lang;
  readonly path: string;
  readonly params: ParameterValues;
  readonly filter: DirectoryFilter;
}

/** Builds the filters of the venue list; the first suggestion is "open today". */
function buildVenueFilters({ params, filter, ...list }: VenueList, total: number) {
  const { snapshot, lang, path } = list;
  const names = VENUE_LIST_PARAMETERS;
  const event_filter = { ...unfilteredEventFilter(filter.now_ms, 1), ...filter, after: null };
  const taxa = formatFilterChoices(event_filter, snapshot.taxonomy, lang);
  const texts = sortParameters({ ...params, ...taxa, limit: null, cursor: null }, names);
  const today = toLocalDay(filter.now_ms);
  const { open_on } = filter;
  const is_today = open_on?.equals(today) ?? false;
  const open_today_filter = { ...filter, open_on: today };
  const open_today = {
    label: t(lang, 'directory.open_today'),
    path: withQuery(path, sortParameters({ ...texts, open_on: 'today' }, names)),
    count: open_on === null ? countVenues(snapshot, open_today_filter) : 0,
  };
  const label =
    open_on && !is_today
      ? t(lang, 'directory.open_on', { day: formatShortDay(open_on, lang) })
      : open_today.label;
  const counts = countVenueChoices(snapshot, filter);
  const venue_list = {
    ...list,
    texts,
    filter: event_filter,
    parameter_names: names,
    own_fields: ['q'],
    is_directory: true,
  } as const;
  return buildFilterChoices(venue_list, counts, total, {
    active: open_on === null ? [] : [{ label, changes: { open_on: null } }],
    outer_chips: [open_today.count > 0 ? open_today : undefined, undefined],
  });
}

const buildSearchLink = (q: string, lang: Lang) => ({
  label: t(lang, 'directory.search_all', { q }),
  path: withQuery(pagePath('search', lang), { q }),
});

function renderDirectory(view: DirectoryView) {
  const { meta, path, query_example, remarks, tally, entries, next, filter_panel, search_link } =
    view;
  const { lang, site } = meta;
  const active = filter_panel?.active ?? [];
  return renderDocument(
    { ...meta, about: meta.description },
    active.length > 0 &&
      paragraph(labeled(t(lang, 'filters.on'), active.map(({ label }) => label).join(', '))),
    remarks,
    paragraph(
      `${tally}.`,
      query_example && [` ${t(lang, 'md.choose')} `, inlineCode(query_example)],
    ),
    list(entries.map((entry) => renderRecordItem(entry, meta))),
    next &&
      paragraph(link(absoluteUrl(site.url, markdownPath(path)) + next, t(lang, 'directory.next'))),
    search_link && paragraph(link(absoluteUrl(site.url, search_link.path), search_link.label)),
  );
}

/**
 * One page of records. `total` counts the records on all pages, `next` is the position of the next
 * page, `spellings` are the corrected words of the search, `near` the caveats of a search around a
 * point.
 */
type DirectoryEntries = Pick<DirectoryResults<unknown>, 'total' | 'next' | 'spellings' | 'near'> & {
  readonly entries: readonly (ListedRecord & {
    /** Facts and number of events in one line. */
    readonly about: string;
    readonly thumbnail_path?: string | null;
  })[];
  /** Sentences about venues that are closed on the requested day, or of unknown hours. */
  readonly day_remarks: readonly string[];
};

/**
 * Lists the records of a directory with their facts.
 * @param day Day of the opening hours in the facts of venues, if the filter has another one.
 */
export function listDirectoryEntries(
  context: PageContext,
  section: DirectorySection,
  lang: Lang,
  filter: DirectoryFilter,
  day?: Temporal.PlainDate,
): DirectoryEntries {
  const { snapshot, now_ms } = context;
  const buildEntry = (name: string, slug: LocalText, facts: readonly string[], count: number) => ({
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
    const results = findVenues(snapshot, filter, { ...(day && { day }) });
    const entries = results.items.map((item) =>
      buildEntry(
        item.record.name,
        item.record.slug,
        listVenueEntryFacts(item, context, lang),
        item.upcoming_count,
      ),
    );
    const day_remarks = formatUnlistedVenues(results, toLocalDay(now_ms), lang);
    return { ...results, entries, day_remarks };
  }
  if (section === 'organizer') {
    const results = findOrganizers(snapshot, filter);
    const entries = results.items.map(({ record: { name, slug, type }, upcoming_count }) =>
      buildEntry(name, slug, [t(lang, `organizer.type.${type}`)], upcoming_count),
    );
    return { ...results, entries, day_remarks: [] };
  }
  const { categories, zones } = snapshot.taxonomy;
  const counts = countListedByTaxon({ snapshot, now_ms: floorToMinute(now_ms) }).get(section);
  const entries = (section === 'category' ? categories : zones).map(
    ({ key, name, slug, description, motif }) => {
      const facts = description ? [description[lang]] : [];
      const entry = buildEntry(name[lang], slug, facts, counts?.get(key) ?? 0);
      return { ...entry, thumbnail_path: motifThumbnailUrl(snapshot, motif) };
    },
  );
  const total = entries.length;
  return { entries, total, next: null, spellings: [], near: null, day_remarks: [] };
}

/**
 * Lists the facts of a venue in a directory: the distance if the query has a point, the zone, and
 * the hours on a day, or the weekly hours if it is closed then.
 */
function listVenueEntryFacts(
  { record: venue, distance_km, on_day }: VenueResult,
  { snapshot, now_ms }: PageContext,
  lang: Lang,
): string[] {
  const zone = snapshot.taxonomy.zones.find(({ key }) => key === venue.zone);
  const today = toLocalDay(now_ms);
  const is_closed = on_day !== null && !on_day.opening.is_open;
  // Today's hours then name that weekday, so the weekly hours would repeat it.
  const names_only_weekday = on_day?.day.equals(today) === true && on_day.only_weekday !== null;
  return [
    ...(distance_km === null ? [] : [formatDistance(distance_km, venue.coordinates, lang)]),
    ...(zone && zone.name[lang] !== venue.name ? [zone.name[lang]] : []),
    ...(on_day === null ? [] : [formatOpeningOn(on_day, today, lang)]),
    ...(is_closed && !names_only_weekday && venue.hours
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
  load: (context, request, query) => {
    const filter_path = resolveFilterWords(context, request, query);
    return filter_path === null
      ? loadDirectoryPage(context, request, query)
      : redirect302(filter_path);
  },
  toMarkdown: renderDirectory,
  parameters: ({ section }) => listParameters(section),
  validate: (params, issues, { snapshot, now_ms }) => {
    parseDirectoryQuery(params, snapshot, now_ms, issues);
    return issues;
  },
});
