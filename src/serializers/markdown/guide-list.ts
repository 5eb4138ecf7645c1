// The pages of the docs as a list of Markdown documents, at the foot of each.
import type { RootContent } from 'mdast';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import {
  DOCS_PAGES,
  type DocsPage,
  toAbsolute,
  toMarkdownPath,
  toPagePath,
} from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { heading, link, list, plain } from './nodes.ts';

/** All but the one that they stand in. */
export const toGuideList = (current: DocsPage, lang: Lang, site: Site): RootContent[] => [
  heading(2, plain(t(lang, 'guides'))),
  list(
    DOCS_PAGES.filter((page) => page !== current).map((page) => [
      link(toAbsolute(site.url, toMarkdownPath(toPagePath(page, lang))), t(lang, `guides.${page}`)),
    ]),
  ),
];
