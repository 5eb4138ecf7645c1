// llms.txt (llmstxt.org): tells language models in both languages which documents the site has and
// how to form their addresses. llms-full.txt joins the most useful documents up to a size limit and
// links to the others (contract 3.9).
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

/** Pages that llms.txt lists after the agenda pages. */
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
/** Ends of the message keys of the directories: `llms.page.venues`. */
const DIRECTORY_KEYS = {
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  zone: 'zones',
} as const;

/** Lists the links to the Markdown versions of pages, to llms-full.txt and to the guides. */
function listPages(lang: Lang, site: Site): readonly Inline[] {
  const markdownUrl = (path: string): string => absoluteUrl(site.url, markdownPath(path));
  const pages = [
    ...[...AGENDA_KEYWORDS, ...PAGES].map(
      (page) => [page, markdownUrl(PAGE_PATHS[page][lang])] as const,
    ),
    ...DIRECTORY_SECTIONS.map(
      (name) => [DIRECTORY_KEYS[name], markdownUrl(directoryPath(name, lang))] as const,
    ),
    ['full', absoluteUrl(site.url, llmsFullPath(lang))] as const,
  ];
  return [
    ...pages.map(([page, url]) =>
      linkItem(url, t(lang, `llms.page.${page}`), t(lang, `llms.note.${page}`)),
    ),
    ...GUIDES.map((page) => link(markdownUrl(PAGE_PATHS[page][lang]), t(lang, `guides.${page}`))),
  ];
}

/** Renders taxa as `zona-hotelera` Zona Hotelera, … */
const renderTaxa = (taxa: readonly TaxonRecord[], lang: Lang): Inline =>
  joinInline(
    taxa.map(({ slug, name }) => [inlineCode(slug[lang]), ` ${name[lang]}`]),
    ', ',
  );

/** Example parameters of addresses. */
const FILTERS = 'category=…&zone=…&free=1&family=1&q=…';
const { lat, lng } = TOWN.examples.near;
const NEAR = `near=${lat},${lng}&radius_km=2`;

/** Renders a text with the addresses that it explains. */
const renderLine = (text: string, ...addresses: readonly string[]): Inline => [
  `${text} `,
  joinInline(addresses.map(inlineCode), ', '),
];

/** Returns the address of a page's Markdown version, with a raw query such as `?q=…`. */
const pageAddress = (page: keyof typeof PAGE_PATHS, lang: Lang, query = ''): string =>
  markdownPath(PAGE_PATHS[page][lang]) + query;

/** Returns the address pattern of the Markdown versions of a kind of record. */
const recordAddress = (name: 'event' | 'venue' | 'organizer', lang: Lang): string =>
  markdownPath(`${SECTION_PATHS[name][lang]}/{slug}`);

/** Lists how to form the addresses of days, searches, records and lists. */
function listAddressPatterns({ taxonomy, calendar }: LlmsTxtInput, lang: Lang): readonly Inline[] {
  const { categories, zones } = taxonomy;
  const date = t(lang, 'md.foot.date');
  const dates = `${SECTION_PATHS.event[lang]}/{slug}/${t(lang, 'path.dates')}`;
  return [
    renderLine(t(lang, 'llms.how.day'), markdownPath(dayPath(date, lang))),
    renderLine(
      t(lang, 'llms.how.filters'),
      pageAddress('today', lang, `?${FILTERS}`),
      pageAddress('search', lang, `?date=tonight&${FILTERS}`),
    ),
    renderLine(
      t(lang, 'llms.how.range'),
      markdownPath(dayPath(`${date}${DAY_RANGE_SEPARATOR}${date}`, lang)),
      pageAddress('search', lang, `?from=${date}&to=${date}`),
    ),
    ...(calendar.festivities.length > 0
      ? [
          renderLine(
            t(lang, 'llms.how.festivities'),
            ...calendar.festivities.map(({ slug }) =>
              markdownPath(festivityPath(slug[lang], lang)),
            ),
          ),
        ]
      : []),
    renderLine(t(lang, 'llms.how.near'), pageAddress('search', lang, `?${NEAR}`)),
    renderLine(
      t(lang, 'llms.how.thing'),
      recordAddress('event', lang),
      recordAddress('venue', lang),
      recordAddress('organizer', lang),
    ),
    renderLine(t(lang, 'llms.how.dates_of'), markdownPath(dates)),
    renderLine(t(lang, 'llms.how.dates'), ...DATE_KEYWORDS, date),
    [`${t(lang, 'llms.how.category')} `, renderTaxa(categories, lang)],
    [`${t(lang, 'llms.how.zone')} `, renderTaxa(zones, lang)],
  ];
}

/** Parts of a snapshot that occur in addresses. */
type LlmsTxtInput = Pick<Snapshot, 'taxonomy' | 'calendar'>;

