// Related results: find the venues, current and future notices, external links (ferries, weather)
// and organizers that match the search words of a query (contract 7.32), for the page and its
// Markdown version.
import type { Temporal } from 'temporal-polyfill';
import { toLocalDay } from '../domain/local-time.ts';
import { splitWords } from '../domain/text-folding.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import { parseRange } from '../domain/query/date-range.ts';
import { FLAG_FILTERS, sortParameters } from '../domain/query/event-query.ts';
import { parseDirectoryQuery } from '../domain/query/list-queries.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { removeStopWords, matchesName } from '../domain/word-matching.ts';
import { formatNoticePeriod, formatDayLink } from '../i18n/format-day.ts';
import { directoryPath, pagePath, recordPath, withQuery } from '../i18n/paths.ts';
import { formatMissingWords } from '../i18n/format-query.ts';
import { t } from '../i18n/translate.ts';
import { type MarkdownBlock, linkItem, list, section } from '../serializers/markdown/nodes.ts';
import { searchNotices } from '../snapshot/load-agenda.ts';
import { findOrganizers } from '../snapshot/find-directory.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { createWordIndex, matchWords } from '../snapshot/word-index.ts';
import { listDirectoryEntries } from './directory-page.ts';
import type { PageMeta } from './page-meta.ts';
import type { PageContext } from './page-context.ts';

/** Most results of each kind; `places` are venues. */
const MAX_LINES = { places: 5, notices: 3, organizers: 2 } as const;

/** The results of one kind, such as venues. */
export interface RelatedSection {
  /** HTML id of the heading, such as `beside-places`. */
  readonly id: string;
  readonly title: string;
  /** `path` is a path of this site or the URL of another site. */
  readonly lines: readonly {
    readonly title: string;
    readonly path: string;
    /** Text after the title: hours of a venue, period of a notice, source of a link. */
    readonly words: string | null;
  }[];
}

/** The related results of a query, in one of two places. */
export interface RelatedResults {
  /** Set if no record has all the words, and these have all but one. */
  readonly is_partial: boolean;
  /** Sections before the events, if the name of a result has the words or no event matches. */
  readonly before: readonly RelatedSection[];
  /** Sections after the events; empty if `before` has the sections. */
  readonly after: readonly RelatedSection[];
}

export const NO_RELATED_RESULTS: RelatedResults = { is_partial: false, before: [], after: [] };

/**
 * Selects the items whose texts have every word, in their order. Allows a spelling mistake if no
 * text has a word.
 */
function filterByWords<T>(
  items: readonly T[],
  words: readonly string[],
  textOf: (item: T) => string,
): readonly T[] {
  const index = createWordIndex(items.map(textOf));
  const { marks } = matchWords(index, words, items.length);
  // matchWords marks a matching text with 1.
  return items.filter((_, position) => marks[position] === 1);
}

/** Names of the filters that are on or off, such as `free`. */
const FLAGS = FLAG_FILTERS.map(({ name }) => name);

/** Returns whether an event, past or upcoming, has all the words without spelling corrections. */
function hasExactEvent(
  { word_indexes: { event }, index: { cards } }: Snapshot,
  words: readonly string[],
): boolean {
  const { marks, spellings } = matchWords(event, words, cards.length);
  return marks.includes(1) && spellings.length === 0;
}

/** Returns the single day of a query, or today if it has none or several. */
function parseSingleDay(texts: ParameterValues, now_ms: number): Temporal.PlainDate {
  const range = parseRange(texts, now_ms, []);
  return range?.from.equals(range.to) ? range.from : toLocalDay(now_ms);
}

/** Longer texts are not searched with one word left out. */
const MAX_PARTIAL_WORDS = 5;

/**
 * Finds the related results of a query, before or after its events. If no record has all the words,
 * finds those that have all but one. Venues match the zone and the flags of the query too, and show
 * their hours on its day.
 * @param texts The normalized query.
 */
export function findRelatedResults(
  context: PageContext,
  texts: ParameterValues,
  event_count: number,
  lang: Lang,
): RelatedResults {
  const full_matches = findFullMatches(context, texts, event_count, lang);
  const words = removeStopWords(splitWords(texts.q ?? '')).filter((word) => word.length > 1);
  const has_results = event_count + full_matches.before.length + full_matches.after.length > 0;
  if (has_results || words.length < 2 || words.length > MAX_PARTIAL_WORDS) return full_matches;
  // Venues have no category.
  if (texts.category !== undefined || hasExactEvent(context.snapshot, words)) return full_matches;
  return findPartialMatches(context, texts, words, lang);
}

/** Returns whether a result has all the words of the query. */
export const hasFullMatches = ({ is_partial, before, after }: RelatedResults): boolean =>
  !is_partial && before.length + after.length > 0;

