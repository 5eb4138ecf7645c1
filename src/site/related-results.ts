// What the words of a query find beside events (contract 7.32): places, notices of now and later, pages of others
// to look at (ferries, weather), organizers; each under its name, on the page and in its Markdown version.
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

const MOST = { places: 5, notices: 3, organizers: 2 } as const;

export interface RelatedSection {
  readonly id: string;
  readonly title: string;
  /** A name with what is known of it; `path` is an address of ours or of another site. */
  readonly lines: readonly {
    readonly title: string;
    readonly path: string;
    readonly words: string | null;
  }[];
}

export interface RelatedResults {
  /** Nothing has all the words, and these have most of them. */
  readonly is_near: boolean;
  /** Where one is called by the very words, or there is no event. */
  readonly before: readonly RelatedSection[];
  readonly after: readonly RelatedSection[];
}

export const NO_RELATED_RESULTS: RelatedResults = { is_near: false, before: [], after: [] };

/** Those whose texts have every word, in the order given; a slip is forgiven only where nothing has. */
function filterByWords<T>(
  things: readonly T[],
  words: readonly string[],
  toText: (thing: T) => string,
): readonly T[] {
  const index = createWordIndex(things.map(toText));
  const { marks } = matchWords(index, words, things.length);
  return things.filter((_, at) => marks[at] === 1);
}

const FLAGS = FLAG_FILTERS.map(({ name }) => name);

/** Whether an event, of now or over, has the words as they are written. */
function isWritten(
  { word_indexes: { event }, index: { cards } }: Snapshot,
  words: readonly string[],
): boolean {
  const { marks, spellings } = matchWords(event, words, cards.length);
  return marks.includes(1) && spellings.length === 0;
}

/** The one day of a query; today where it has none or several. */
function readDay(texts: ParameterValues, now_ms: number): Temporal.PlainDate {
  const range = parseRange(texts, now_ms, []);
  return range?.from.equals(range.to) ? range.from : toLocalDay(now_ms);
}

/** More words are a sentence, and what has all but one of them is not looked for. */
const MOST_WORDS = 5;

/**
 * What has the words of a query in one spelling, before or after its events; places as its zone and its switches
 * ask, with whether they open on its day. Where nothing has them all, what has all but one.
 */
export function findRelatedResults(
  state: PageContext,
  texts: ParameterValues,
  event_count: number,
  lang: Lang,
): RelatedResults {
  const found = findWhole(state, texts, event_count, lang);
  const words = removeStopWords(splitWords(texts.q ?? '')).filter((word) => word.length > 1);
  const is_anything = event_count + found.before.length + found.after.length > 0;
  if (is_anything || words.length < 2 || words.length > MOST_WORDS) return found;
  // Places have no category of their own.
  if (texts.category !== undefined || isWritten(state.snapshot, words)) return found;
  const all_places = `${directoryPath('venue', lang)}?`;
  const near = words
    .map((missing) => {
      const q = words.filter((word) => word !== missing).join(' ');
      const { before } = findWhole(state, { ...texts, q }, 0, lang);
      const sections = before.filter(({ id }) => id !== 'beside-organizers');
      return sections.map(({ lines, ...section }) => ({
        ...section,
        lines: lines
          .filter(({ path }) => !path.startsWith(all_places))
          .map((line) => ({ ...line, words: formatMissingWords(line.words, [missing], lang) })),
      }));
    })
    // The fewer have a word, the more it says.
    .toSorted((a, b) => countLines(a) - countLines(b))
    .flat();
  const first_of = new Map(near.toReversed().map((section) => [section.id, section]));
  const before = [...first_of.values()].toReversed().map((section) => {
    const same = near.filter(({ id }) => id === section.id).flatMap(({ lines }) => lines);
    const by_title = new Map(same.toReversed().map((line) => [line.title, line]));
    return { ...section, lines: [...by_title.values()].toReversed().slice(0, MOST.places) };
  });
  return { ...NO_RELATED_RESULTS, is_near: before.length > 0, before };
}

const countLines = (sections: readonly RelatedSection[]): number =>
  sections.reduce((sum, { lines }) => sum + lines.length, 0);

/** What has all the words. */
function findWhole(
  state: PageContext,
  texts: ParameterValues,
  event_count: number,
  lang: Lang,
): RelatedResults {
  const { q, zone } = texts;
  const words = splitWords(q ?? '');
  if (q === undefined || words.length === 0) return NO_RELATED_RESULTS;
  const { snapshot, now_ms } = state;
  const flags = FLAGS.map((name) => [name, texts[name] ?? null] as const);
  const asked = sortParameters({ q, zone: zone ?? null, ...Object.fromEntries(flags) });
  const { filter } = parseDirectoryQuery(
    { ...asked, limit: String(MOST.places) },
    snapshot,
    now_ms,
    [],
  );
  const places = listDirectoryEntries(state, 'venue', lang, filter, readDay(texts, now_ms));
  // One slip away from a place or a notice is further than an event that has the word.
  const is_written = isWritten(snapshot, words);
  const notices = searchNotices(snapshot, words, toLocalDay(now_ms), is_written);
  const links = filterByWords(
    snapshot.calendar.links,
    words,
    ({ name, source, topic, search_words }) =>
      LANGS.flatMap((one) => [
        name[one],
        t(one, `day.link.${topic}`),
        t(one, `search.link.${topic}`),
      ])
        .concat(source, search_words)
        .join(' '),
  );
  const found = places.spellings.length > 0 && is_written ? [] : places.things;
  const is_elsewhere = event_count + found.length + notices.length + links.length > 0;
  // Where something else has the words, only those that are called by them.
  const organizers = findOrganizers(snapshot, { ...filter, limit: MOST.organizers }).items.filter(
    ({ record: { name } }) => !is_elsewhere || matchesName(name, words),
  );
  const more = {
    title: t(lang, 'search.beside.all_places', { count: places.total }),
    path: withQuery(directoryPath('venue', lang), asked),
    words: null,
  };
  const lines_of = {
    places: [
      ...found.map(({ name, path, facts }) => ({ title: name, path, words: facts.join(' · ') })),
      ...(found.length > 0 && places.next ? [more] : []),
    ],
    notices: notices.slice(0, MOST.notices).map((notice) => ({
      title: notice.title[lang],
      path: pagePath('notices', lang),
      words: formatNoticePeriod(notice, lang),
    })),
    links: links.map((one) => {
      const { label, topic } = formatDayLink(one, lang);
      return { title: label, path: one.url, words: `${topic} · ${one.source}` };
    }),
    organizers: organizers.map(({ record: { name, slug, description } }) => ({
      title: name,
      path: recordPath('organizer', slug, lang),
      words: description?.[lang] ?? null,
    })),
  };
  const kinds = (['places', 'notices', 'links', 'organizers'] as const).filter(
    (kind) => lines_of[kind].length > 0,
  );
  const sections = kinds.map((kind) => ({
    id: `beside-${kind}`,
    title: t(lang, `search.beside.${kind}`),
    lines: lines_of[kind],
  }));
  const is_first =
    event_count === 0 ||
    kinds.some((kind) => lines_of[kind].some(({ title }) => matchesName(title, words)));
  return { ...NO_RELATED_RESULTS, ...(is_first ? { before: sections } : { after: sections }) };
}

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
