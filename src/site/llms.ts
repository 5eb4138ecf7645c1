// llms.txt (llmstxt.org): what a language model finds here and how each address is made, in both languages, so
// that a reader of this file alone can ask for anything; llms-full.txt: the documents that say most in one, never
// above its bound; what does not fit is linked (contract 3.9).
import { TOWN } from '../town.ts';
import { AGENDA_WORDS } from '../domain/agenda-words.ts';
import { DATE_WORDS } from '../domain/query/days.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { LIMITS } from '../domain/query/parameters.ts';
import type { Site } from '../domain/site.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import {
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
  withQuery,
} from '../i18n/paths.ts';
import { type Key, t } from '../i18n/translate.ts';
import { toMarkdown } from '../serializers/markdown/document.ts';
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
  type Words,
} from '../serializers/markdown/nodes.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { findPage } from './registry.ts';
import type { SiteState } from './state.ts';

const PAGES = [
  'search',
  'map',
  'notices',
  'changes',
  'calendar',
  'saved',
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
const { lat, lng } = TOWN.examples.near;
const NEAR = `near=${lat},${lng}&radius_km=2`;

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
            ...calendar.festivities.map(({ slug }) =>
              toMarkdownPath(toFestivityPath(slug[lang], lang)),
            ),
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
    ['llms.ask.tonight', search(`?date=tonight&zone=${TOWN.examples.zone}&free=1&family=1`)],
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
    ['llms.ask.links', today],
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
] as const;

export const renderLlms = (told: Told, site: Site): string =>
  toMarkdown([
    heading(1, site.name),
    quote(...TOWN.languages.map((lang) => t(lang, 'llms.about'))),
    TOWN.languages.map((lang) => renderGuide(told, lang, site)),
    section(
      TOWN.languages.map((lang) => t(lang, 'llms.programs')).join(' · '),
      list(
        PROGRAMS.map(([path, key]) => [
          inlineCode(toAbsolute(site.url, path)),
          `: ${TOWN.languages.map((lang) => t(lang, key)).join(' · ')}`,
        ]),
      ),
    ),
  ]);

/** Most bytes of the whole, whatever the town. */
export const MAX_FULL_BYTES = 200_000;
/** Kept for the sentences about what did not fit. */
const RESERVED_BYTES = 2_000;

/** What the whole is made of: pages with what is asked of them, the most wanted first. */
function listParts(lang: Lang) {
  const toPart = (page: (typeof PAGES)[number], query = '') => ({
    path: PAGE_PATHS[page][lang],
    query,
    title: t(lang, `llms.page.${page}`),
  });
  return [
    toPart('notices'),
    { ...toPart('search', `limit=${LIMITS.list.max}`), title: t(lang, 'llms.full.events') },
    ...DIRECTORIES.map((name) => ({
      path: toDirectoryPath(name, lang),
      query: '',
      title: t(lang, `llms.page.${DIRECTORY_KEYS[name]}`),
    })),
    toPart('submit'),
    toPart('docs'),
  ];
}

/** /llms-full.txt of a language: the Markdown versions that say most, one after the other. */
export function renderLlmsFull(state: SiteState, lang: Lang, max_bytes = MAX_FULL_BYTES): string {
  const { snapshot, site } = state;
  const opening = toMarkdown([
    heading(1, site.name),
    quote(t(lang, 'llms.about')),
    renderGuide(snapshot, lang, site),
  ]);
  let left = max_bytes - RESERVED_BYTES - Buffer.byteLength(opening);
  const parts = listParts(lang).map(({ path, query, title }) => {
    const text = findPage(path)?.write(state, query);
    const size = typeof text === 'string' ? Buffer.byteLength(text) : left;
    if (typeof text === 'string' && size < left) {
      left -= size;
      return text;
    }
    const way = link(toAbsolute(site.url, toMarkdownPath(path)), title);
    return toMarkdown([paragraph(`${t(lang, 'llms.full.cut')} `, way)]);
  });
  return [opening, ...parts].join('\n');
}
