// llms.txt (llmstxt.org): what a language model finds here and how each address is made, in both
// languages, so that whoever has this file alone can ask for anything (contract 3.9).
import type { PhrasingContent, RootContent } from 'mdast';
import { AGENDA_WORDS } from '../../domain/agenda-words.ts';
import { DATE_WORDS } from '../../domain/hour-words.ts';
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
  toAbsolute,
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
import { toAsks, toHows } from './llms-addresses.ts';

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

/** Every page that there is once, with what is on it. */
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

/** Terms, forms of an address, how to publish. */
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

/** The whole file, CommonMark. */
export const toLlms = (taxonomy: Taxonomy, site: Site): string =>
  toMarkdown([
    heading(1, plain(site.name)),
    quote(...LANGS.map((lang) => paragraph(plain(t(lang, 'llms.about'))))),
    ...LANGS.flatMap((lang) => [...toTermsEntry(lang, site), ...toGuide(taxonomy, lang, site)]),
    heading(2, plain(LANGS.map((lang) => t(lang, 'llms.programs')).join(' · '))),
    list(toPrograms(site)),
  ]);
