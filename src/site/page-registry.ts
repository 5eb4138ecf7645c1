// Page registry: lists all page definitions and matches a path to its page.
import { byLang, type Lang, LANGS } from '../domain/lang.ts';
import type { DrawingRequest, Poster } from '../domain/pictures.ts';
import type { Site } from '../domain/site.ts';
import {
  homePath,
  motifPath,
  offlinePath,
  pagePath,
  posterPath,
  defaultPosterPath,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { agendaPage } from './agenda-page.ts';
import { calendarPage } from './calendar-page.ts';
import { changesPage } from './changes-page.ts';
import { dataPage } from './data-page.ts';
import { directoryPage } from './directory-page.ts';
import { docsPage } from './docs-page.ts';
import { embedPage } from './embed-page.ts';
import { datesPage, eventPage } from './event-page.ts';
import { importStatusPage, importPage } from './forms/import-page.ts';
import { correctionPage } from './forms/correction-form.ts';
import { newsletterPage } from './forms/newsletter.ts';
import { statusPage } from './forms/submission-status.ts';
import { submitPage } from './forms/submit-form.ts';
import { dayPickerPage } from './day-navigation.ts';
import { mapPage } from './map-page.ts';
import { noticesPage } from './notices-page.ts';
import {
  type DefinedPage,
  definePage,
  type MatchedPage,
  type PageRequest,
  routesOf,
} from './page-definition.ts';
import type { FailureResult } from './page-meta.ts';
import { findMotif } from './picture-views.ts';
import { organizerPage, taxonPage, venuePage } from './profile-pages.ts';
import { savedPage } from './saved-page.ts';
import { searchPage } from './search-page.ts';
import type { PageContext } from './page-context.ts';
import { redirect302, redirectPermanently, type RedirectResult } from './visitor-request.ts';

/** Redirects to the agenda of today. */
const homePage = definePage<PageRequest, never>({
  name: 'home',
  routes: routesOf(byLang(homePath), (lang) => ({ lang })),
  load: (_, { lang }) => redirect302(pagePath('today', lang)),
});

/** Cached by the service worker while online, and shown when offline. */
const offlinePage = definePage<PageRequest, never>({
  name: 'offline',
  routes: routesOf(byLang(offlinePath), (lang) => ({ lang })),
  load: () => ({ kind: 'failure', failure: 'offline' }),
});

/** All pages. The order is the one in which the warm-up renders them. */
export const PAGE_DEFINITIONS: readonly DefinedPage[] = [
  homePage,
  agendaPage,
  searchPage,
  mapPage,
  noticesPage,
  changesPage,
  eventPage,
  datesPage,
  venuePage,
  organizerPage,
  taxonPage,
  directoryPage,
  docsPage,
  dataPage,
  calendarPage,
  savedPage,
  embedPage,
  dayPickerPage,
  offlinePage,
  submitPage,
  statusPage,
  newsletterPage,
  importPage,
  importStatusPage,
  correctionPage,
];

/** Matchers by route pattern, with `[]` in place of its part: `/eventos/[]/fechas`. */
const ROUTES = new Map(
  PAGE_DEFINITIONS.flatMap(({ routes }) =>
    routes.map(({ pattern, match }) => [pattern.replace(/\[.*\]/, '[]'), match]),
  ),
);

/** Splits `/a/b` into `/a` and `b`; both are empty if the last part is. */
function splitLastPart(path: string): readonly [parent: string, last_part: string] {
  const [, parent = '', last_part = ''] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
  return [parent, last_part];
}

/**
 * Returns the page at a path.
 * @param path Decoded, without `.md`.
 */
export function matchPage(path: string): MatchedPage | null {
  const matchStatic = ROUTES.get(path);
  if (matchStatic) return matchStatic('');
  // `/eventos/[slug]`.
  const [parent, last_part] = splitLastPart(path);
  const matchLast = ROUTES.get(`${parent}/[]`);
  if (matchLast) return matchLast(last_part);
  // `/eventos/[slug]/fechas`.
  const [folder, middle_part] = splitLastPart(parent);
  return ROUTES.get(`${folder}/[]/${last_part}`)?.(middle_part) ?? null;
}

/** Builds the poster (the image shown where a page is shared) of all pages without their own. */
const buildSitePoster = (lang: Lang, site: Site): Poster => ({
  name: site.name,
  date: null,
  cards: [],
  mark: null,
  title: t(lang, 'poster.site'),
  lines: [new URL(site.url).host],
});

/**
 * Returns the image to draw at a decoded path: the poster of a page, or the scene of a motif (the
 * drawing of a category or an event, as PNG). Else a redirect to its current path, or the failure
 * of its page.
 * @returns null if the path is not the path of a poster or a scene.
 */
export function resolveDrawing(
  context: PageContext,
  path: string,
): DrawingRequest | RedirectResult | FailureResult | null {
  const motif = findMotif(context.snapshot, path, 'png');
  if (motif) {
    const current_path = motifPath(motif, 'png');
    return current_path === path ? { scene: motif } : redirectPermanently(current_path);
  }
  const default_lang = LANGS.find((lang) => defaultPosterPath(lang) === path);
  if (default_lang) return buildSitePoster(default_lang, context.site);
  const suffix = posterPath('');
  if (!path.endsWith(suffix)) return null;
  return matchPage(path.slice(0, -suffix.length))?.buildPoster?.(context) ?? null;
}
