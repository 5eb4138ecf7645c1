// llms.txt (llmstxt.org): what a language model finds here and where, in both languages.
import type { List, RootContent } from 'mdast';
import { AGENDA_WORDS } from '../../domain/agenda-words.ts';
import { DEFAULT_LANG, LANGS, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { API_PATHS, withQuery } from '../../i18n/api-paths.ts';
import {
  AI_CATALOG_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  PAGE_PATHS,
  toAbsolute,
  toFeedPath,
  toMarkdownPath,
  toNewsFeedPath,
} from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toMarkdown } from '../markdown/document.ts';
import { heading, link, list, paragraph, plain, quote, text } from '../markdown/nodes.ts';

const PAGES = [...AGENDA_WORDS, 'search', 'map', 'notices', 'changes', 'docs', 'data'] as const;

const toPages = (lang: Lang, site: Site): List =>
  list(
    PAGES.map((page) => [
      link(
        toAbsolute(site.url, toMarkdownPath(PAGE_PATHS[page][lang])),
        t(lang, `llms.page.${page}`),
      ),
    ]),
  );

function toPrograms(site: Site): List {
  const entries = [
    [OPENAPI_PATH, 'OpenAPI', 'llms.openapi'],
    [withQuery(API_PATHS.listEvents, { date: 'today' }), 'JSON', 'llms.events'],
    [toFeedPath({}, DEFAULT_LANG), 'iCalendar', 'llms.feed'],
    [toNewsFeedPath('events', 'atom', DEFAULT_LANG), 'Atom', 'llms.news'],
    [MCP_PATH, 'MCP', 'llms.mcp'],
    [AI_CATALOG_PATH, 'ai-catalog', 'llms.catalog'],
  ] as const;
  return list(
    entries.map(([path, label, key]) => [
      link(toAbsolute(site.url, path), label),
      text(`: ${LANGS.map((lang) => t(lang, key)).join(' · ')}`),
    ]),
  );
}

/** The same in each language, one after the other. */
const inBoth = (write: (lang: Lang) => RootContent[]): RootContent[] => LANGS.flatMap(write);

/** The whole file, CommonMark. */
export function toLlms(site: Site): string {
  return toMarkdown([
    heading(1, plain(site.name)),
    quote(...LANGS.map((lang) => paragraph(plain(t(lang, 'llms.about'))))),
    ...inBoth((lang) => [
      paragraph(plain(t(lang, 'llms.terms', { site: site.name, zone: t(lang, 'time.zone') }))),
      paragraph(plain(t(lang, 'llms.alternates'))),
      paragraph(
        plain(t(lang, 'llms.publish', { form: toAbsolute(site.url, PAGE_PATHS.submit[lang]) })),
      ),
    ]),
    ...inBoth((lang) => [heading(2, plain(t(lang, 'llms.pages'))), toPages(lang, site)]),
    heading(2, plain(LANGS.map((lang) => t(lang, 'llms.programs')).join(' · '))),
    toPrograms(site),
  ]);
}
