// The pages of the docs beside the reference: errors, calendars, agents, what changed, how the service
// is.
import { toGuideMarkdown } from '../serializers/markdown/guide.ts';
import { definePage, listPagePaths, type PageRequest, toRoutes } from './page-kind.ts';
import { show, type Shown } from './visit.ts';
import type { GuideSection } from '../domain/api-guide.ts';
import type { Lang } from '../domain/lang.ts';
import { type GuideName, PAGE_PATHS, toMarkdownPath, GUIDES } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import {
  toAgentSections,
  toCalendarSections,
  toChangelogSections,
  toErrorSections,
  toStatusSections,
} from '../serializers/guide.ts';
import { findPathExamples } from '../snapshot/list-things.ts';
import { getEvent } from '../snapshot/get-thing.ts';
import type { PageMeta } from './page.ts';
import type { SiteState } from './state.ts';

/** What such a page is given; its Markdown alternate says the same. */
export interface GuideView {
  readonly meta: PageMeta;
  readonly guide: GuideName;
  readonly sections: readonly GuideSection[];
}

interface GuideRequest extends PageRequest {
  readonly guide: GuideName;
}

/** An event that exists, and the next day on which it takes place. */
function findCalendarExamples({ snapshot, now_ms }: SiteState) {
  const examples = findPathExamples(snapshot, now_ms);
  const event = getEvent(snapshot, examples.event, now_ms);
  const day = event === null || event === 'gone' ? null : (event.next?.start.slice(0, 10) ?? null);
  return { examples, day };
}

function toSections(state: SiteState, guide: GuideName, lang: Lang): readonly GuideSection[] {
  const { site, now_ms, readHealth } = state;
  switch (guide) {
    case 'docs_errors':
      return toErrorSections(site, lang);
    case 'docs_calendars': {
      const { examples, day } = findCalendarExamples(state);
      return toCalendarSections(site, examples, day, lang);
    }
    case 'docs_agents':
      return toAgentSections(site, lang);
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
  toMarkdown: ({ guide, sections }, { site }, { lang }) =>
    toGuideMarkdown(guide, sections, lang, site),
  isOfMinute: ({ guide }) => guide === 'docs_status',
  // How the service is only a server knows.
  listBuilt: () => GUIDES.filter((guide) => guide !== 'docs_status').flatMap(listPagePaths),
});
