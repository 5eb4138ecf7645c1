// The docs page, made from the very description that programs read, in one language.
import { renderDocs } from '../serializers/markdown/docs.ts';
import { definePage, listPagePaths, toPageRoutes } from './page-kind.ts';
import { show } from './visit.ts';
import type { ApiGuide } from '../domain/api-guide.ts';
import type { Lang } from '../domain/lang.ts';
import { PAGE_PATHS, toMarkdownPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { toApiGuide } from '../serializers/openapi/guide.ts';
import { findExamples } from '../snapshot/list-things.ts';
import { readDocs } from './guide.ts';
import type { PageMeta } from './page.ts';
import type { SiteState } from './state.ts';

/** What the docs page is given; its Markdown alternate says the same. */
export interface DocsView {
  readonly meta: PageMeta;
  readonly guide: ApiGuide;
}

/** The docs of the API. */
export function resolveDocs(state: SiteState, lang: Lang): DocsView {
  const { site, snapshot } = state;
  const meta: PageMeta = {
    lang,
    site,
    paths: PAGE_PATHS.docs,
    title: t(lang, 'docs.title'),
    description: t(lang, 'docs.description'),
    markdown: toMarkdownPath(PAGE_PATHS.docs[lang]),
    calendar: null,
    json_ld: null,
    entry: 'docs',
  };
  return {
    meta,
    guide: toApiGuide(
      site,
      findExamples(snapshot, state.now_ms),
      readDocs(state, 'api', lang),
      lang,
    ),
  };
}

export const docsPage = definePage({
  name: 'docs',
  routes: toPageRoutes('docs'),
  load: (state, { lang }) => show(resolveDocs(state, lang)),
  toMarkdown: (view: DocsView) => renderDocs(view),
  listBuilt: () => listPagePaths('docs'),
});
