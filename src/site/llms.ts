// llms.txt (llmstxt.org): what a language model finds here and how each address is made, in both languages, so
// that a reader of this file alone can ask for anything; llms-full.txt: all of it in one language, never above its
// bound; what does not fit is said and linked (contract 3.9).
import { AGENDA_WORDS } from '../domain/agenda-words.ts';
import type { EventCard } from '../domain/agenda.ts';
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import { findOriginals } from '../domain/event/event.ts';
import { listFacts } from '../domain/event/facts.ts';
import { DATE_WORDS } from '../domain/query/days.ts';
import { DEFAULT_LANG, LANGS, type Lang } from '../domain/lang.ts';
import { toOpenFilter } from '../domain/query/event-query.ts';
import type { Site } from '../domain/site.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { LINE_JOINT, toFactLines, toListDoubt } from '../i18n/fact-words.ts';
import { toForce } from '../i18n/day-words.ts';
import { toLongDay } from '../i18n/dates.ts';
import {
  AI_CATALOG_PATH,
  API_PATHS,
  DIRECTORIES,
  GUIDES,
  MCP_PATH,
  OPENAPI_PATH,
  PAGE_PATHS,
  SECTION_PATHS,
  BETWEEN_DAYS,
  toAbsolute,
  toDayPath,
  toDirectoryPath,
  toFeedPath,
  toFestivityPath,
  toLlmsFullPath,
  toMarkdownPath,
  toNewsFeedPath,
  toThingPath,
  withQuery,
} from '../i18n/paths.ts';
import { type Key, t, tCount } from '../i18n/translate.ts';
import { toMarkdown } from '../serializers/markdown/document.ts';
import { toWhenWords } from '../serializers/markdown/entries.ts';
import {
  type Block,
  heading,
  inlineCode,
  joined,
  link,
  linkItem,
  list,
  paragraph,
  quote,
  section,
  strong,
  type Words,
} from '../serializers/markdown/nodes.ts';
import { toThingItem } from '../serializers/markdown/entries.ts';
import { MAX_AGENDA_EVENTS, readNoticeBoard } from '../snapshot/agenda.ts';
import { findEvents } from '../snapshot/find-events.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { loadDirectory } from './directory.ts';
import { findPage } from './registry.ts';
import type { SiteState } from './state.ts';

const PAGES = [
  'search',
  'map',
  'notices',
  'changes',
  'calendar',
  'submit',
  'import',
  'embed',
  'data',
  'docs',
] as const;
const DIRECTORY_KEYS = {
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  zone: 'zones',
} as const;

function listPages(lang: Lang, site: Site): readonly Words[] {
  const toUrl = (path: string): string => toAbsolute(site.url, toMarkdownPath(path));
  const told = [
    ...[...AGENDA_WORDS, ...PAGES].map((page) => [page, toUrl(PAGE_PATHS[page][lang])] as const),
    ...DIRECTORIES.map(
      (name) => [DIRECTORY_KEYS[name], toUrl(toDirectoryPath(name, lang))] as const,
    ),
    ['full', toAbsolute(site.url, toLlmsFullPath(lang))] as const,
  ];
  return [
    ...told.map(([page, url]) =>
      linkItem(url, t(lang, `llms.page.${page}`), t(lang, `llms.note.${page}`)),
    ),
    ...GUIDES.map((page) => link(toUrl(PAGE_PATHS[page][lang]), t(lang, `guides.${page}`))),
  ];
}

/** `zona-hotelera` Zona Hotelera, … */
const toTaxa = (taxa: readonly TaxonRecord[], lang: Lang): Words =>
  joined(
    taxa.map(({ slug, name }) => [inlineCode(slug[lang]), ` ${name[lang]}`]),
    ', ',
  );

const FILTERS = 'category=…&zone=…&free=1&family=1&q=…';
/** A point in the middle of Cancún, for examples. */
const NEAR = 'near=21.161,-86.827&radius_km=2';

const toLine = (words: string, ...addresses: readonly string[]): Words => [
  `${words} `,
  joined(addresses.map(inlineCode), ', '),
];

const toPageAddress = (page: keyof typeof PAGE_PATHS, lang: Lang, query = ''): string =>
  toMarkdownPath(PAGE_PATHS[page][lang]) + query;

const toThing = (name: 'event' | 'venue' | 'organizer', lang: Lang): string =>
  toMarkdownPath(`${SECTION_PATHS[name][lang]}/{slug}`);

