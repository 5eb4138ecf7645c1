// llms.txt (llmstxt.org): what a language model finds here and how each address is made, in both
// languages, so that a reader of this file alone can ask for anything (contract 3.9).
import type { PhrasingContent, RootContent } from 'mdast';
import { AGENDA_WORDS } from '../../domain/agenda-words.ts';
import { DATE_WORDS } from '../../domain/query/days.ts';
import { DEFAULT_LANG, LANGS, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { Taxonomy, TaxonRecord } from '../../domain/taxon.ts';
import { API_PATHS, withQuery } from '../../i18n/api-paths.ts';
import {
  AI_CATALOG_PATH,
  GUIDES,
  MCP_PATH,
  OPENAPI_PATH,
  PAGE_PATHS,
  SECTION_PATHS,
  toAbsolute,
  toDayPath,
  toDirectoryPath,
  toFeedPath,
  toLlmsFullPath,
  toMarkdownPath,
  toNewsFeedPath,
} from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toMarkdown } from '../markdown/document.ts';
import {
  heading,
  inlineCode,
  link,
  list,
  paragraph,
  plain,
  quote,
  text,
} from '../markdown/nodes.ts';

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
const DIRECTORIES = {
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  zone: 'zones',
} as const;

function toPages(lang: Lang, site: Site): PhrasingContent[][] {
  const named = [...AGENDA_WORDS, ...PAGES].map(
    (page) => [page, toMarkdownPath(PAGE_PATHS[page][lang])] as const,
  );
  const lists = (['venue', 'organizer', 'category', 'zone'] as const).map(
    (section) => [DIRECTORIES[section], toMarkdownPath(toDirectoryPath(section, lang))] as const,
  );
  const told = [...named, ...lists, ['full', toLlmsFullPath(lang)] as const].map(([page, path]) => [
    link(toAbsolute(site.url, path), t(lang, `llms.page.${page}`)),
    text(`: ${t(lang, `llms.note.${page}`)}`),
  ]);
  const guides = GUIDES.map((page) => [
    link(toAbsolute(site.url, toMarkdownPath(PAGE_PATHS[page][lang])), t(lang, `guides.${page}`)),
  ]);
  return [...told, ...guides];
}

/** `zona-hotelera` Zona Hotelera, … */
const toTaxa = (taxa: readonly TaxonRecord[], lang: Lang): PhrasingContent[] =>
  taxa.flatMap(({ slug, name }, at): PhrasingContent[] => [
    text(at === 0 ? ' ' : ', '),
    inlineCode(slug[lang]),
    text(` ${name[lang]}`),
  ]);

const FILTERS = 'category=…&zone=…&free=1&family=1&q=…';
/** A point in the middle of Cancún, for examples. */
const NEAR = 'near=21.161,-86.827&radius_km=2';

type Line = readonly [words: string, ...addresses: readonly string[]];

const toLine = ([words, ...addresses]: Line): PhrasingContent[] => [
  text(words),
  ...addresses.flatMap((address, at): PhrasingContent[] => [
    text(at === 0 ? ' ' : ', '),
    inlineCode(address),
  ]),
];

const toPageAddress = (page: keyof typeof PAGE_PATHS, lang: Lang, query = ''): string =>
  toMarkdownPath(PAGE_PATHS[page][lang]) + query;

const toThing = (section: 'event' | 'venue' | 'organizer', lang: Lang): string =>
  toMarkdownPath(`${SECTION_PATHS[section][lang]}/{slug}`);

function toHows(lang: Lang): PhrasingContent[][] {
  const date = t(lang, 'md.foot.date');
  const lines: readonly Line[] = [
    [t(lang, 'llms.how.day'), toMarkdownPath(toDayPath(date, lang))],
    [
      t(lang, 'llms.how.filters'),
      toPageAddress('today', lang, `?${FILTERS}`),
      toPageAddress('search', lang, `?date=tonight&${FILTERS}`),
    ],
    [t(lang, 'llms.how.range'), toPageAddress('search', lang, `?from=${date}&to=${date}`)],
    [t(lang, 'llms.how.near'), toPageAddress('search', lang, `?${NEAR}`)],
    [
      t(lang, 'llms.how.thing'),
      ...(['event', 'venue', 'organizer'] as const).map((section) => toThing(section, lang)),
    ],
    [
      t(lang, 'llms.how.dates_of'),
      toMarkdownPath(`${SECTION_PATHS.event[lang]}/{slug}/${t(lang, 'path.dates')}`),
    ],
  ];
  return lines.map(toLine);
}

