// llms.txt (llmstxt.org): what a language model finds here and how each address is made, in both languages, so
// that a reader of this file alone can ask for anything; llms-full.txt: the documents that say most in one, never
// above its bound; what does not fit is linked (contract 3.9).
import { TOWN } from '../town.ts';
import { AGENDA_KEYWORDS } from '../domain/date-keywords.ts';
import { DATE_KEYWORDS } from '../domain/query/date-range.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { RESULT_LIMITS } from '../domain/query/parameters.ts';
import type { Site } from '../domain/site.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import {
  API_PATHS,
  DIRECTORY_SECTIONS,
  GUIDES,
  MCP_PATH,
  OPENAPI_PATH,
  PAGE_PATHS,
  SECTION_PATHS,
  DAY_RANGE_SEPARATOR,
  absoluteUrl,
  dayPath,
  directoryPath,
  calendarFeedPath,
  festivityPath,
  llmsFullPath,
  markdownPath,
  newsFeedPath,
  withQuery,
} from '../i18n/paths.ts';
import { type MessageKey, t } from '../i18n/translate.ts';
import { toMarkdown } from '../serializers/markdown/document.ts';
import {
  type MarkdownBlock,
  heading,
  inlineCode,
  joinInline,
  link,
  linkItem,
  list,
  paragraph,
  quote,
  section,
  type Inline,
} from '../serializers/markdown/nodes.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { matchPage } from './page-registry.ts';
import type { PageContext } from './page-context.ts';

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

function listPages(lang: Lang, site: Site): readonly Inline[] {
  const toUrl = (path: string): string => absoluteUrl(site.url, markdownPath(path));
  const told = [
    ...[...AGENDA_KEYWORDS, ...PAGES].map((page) => [page, toUrl(PAGE_PATHS[page][lang])] as const),
    ...DIRECTORY_SECTIONS.map(
      (name) => [DIRECTORY_KEYS[name], toUrl(directoryPath(name, lang))] as const,
    ),
    ['full', absoluteUrl(site.url, llmsFullPath(lang))] as const,
  ];
  return [
    ...told.map(([page, url]) =>
      linkItem(url, t(lang, `llms.page.${page}`), t(lang, `llms.note.${page}`)),
    ),
    ...GUIDES.map((page) => link(toUrl(PAGE_PATHS[page][lang]), t(lang, `guides.${page}`))),
  ];
}

/** `zona-hotelera` Zona Hotelera, … */
const toTaxa = (taxa: readonly TaxonRecord[], lang: Lang): Inline =>
  joinInline(
    taxa.map(({ slug, name }) => [inlineCode(slug[lang]), ` ${name[lang]}`]),
    ', ',
  );

const FILTERS = 'category=…&zone=…&free=1&family=1&q=…';
const { lat, lng } = TOWN.examples.near;
const NEAR = `near=${lat},${lng}&radius_km=2`;

const toLine = (words: string, ...addresses: readonly string[]): Inline => [
  `${words} `,
  joinInline(addresses.map(inlineCode), ', '),
];

const toPageAddress = (page: keyof typeof PAGE_PATHS, lang: Lang, query = ''): string =>
  markdownPath(PAGE_PATHS[page][lang]) + query;

const toThing = (name: 'event' | 'venue' | 'organizer', lang: Lang): string =>
  markdownPath(`${SECTION_PATHS[name][lang]}/{slug}`);