function listHows({ taxonomy, calendar }: Told, lang: Lang): readonly Words[] {
  const { categories, zones } = taxonomy;
  const date = t(lang, 'md.foot.date');
  const dates = `${SECTION_PATHS.event[lang]}/{slug}/${t(lang, 'path.dates')}`;
  return [
    toLine(t(lang, 'llms.how.day'), toMarkdownPath(toDayPath(date, lang))),
    toLine(
      t(lang, 'llms.how.filters'),
      toPageAddress('today', lang, `?${FILTERS}`),
      toPageAddress('search', lang, `?date=tonight&${FILTERS}`),
    ),
    toLine(
      t(lang, 'llms.how.range'),
      toMarkdownPath(toDayPath(`${date}${BETWEEN_DAYS}${date}`, lang)),
      toPageAddress('search', lang, `?from=${date}&to=${date}`),
    ),
    ...(calendar.festivities.length > 0
      ? [
          toLine(
            t(lang, 'llms.how.festivities'),
            ...calendar.festivities.map(({ slug }) => toMarkdownPath(toFestivityPath(slug, lang))),
          ),
        ]
      : []),
    toLine(t(lang, 'llms.how.near'), toPageAddress('search', lang, `?${NEAR}`)),
    toLine(
      t(lang, 'llms.how.thing'),
      toThing('event', lang),
      toThing('venue', lang),
      toThing('organizer', lang),
    ),
    toLine(t(lang, 'llms.how.dates_of'), toMarkdownPath(dates)),
    toLine(t(lang, 'llms.how.dates'), ...DATE_WORDS, date),
    [`${t(lang, 'llms.how.category')} `, toTaxa(categories, lang)],
    [`${t(lang, 'llms.how.zone')} `, toTaxa(zones, lang)],
  ];
}

/** What of a snapshot its addresses are made of. */
type Told = Pick<Snapshot, 'taxonomy' | 'calendar'>;

/** Questions, each with the address that answers it. */
function listAsks(lang: Lang): readonly Words[] {
  const date = t(lang, 'md.foot.date');
  const year = date.slice(0, date.indexOf('-'));
  const search = (query: string): string => toPageAddress('search', lang, query);
  const venues = toMarkdownPath(toDirectoryPath('venue', lang));
  const today = toPageAddress('today', lang);
  const asks: readonly (readonly [Key, ...(readonly string[])])[] = [
    ['llms.ask.tonight', search('?date=tonight&zone=isla-mujeres&free=1&family=1')],
    ['llms.ask.now', search('?date=now')],
    ['llms.ask.day', toMarkdownPath(toDayPath(date, lang))],
    ['llms.ask.next', search(`?q=${t(lang, 'llms.example.market')}`)],
    ['llms.ask.month', search(`?from=${year}-03-01&to=${year}-03-31`)],
    ['llms.ask.near', search(`?date=week&${NEAR}`)],
    ['llms.ask.open', `${venues}?q=${t(lang, 'llms.example.museum')}`, today],
    ['llms.ask.of', toThing('venue', lang), toThing('organizer', lang)],
    [
      'llms.ask.changes',
      toPageAddress('changes', lang, `?since=${date}`),
      search(`?updated_since=${date}`),
    ],
    ['llms.ask.notices', toPageAddress('notices', lang)],
    ['llms.ask.ferries', today],
    ['llms.ask.publish', toPageAddress('submit', lang)],
  ];
  return asks.map(([key, ...addresses]) => toLine(`${t(lang, key)}:`, ...addresses));
}

/** Terms; how addresses are made: their patterns, the words that stand in them, questions that they answer. */
function renderGuide(told: Told, lang: Lang, site: Site): Block {
  const form = toAbsolute(site.url, toMarkdownPath(PAGE_PATHS.submit[lang]));
  return [
    t(lang, 'llms.terms', { site: site.name, zone: t(lang, 'time.zone') }),
    t(lang, 'llms.alternates'),
    paragraph(`${t(lang, 'llms.base')} `, inlineCode(site.url)),
    paragraph(`${t(lang, 'llms.publish')} `, link(form)),
    section(t(lang, 'llms.pages'), list(listPages(lang, site))),
    section(t(lang, 'llms.how'), list(listHows(told, lang))),
    section(t(lang, 'llms.asks'), list(listAsks(lang))),
  ];
}

/** Addresses for programs: no documents, so they are named and not linked. */
const PROGRAMS = [
  [OPENAPI_PATH, 'llms.openapi'],
  [withQuery(API_PATHS.listEvents, { date: 'today' }), 'llms.events'],
  [toFeedPath({}, DEFAULT_LANG), 'llms.feed'],
  [toNewsFeedPath('events', 'atom', DEFAULT_LANG), 'llms.news'],
  [MCP_PATH, 'llms.mcp'],
  [AI_CATALOG_PATH, 'llms.catalog'],
] as const;

export const renderLlms = (told: Told, site: Site): string =>
  toMarkdown([
    heading(1, site.name),
    quote(...LANGS.map((lang) => t(lang, 'llms.about'))),
    LANGS.map((lang) => renderGuide(told, lang, site)),
    section(
      LANGS.map((lang) => t(lang, 'llms.programs')).join(' · '),
      list(
        PROGRAMS.map(([path, key]) => [
          inlineCode(toAbsolute(site.url, path)),
          `: ${LANGS.map((lang) => t(lang, key)).join(' · ')}`,
        ]),
      ),
    ),
  ]);

/** Most bytes of the whole, whatever the town. */
export const MAX_FULL_BYTES = 200_000;
/** Kept for the sentences about what did not fit. */
const RESERVED_BYTES = 4_000;
const FULL_DAYS = 7;