/** Lists example questions, each with the addresses that answer it. */
function listQuestions(lang: Lang): readonly Inline[] {
  const date = t(lang, 'md.foot.date');
  const year = date.slice(0, date.indexOf('-'));
  const search = (query: string): string => pageAddress('search', lang, query);
  const venues = markdownPath(directoryPath('venue', lang));
  const today = pageAddress('today', lang);
  const questions: readonly (readonly [MessageKey, ...(readonly string[])])[] = [
    ['llms.ask.tonight', search(`?date=tonight&zone=${TOWN.examples.zone}&free=1&family=1`)],
    ['llms.ask.now', search('?date=now')],
    ['llms.ask.day', markdownPath(dayPath(date, lang))],
    ['llms.ask.next', search(`?q=${t(lang, 'llms.example.market')}`)],
    ['llms.ask.month', search(`?from=${year}-03-01&to=${year}-03-31`)],
    ['llms.ask.near', search(`?date=week&${NEAR}`)],
    ['llms.ask.open', `${venues}?q=${t(lang, 'llms.example.museum')}`, today],
    ['llms.ask.of', recordAddress('venue', lang), recordAddress('organizer', lang)],
    [
      'llms.ask.changes',
      pageAddress('changes', lang, `?since=${date}`),
      search(`?updated_since=${date}`),
    ],
    ['llms.ask.notices', pageAddress('notices', lang)],
    ['llms.ask.links', today],
    ['llms.ask.publish', pageAddress('submit', lang)],
  ];
  return questions.map(([key, ...addresses]) => renderLine(`${t(lang, key)}:`, ...addresses));
}

/** Renders the terms, the pages, the address patterns with their values, and example questions. */
function renderGuide(input: LlmsTxtInput, lang: Lang, site: Site): MarkdownBlock {
  const form = absoluteUrl(site.url, markdownPath(PAGE_PATHS.submit[lang]));
  return [
    t(lang, 'llms.terms', { site: site.name, zone: t(lang, 'time.zone') }),
    t(lang, 'llms.alternates'),
    paragraph(`${t(lang, 'llms.base')} `, inlineCode(site.url)),
    paragraph(`${t(lang, 'llms.publish')} `, link(form)),
    section(t(lang, 'llms.pages'), list(listPages(lang, site))),
    section(t(lang, 'llms.how'), list(listAddressPatterns(input, lang))),
    section(t(lang, 'llms.asks'), list(listQuestions(lang))),
  ];
}

/** Endpoints for programs. Not documents, so they are not links. */
const PROGRAMS = [
  [OPENAPI_PATH, 'llms.openapi'],
  [withQuery(API_PATHS.listEvents, { date: 'today' }), 'llms.events'],
  [calendarFeedPath({}, DEFAULT_LANG), 'llms.feed'],
  [newsFeedPath('events', 'atom', DEFAULT_LANG), 'llms.news'],
  [MCP_PATH, 'llms.mcp'],
] as const;

/** Renders llms.txt: the guide in each language, then the endpoints for programs. */
export const renderLlmsTxt = (input: LlmsTxtInput, site: Site): string =>
  toMarkdown([
    heading(1, site.name),
    quote(...TOWN.languages.map((lang) => t(lang, 'llms.about'))),
    TOWN.languages.map((lang) => renderGuide(input, lang, site)),
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

/** Size limit of llms-full.txt, for any town. */
export const MAX_LLMS_FULL_BYTES = 200_000;
/** Reserved for the links to documents that did not fit. */
const RESERVED_BYTES = 2_000;

/** Lists the documents of llms-full.txt with their queries, the most useful first. */
function listParts(lang: Lang) {
  const buildPart = (page: (typeof PAGES)[number], query = '') => ({
    path: PAGE_PATHS[page][lang],
    query,
    title: t(lang, `llms.page.${page}`),
  });
  return [
    buildPart('notices'),
    {
      ...buildPart('search', `limit=${RESULT_LIMITS.list.max}`),
      title: t(lang, 'llms.full.events'),
    },
    ...DIRECTORY_SECTIONS.map((name) => ({
      path: directoryPath(name, lang),
      query: '',
      title: t(lang, `llms.page.${DIRECTORY_KEYS[name]}`),
    })),
    buildPart('submit'),
    buildPart('docs'),
  ];
}

/**
 * Renders llms-full.txt of a language: the guide, then Markdown versions of pages until the limit.
 */
export function renderLlmsFullTxt(
  context: PageContext,
  lang: Lang,
  max_bytes = MAX_LLMS_FULL_BYTES,
): string {
  const { snapshot, site } = context;
  const opening = toMarkdown([
    heading(1, site.name),
    quote(t(lang, 'llms.about')),
    renderGuide(snapshot, lang, site),
  ]);
  let bytes_left = max_bytes - RESERVED_BYTES - Buffer.byteLength(opening);
  const parts = listParts(lang).map(({ path, query, title }) => {
    const text = matchPage(path)?.renderMarkdown(context, query);
    const size = typeof text === 'string' ? Buffer.byteLength(text) : bytes_left;
    if (typeof text === 'string' && size < bytes_left) {
      bytes_left -= size;
      return text;
    }
    const page_link = link(absoluteUrl(site.url, markdownPath(path)), title);
    return toMarkdown([paragraph(`${t(lang, 'llms.full.cut')} `, page_link)]);
  });
  return [opening, ...parts].join('\n');
}
