// The pages of the docs beside the reference: errors, calendars, agents, what changed, how the service
// is.
import type { DocsSection } from '../domain/api-guide.ts';
import { toCancunDay } from '../domain/cancun-time.ts';
import { type DocsName, fillPlaceholders } from '../domain/docs.ts';
import type { Lang } from '../domain/lang.ts';
import { type GuideName, GUIDES, PAGE_PATHS, toMarkdownPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import {
  readSections,
  toChangelogSections,
  toPlaceholders,
  toStatusSections,
} from '../serializers/docs.ts';
import { renderGuide } from '../serializers/markdown/docs.ts';
import { findExamples } from '../snapshot/list-things.ts';
import { definePage, listPagePaths, type PageRequest, toRoutes } from './page-kind.ts';
import type { PageMeta } from './page.ts';
import type { SiteState } from './state.ts';
import { show, type Shown } from './visit.ts';

/** What such a page is given; its Markdown version says the same. */
export interface GuideView {
  readonly meta: PageMeta;
  readonly guide: GuideName;
  readonly sections: readonly DocsSection[];
}

interface GuideRequest extends PageRequest {
  readonly guide: GuideName;
}

/** The chapters that a person wrote, their placeholders filled in. */
export function readDocs(
  { snapshot, site, now_ms }: SiteState,
  name: DocsName,
  lang: Lang,
): readonly DocsSection[] {
  const examples = findExamples(snapshot, now_ms);
  const today = toCancunDay(now_ms).toString();
  const values = toPlaceholders(snapshot.taxonomy, site, examples, today, lang);
  return readSections(fillPlaceholders(snapshot.docs.get(name)?.[lang] ?? '', values));
}

function toSections(state: SiteState, guide: GuideName, lang: Lang): readonly DocsSection[] {
  const { site, now_ms, readHealth } = state;
  switch (guide) {
    case 'docs_errors':
      return readDocs(state, 'errors', lang);
    case 'docs_calendars':
      return readDocs(state, 'calendars', lang);
    case 'docs_agents':
      return readDocs(state, 'agents', lang);
    case 'docs_changelog':
      return toChangelogSections(site, lang);
    case 'docs_status':
      return toStatusSections(readHealth?.() ?? null, now_ms, site, lang);
  }
}

/** The page. */
export function resolveGuide(state: SiteState, { guide, lang }: GuideRequest): Shown<GuideView> {
  const meta: PageMeta = {
    lang,
    site: state.site,
    paths: PAGE_PATHS[guide],
    title: t(lang, `guides.${guide}`),
    description: t(lang, `guides.${guide}.about`),
    markdown: toMarkdownPath(PAGE_PATHS[guide][lang]),
    calendar: null,
    json_ld: null,
    entry: null,
  };
  return show({ meta, guide, sections: toSections(state, guide, lang) });
}

export const guidePage = definePage<GuideRequest, GuideView>({
  name: 'guide',
  routes: GUIDES.flatMap((guide) => toRoutes(PAGE_PATHS[guide], (lang) => ({ lang, guide }))),
  load: resolveGuide,
  toMarkdown: renderGuide,
  isOfMinute: ({ guide }) => guide === 'docs_status',
  // How the service is only a server knows.
  listBuilt: () => GUIDES.filter((guide) => guide !== 'docs_status').flatMap(listPagePaths),
});