/** A part: whole, or as many of its lines as fit; `path` has all of it. */
interface Part {
  readonly title: string;
  readonly path: string;
  readonly head: string;
  readonly lines: readonly string[];
  readonly total: number;
}

const renderItem = (item: Words): string => toMarkdown([list([item])]);
const toPart = (title: string, path: string, lines: readonly string[], words?: Words): Part => ({
  title,
  path,
  lines,
  head: toMarkdown([heading(2, words ?? title)]),
  total: lines.length,
});

/** One event on a line, with all that lists say of it. */
function renderEvent(card: EventCard, lang: Lang, site: Site, under_day: boolean): string {
  const facts = listFacts(card, 'line').map(({ name, value }) =>
    name === 'when'
      ? (toWhenWords(card, lang, under_day) ?? '')
      : toFactLines(value, lang).join(LINE_JOINT),
  );
  const written = findOriginals(card.event, lang).title;
  const original = written === undefined ? '' : t(lang, `original.${written}`);
  const url = toAbsolute(site.url, toThingPath('event', card.event.slug, lang));
  const said = [original, ...facts].filter((words) => words !== '');
  return renderItem(linkItem(url, card.event.title[lang], ...said));
}

/** `events` are all that are ahead, by their next date. */
function listParts(state: SiteState, events: readonly EventCard[], lang: Lang): readonly Part[] {
  const { snapshot, now_ms, site } = state;
  const today = toCancunDay(now_ms);
  const open = toOpenFilter(floorToMinute(now_ms), MAX_AGENDA_EVENTS);
  const board = readNoticeBoard(snapshot, today);
  const notices = [...board.today, ...board.tomorrow, ...board.in_season, ...board.soon].map(
    (notice) =>
      renderItem([strong(notice.title[lang]), ` (${toForce(notice, lang)}): ${notice.body[lang]}`]),
  );
  const days = Array.from({ length: FULL_DAYS }, (_, at) => {
    const day = today.add({ days: at });
    const { cards } = findEvents(snapshot, { ...open, range: { from: day, to: day } }, lang);
    const [title, path] = [toLongDay(day, lang), toMarkdownPath(toDayPath(day.toString(), lang))];
    const lines = cards.map((card) => renderEvent(card, lang, site, true));
    return toPart(title, path, lines, link(toAbsolute(site.url, path), title));
  });
  const places = DIRECTORIES.map((name) => {
    const { meta, things, total } = loadDirectory(state, { lang, section: name }, '').page;
    const lines = things.map((thing) => renderItem(toThingItem(thing, { lang, site })));
    return { ...toPart(meta.title, toMarkdownPath(toDirectoryPath(name, lang)), lines), total };
  });
  // These stand in it whole or not at all.
  const documents = (['submit', 'docs'] as const).flatMap((page) => {
    const text = findPage(PAGE_PATHS[page][lang])?.write(state, '');
    const title = t(lang, `llms.page.${page}`);
    return typeof text === 'string'
      ? [{ ...toPart(title, toPageAddress(page, lang), [text]), head: '' }]
      : [];
  });
  return [
    toPart(t(lang, 'llms.page.notices'), toPageAddress('notices', lang), notices),
    ...days,
    toPart(
      t(lang, 'llms.full.events'),
      toPageAddress('search', lang),
      events.map((card) => renderEvent(card, lang, site, false)),
    ),
    ...places,
    ...documents,
  ];
}

/** /llms-full.txt of a language: the same results as the pages and their Markdown versions, in one. */
export function renderLlmsFull(state: SiteState, lang: Lang): string {
  const { snapshot, now_ms, site } = state;
  const open = toOpenFilter(floorToMinute(now_ms), MAX_AGENDA_EVENTS);
  const events = findEvents(snapshot, open, lang).cards;
  const opening = toMarkdown([
    heading(1, site.name),
    quote(t(lang, 'llms.about')),
    renderGuide(snapshot, lang, site),
    toListDoubt(events, lang),
  ]);
  let left = MAX_FULL_BYTES - RESERVED_BYTES - Buffer.byteLength(opening);
  const take = (text: string): boolean => {
    left -= Buffer.byteLength(text);
    return left >= 0;
  };
  const blocks = listParts(state, events, lang).map(({ title, path, head, lines, total }) => {
    const before = left;
    take(head);
    const end = lines.findIndex((line) => !take(line));
    const shown = end < 0 ? lines : lines.slice(0, end);
    left = before - Buffer.byteLength(head + shown.join(''));
    // What was left out, and where it is.
    const words = shown.length === 0 ? title : tCount(lang, 'llms.full.more', total - shown.length);
    const way = link(toAbsolute(site.url, path), words);
    const rest =
      total === shown.length ? '' : toMarkdown([paragraph(`${t(lang, 'llms.full.cut')} `, way)]);
    return [head, shown.join(''), rest];
  });
  return [opening, ...blocks.flat().filter((block) => block !== '')].join('\n');
}
