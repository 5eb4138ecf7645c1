// The agenda on other people's sites: the list that stands in a frame, and the page that writes the
// snippet (contract 8.20).
import { renderEmbed } from '../serializers/markdown/pages.ts';
import { definePage, toPageRoutes } from './page-kind.ts';
import { show, type Shown } from './visit.ts';
import type { EventCard } from '../domain/agenda.ts';
import { AppError } from '../domain/app-error.ts';
import { type ParameterTexts, parseParameters } from '../domain/query/parameters.ts';
import { parseFrameQuery, type Theme } from '../domain/query/list-queries.ts';
import { CHOICE_NAMES } from '../domain/query/event-query.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import { withQuery } from '../i18n/api-paths.ts';
import { PAGE_PATHS, toAbsolute, toFramePath, toMarkdownPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { toFeedName } from '../serializers/calendar.ts';
import { toXml } from '../serializers/plain-text.ts';
import { findEvents } from '../snapshot/find-events.ts';
import type { PageMeta } from './page.ts';
import type { SiteState } from './state.ts';

/** What the frame takes: the shared filters that a person may choose, and how it looks. */
const FRAME_NAMES = ['date', ...CHOICE_NAMES, 'limit', 'theme'] as const;
/** What the form takes: the same, and the language of the frame. */
const FORM_NAMES = [...FRAME_NAMES, 'lang'] as const;

type Chosen = ReturnType<typeof parseFrameQuery>;

/** What was chosen, or why it cannot be shown, in the API's words. */
function readChoice(
  params: ParameterTexts,
  issues: readonly string[],
  { snapshot, now_ms }: SiteState,
): Chosen | string {
  try {
    return parseFrameQuery(params, snapshot, now_ms, issues);
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.message;
    throw thrown;
  }
}

/** The list that stands in a frame. */
export interface FrameView {
  readonly lang: Lang;
  readonly site: Site;
  /** The filters in words. */
  readonly title: string;
  readonly theme: Theme;
  readonly cards: readonly EventCard[];
  readonly issue: string | null;
  /** The instant of the request, epoch ms. */
  readonly now_ms: number;
}

/** The frame of a query as sent, without its question mark; 400 with a sentence for a bad one. */
export function resolveFrame(
  state: SiteState,
  query: string,
  lang: Lang,
): { readonly status: 200 | 400; readonly page: FrameView } {
  const { snapshot, site, now_ms } = state;
  const issues: string[] = [];
  const params = parseParameters(query, FRAME_NAMES, issues);
  const choice = readChoice({ ...params, lang }, issues, state);
  const page = { lang, site, now_ms, theme: 'auto', title: site.name, cards: [] } as const;
  if (typeof choice === 'string') return { status: 400, page: { ...page, issue: choice } };
  const { filter, theme } = choice;
  const title = toFeedName(filter, params, snapshot.taxonomy, lang, site);
  const { cards } = findEvents(snapshot, filter, lang);
  return { status: 200, page: { ...page, title, theme, cards, issue: null } };
}

/** The element to be copied, for the frame at an absolute address: no script (contract 8.20). */
const toSnippet = (url: string, title: string): string =>
  `<iframe src="${toXml(url)}" title="${toXml(title)}" width="100%" height="560" loading="lazy" style="border:0"></iframe>`;

/** The page that writes the snippet. */
export interface EmbedView {
  readonly meta: PageMeta;
  /** What was chosen, as it was written. */
  readonly choice: Readonly<Partial<Record<(typeof FORM_NAMES)[number], string>>>;
  readonly taxonomy: Taxonomy;
  /** The frame's path and name, and the HTML to be copied; null where the choice is a bad one. */
  readonly frame: {
    readonly path: string;
    readonly title: string;
    readonly snippet: string;
  } | null;
  readonly issue: string | null;
}

/** The page of a query as sent; the frame's language is the page's unless it says another. */
export function resolveEmbed(state: SiteState, query: string, lang: Lang): Shown<EmbedView> {
  const { snapshot, site } = state;
  const issues: string[] = [];
  const choice: EmbedView['choice'] = parseParameters(query, FORM_NAMES, issues);
  const meta: PageMeta = {
    lang,
    site,
    paths: PAGE_PATHS.embed,
    title: t(lang, 'embed.title'),
    description: t(lang, 'embed.description'),
    markdown: toMarkdownPath(PAGE_PATHS.embed[lang]),
    calendar: null,
    json_ld: null,
    entry: 'embed',
  };
  const page = { meta, choice, taxonomy: snapshot.taxonomy };
  const read = readChoice({ ...choice, lang: choice.lang ?? lang }, issues, state);
  if (typeof read === 'string')
    return { ...show({ ...page, frame: null, issue: read }, 400), issue: read };
  const { lang: frame_lang = lang, ...asked } = choice;
  const known = LANGS.find((one) => one === frame_lang) ?? lang;
  const path = withQuery(toFramePath(known), asked);
  const title = toFeedName(read.filter, asked, snapshot.taxonomy, known, site);
  const snippet = toSnippet(toAbsolute(site.url, path), title);
  return show({ ...page, frame: { path, title, snippet }, issue: null });
}

export const embedPage = definePage({
  name: 'embed',
  routes: toPageRoutes('embed'),
  load: (state, { lang }, query) => resolveEmbed(state, query, lang),
  toMarkdown: (view: EmbedView) => renderEmbed(view),
  parameters: () => FORM_NAMES,
});