/** Questions, each with the address that answers it. */
function toAsks(lang: Lang): PhrasingContent[][] {
  const date = t(lang, 'md.foot.date');
  const year = date.slice(0, date.indexOf('-'));
  const market = t(lang, 'llms.example.market');
  const museum = t(lang, 'llms.example.museum');
  const lines: readonly Line[] = [
    [
      t(lang, 'llms.ask.tonight'),
      toPageAddress('search', lang, '?date=tonight&zone=isla-mujeres&free=1&family=1'),
    ],
    [t(lang, 'llms.ask.now'), toPageAddress('search', lang, '?date=now')],
    [t(lang, 'llms.ask.day'), toMarkdownPath(toDayPath(date, lang))],
    [t(lang, 'llms.ask.next'), toPageAddress('search', lang, `?q=${market}`)],
    [
      t(lang, 'llms.ask.month'),
      toPageAddress('search', lang, `?from=${year}-03-01&to=${year}-03-31`),
    ],
    [t(lang, 'llms.ask.near'), toPageAddress('search', lang, `?date=week&${NEAR}`)],
    [
      t(lang, 'llms.ask.open'),
      `${toMarkdownPath(toDirectoryPath('venue', lang))}?q=${museum}`,
      toPageAddress('today', lang),
    ],
    [t(lang, 'llms.ask.of'), toThing('venue', lang), toThing('organizer', lang)],
    [
      t(lang, 'llms.ask.changes'),
      toPageAddress('changes', lang, `?since=${date}`),
      toPageAddress('search', lang, `?updated_since=${date}`),
    ],
    [t(lang, 'llms.ask.notices'), toPageAddress('notices', lang)],
    [t(lang, 'llms.ask.ferries'), toPageAddress('today', lang)],
    [t(lang, 'llms.ask.publish'), toPageAddress('submit', lang)],
  ];
  return lines.map(([words, ...addresses]) => toLine([`${words}:`, ...addresses]));
}

/** How addresses are made: their patterns, the words that stand in them, questions that they answer. */
export const toGuide = (taxonomy: Taxonomy, lang: Lang, site: Site): RootContent[] => [
  heading(2, plain(t(lang, 'llms.pages'))),
  list(toPages(lang, site)),
  heading(2, plain(t(lang, 'llms.how'))),
  list([
    ...toHows(lang),
    [
      text(`${t(lang, 'llms.how.dates')} `),
      ...DATE_WORDS.flatMap((word) => [inlineCode(word), text(', ')]),
      inlineCode(t(lang, 'md.foot.date')),
    ],
    [text(t(lang, 'llms.how.category')), ...toTaxa(taxonomy.categories, lang)],
    [text(t(lang, 'llms.how.zone')), ...toTaxa(taxonomy.zones, lang)],
  ]),
  heading(2, plain(t(lang, 'llms.asks'))),
  list(toAsks(lang)),
];

export const toTermsEntry = (lang: Lang, site: Site): RootContent[] => {
  const form = toAbsolute(site.url, toMarkdownPath(PAGE_PATHS.submit[lang]));
  return [
    paragraph(plain(t(lang, 'llms.terms', { site: site.name, zone: t(lang, 'time.zone') }))),
    paragraph(plain(t(lang, 'llms.alternates'))),
    paragraph(text(`${t(lang, 'llms.base')} `), inlineCode(site.url)),
    paragraph(text(`${t(lang, 'llms.publish')} `), link(form, form)),
  ];
};

/** Addresses for programs: no documents, so they are named and not linked. */
function toPrograms(site: Site): PhrasingContent[][] {
  const entries = [
    [OPENAPI_PATH, 'llms.openapi'],
    [withQuery(API_PATHS.listEvents, { date: 'today' }), 'llms.events'],
    [toFeedPath({}, DEFAULT_LANG), 'llms.feed'],
    [toNewsFeedPath('events', 'atom', DEFAULT_LANG), 'llms.news'],
    [MCP_PATH, 'llms.mcp'],
    [AI_CATALOG_PATH, 'llms.catalog'],
  ] as const;
  return entries.map(([path, key]) => [
    inlineCode(toAbsolute(site.url, path)),
    text(`: ${LANGS.map((lang) => t(lang, key)).join(' · ')}`),
  ]);
}

export const toLlms = (taxonomy: Taxonomy, site: Site): string =>
  toMarkdown([
    heading(1, plain(site.name)),
    quote(...LANGS.map((lang) => paragraph(plain(t(lang, 'llms.about'))))),
    ...LANGS.flatMap((lang) => [...toTermsEntry(lang, site), ...toGuide(taxonomy, lang, site)]),
    heading(2, plain(LANGS.map((lang) => t(lang, 'llms.programs')).join(' · '))),
    list(toPrograms(site)),
  ]);
