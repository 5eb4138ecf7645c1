// All kinds of page, and which of them an address names.
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
import { redirectFound, redirectPermanently, type RedirectResult } from './visitor-request.ts';

/** It is today's. */
const homePage = definePage<PageRequest, never>({
  name: 'home',
  routes: routesOf(byLang(homePath), (lang) => ({ lang })),
  load: (_, { lang }) => redirectFound(pagePath('today', lang)),
});

/** Fetched while there is a network, to be shown when there is none. */
const offlinePage = definePage<PageRequest, never>({
  name: 'offline',
  routes: routesOf(byLang(offlinePath), (lang) => ({ lang })),
  load: () => ({ kind: 'failure', failure: 'offline' }),
});

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

const ROUTES = new Map(
  PAGE_DEFINITIONS.flatMap(({ routes }) =>
    routes.map(({ pattern, find }) => [pattern.replace(/\[.*\]/, '[]'), find]),
  ),
);

/** The page that a path names, decoded, without `.md`; null where there is none. */
export function matchPage(path: string): MatchedPage | null {
  const whole = ROUTES.get(path);
  if (whole) return whole('');
  // `/eventos/[slug]`, or `/eventos/[slug]/fechas`.
  const [, before = '', part = ''] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
  const last = ROUTES.get(`${before}/[]`);
  if (last) return last(part);
  const [, folder = '', middle = ''] = /^(.*)\/([^/]+)$/.exec(before) ?? [];
  return ROUTES.get(`${folder}/[]/${part}`)?.(middle) ?? null;
}

/** The poster of every page that has none of its own. */
const toSitePoster = (lang: Lang, site: Site): Poster => ({
  name: site.name,
  date: null,
  cards: [],
  mark: null,
  title: t(lang, 'poster.site'),
  lines: [new URL(site.url).host],
});

/**
 * The poster or scene at a decoded path, the way to where it is now, or 404, 410; null where the path is of neither.
 */
export function resolveDrawing(
  state: PageContext,
  path: string,
): DrawingRequest | RedirectResult | FailureResult | null {
  const motif = findMotif(state.snapshot, path, 'png');
  if (motif) {
    const at = motifPath(motif, 'png');
    return at === path ? { scene: motif } : redirectPermanently(at);
  }
  const shared = LANGS.find((lang) => defaultPosterPath(lang) === path);
  if (shared) return toSitePoster(shared, state.site);
  const ending = posterPath('');
  if (!path.endsWith(ending)) return null;
  return matchPage(path.slice(0, -ending.length))?.toPoster?.(state) ?? null;
}