/** Finds results that have all words but one. */
function findPartialMatches(
  context: PageContext,
  texts: ParameterValues,
  words: readonly string[],
  lang: Lang,
): RelatedResults {
  const directory_prefix = `${directoryPath('venue', lang)}?`;
  const partial_sections = words
    .map((missing) => {
      const q = words.filter((word) => word !== missing).join(' ');
      const { before } = findFullMatches(context, { ...texts, q }, 0, lang);
      const sections = before.filter(({ id }) => id !== 'beside-organizers');
      return sections.map(({ lines, ...section }) => ({
        ...section,
        lines: lines
          .filter(({ path }) => !path.startsWith(directory_prefix))
          .map((line) => ({ ...line, words: formatMissingWords(line.words, [missing], lang) })),
      }));
    })
    // The fewer results the remaining words have, the more specific they are.
    .toSorted((a, b) => countLines(a) - countLines(b))
    .flat();
  // Reversed twice: of equal ids (below: titles), a Map has the last value, so the first one wins.
  const first_by_id = new Map(
    partial_sections.toReversed().map((section) => [section.id, section]),
  );
  const before = [...first_by_id.values()].toReversed().map((section) => {
    const lines = partial_sections
      .filter(({ id }) => id === section.id)
      .flatMap((same_kind) => same_kind.lines);
    const by_title = new Map(lines.toReversed().map((line) => [line.title, line]));
    return { ...section, lines: [...by_title.values()].toReversed().slice(0, MAX_LINES.places) };
  });
  return { ...NO_RELATED_RESULTS, is_partial: before.length > 0, before };
}

const countLines = (sections: readonly RelatedSection[]): number =>
  sections.reduce((sum, { lines }) => sum + lines.length, 0);

/** Finds results that have all the words. */
function findFullMatches(
  context: PageContext,
  texts: ParameterValues,
  event_count: number,
  lang: Lang,
): RelatedResults {
  const words = splitWords(texts.q ?? '');
  if (words.length === 0) return NO_RELATED_RESULTS;
  const { snapshot, now_ms } = context;
  // An event with the exact words is a better match than a venue or notice with a spelling
  // correction.
  const has_exact_event = hasExactEvent(snapshot, words);
  const { filter, params } = parseVenueQuery(context, texts);
  const directory = listDirectoryEntries(
    context,
    'venue',
    lang,
    filter,
    parseSingleDay(texts, now_ms),
  );
  const venues = directory.spellings.length > 0 && has_exact_event ? [] : directory.entries;
  const notices = searchNotices(snapshot, words, toLocalDay(now_ms), has_exact_event);
  const links = findLinks(snapshot, words);
  const has_other_matches = event_count + venues.length + notices.length + links.length > 0;
  // If other records match, only organizers with the words in their name.
  const organizers = findOrganizers(snapshot, {
    ...filter,
    limit: MAX_LINES.organizers,
  }).items.filter(({ record: { name } }) => !has_other_matches || matchesName(name, words));

  const all_venues_line = {
    title: t(lang, 'search.beside.all_places', { count: directory.total }),
    path: withQuery(directoryPath('venue', lang), params),
    words: null,
  };
  const sections = buildSections(
    {
      places: [
        ...venues.map(({ name, path, facts }) => ({ title: name, path, words: facts.join(' · ') })),
        ...(venues.length > 0 && directory.next ? [all_venues_line] : []),
      ],
      notices: notices.slice(0, MAX_LINES.notices).map((notice) => ({
        title: notice.title[lang],
        path: pagePath('notices', lang),
        words: formatNoticePeriod(notice, lang),
      })),
      links: links.map((item) => {
        const { label, topic } = formatDayLink(item, lang);
        return { title: label, path: item.url, words: `${topic} · ${item.source}` };
      }),
      organizers: organizers.map(({ record: { name, slug, description } }) => ({
        title: name,
        path: recordPath('organizer', slug, lang),
        words: description?.[lang] ?? null,
      })),
    },
    lang,
  );
  const is_before_events =
    event_count === 0 ||
    sections.some(({ lines }) => lines.some(({ title }) => matchesName(title, words)));
  return {
    ...NO_RELATED_RESULTS,
    ...(is_before_events ? { before: sections } : { after: sections }),
  };
}

/** Parses the words, zone and flags of a query as a directory query. */
function parseVenueQuery({ snapshot, now_ms }: PageContext, texts: ParameterValues) {
  const { q, zone = null } = texts;
  const flags = FLAGS.map((name) => [name, texts[name] ?? null] as const);
  const params = sortParameters({ q: q ?? null, zone, ...Object.fromEntries(flags) });
  const limit = String(MAX_LINES.places);
  return { params, filter: parseDirectoryQuery({ ...params, limit }, snapshot, now_ms, []).filter };
}

/** Finds the links to other sites, by their names, topics and search words in every language. */
const findLinks = ({ calendar }: Snapshot, words: readonly string[]) =>
  filterByWords(calendar.links, words, ({ name, source, topic, search_words }) =>
    LANGS.flatMap((each) => [
      name[each],
      t(each, `day.link.${topic}`),
      t(each, `search.link.${topic}`),
    ])
      .concat(source, search_words)
      .join(' '),
  );

const SECTION_KINDS = ['places', 'notices', 'links', 'organizers'] as const;

/** Builds the sections that have lines, in the order of SECTION_KINDS. */
const buildSections = (
  lines_by_kind: Readonly<Record<(typeof SECTION_KINDS)[number], RelatedSection['lines']>>,
  lang: Lang,
): readonly RelatedSection[] =>
  SECTION_KINDS.filter((kind) => lines_by_kind[kind].length > 0).map((kind) => ({
    id: `beside-${kind}`,
    title: t(lang, `search.beside.${kind}`),
    lines: lines_by_kind[kind],
  }));

/** Renders sections of related results as Markdown. */
export const renderRelatedResults = (
  sections: readonly RelatedSection[],
  { site }: Pick<PageMeta, 'site'>,
): MarkdownBlock =>
  sections.map(({ title, lines }) =>
    section(
      title,
      list(
        lines.map(({ path, ...line }) =>
          linkItem(new URL(path, site.url).href, line.title, ...(line.words ? [line.words] : [])),
        ),
      ),
    ),
  );