function listHows({ taxonomy, calendar }: LlmsTxtInput, lang: Lang): readonly Inline[] {
  const { categories, zones } = taxonomy;
  const date = t(lang, 'md.foot.date');
  const dates = `${SECTION_PATHS.event[lang]}/{slug}/${t(lang, 'path.dates')}`;
  return [
    toLine(t(lang, 'llms.how.day'), markdownPath(dayPath(date, lang))),
    toLine(
      t(lang, 'llms.how.filters'),
      toPageAddress('today', lang, `?${FILTERS}`),
      toPageAddress('search', lang, `?date=tonight&${FILTERS}`),
    ),
    toLine(
      t(lang, 'llms.how.range'),
      markdownPath(dayPath(`${date}${DAY_RANGE_SEPARATOR}${date}`, lang)),
      toPageAddress('search', lang, `?from=${date}&to=${date}`),
    ),
    ...(calendar.festivities.length > 0
      ? [
          toLine(
            t(lang, 'llms.how.festivities'),
            ...calendar.festivities.map(({ slug }) =>
              markdownPath(festivityPath(slug[lang], lang)),
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
    toLine(t(lang, 'llms.how.dates_of'), markdownPath(dates)),
    toLine(t(lang, 'llms.how.dates'), ...DATE_KEYWORDS, date),
    [`${t(lang, 'llms.how.category')} `, toTaxa(categories, lang)],
    [`${t(lang, 'llms.how.zone')} `, toTaxa(zones, lang)],
  ];
}

/** What of a snapshot its addresses are made of. */
type LlmsTxtInput = Pick<Snapshot, 'taxonomy' | 'calendar'>;

/** Questions, each with the address that answers it. */
function listAsks(lang: Lang): readonly Inline[] {
  const date = t(lang, 'md.foot.date');
  const year = date.slice(0, date.indexOf('-'));
  const search = (query: string): string => toPageAddress('search', lang, query);
  const venues = markdownPath(directoryPath('venue', lang));
  const today = toPageAddress('today', lang);
  const asks: readonly (readonly [MessageKey, ...(readonly string[])])[] = [
    ['llms.ask.tonight', search(`?date=tonight&zone=${TOWN.examples.zone}&free=1&family=1`)],
    ['llms.ask.now', search('?date=now')],
    ['llms.ask.day', markdownPath(dayPath(date, lang))],
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
function renderGuide(told: LlmsTxtInput, lang: Lang, site: Site): MarkdownBlock {
  const form = absoluteUrl(site.url, markdownPath(PAGE_PATHS.submit[lang]));
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
  [calendarFeedPath({}, DEFAULT_LANG), 'llms.feed'],
  [newsFeedPath('events', 'atom', DEFAULT_LANG), 'llms.news'],
  [MCP_PATH, 'llms.mcp'],
] as const;

export const renderLlmsTxt = (told: LlmsTxtInput, site: Site): string =>
  toMarkdown([
    heading(1, site.name),
    quote(...TOWN.languages.map((lang) => t(lang, 'llms.about'))),
    TOWN.languages.map((lang) => renderGuide(told, lang, site)),
    section(
      TOWN.languages.map((lang) => t(lang, 'llms.programs')).join(' · '),
      list(
        PROGRAMS.map(([path, key]) => [
          inlineCode(absoluteUrl(site.url, path)),
          `: ${TOWN.languages.map((lang) => t(lang, key)).join(' · ')}`,
        ]),
      ),
    ),
  ]);

/** Most bytes of the whole, whatever the town. */
export const MAX_LLMS_FULL_BYTES = 200_000;
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
    { ...toPart('search', `limit=${RESULT_LIMITS.list.max}`), title: t(lang, 'llms.full.events') },
    ...DIRECTORY_SECTIONS.map((name) => ({
      path: directoryPath(name, lang),
      query: '',
      title: t(lang, `llms.page.${DIRECTORY_KEYS[name]}`),
    })),
    toPart('submit'),
    toPart('docs'),
  ];
}

/** /llms-full.txt of a language: the Markdown versions that say most, one after the other. */
export function renderLlmsFullTxt(
  state: PageContext,
  lang: Lang,
  max_bytes = MAX_LLMS_FULL_BYTES,
): string {
  const { snapshot, site } = state;
  const opening = toMarkdown([
    heading(1, site.name),
    quote(t(lang, 'llms.about')),
    renderGuide(snapshot, lang, site),
  ]);
  let left = max_bytes - RESERVED_BYTES - Buffer.byteLength(opening);
  const parts = listParts(lang).map(({ path, query, title }) => {
    const text = matchPage(path)?.write(state, query);
    const size = typeof text === 'string' ? Buffer.byteLength(text) : left;
    if (typeof text === 'string' && size < left) {
      left -= size;
      return text;
    }
    const way = link(absoluteUrl(site.url, markdownPath(path)), title);
    return toMarkdown([paragraph(`${t(lang, 'llms.full.cut')} `, way)]);
  });
  return [opening, ...parts].join('\n');
}
