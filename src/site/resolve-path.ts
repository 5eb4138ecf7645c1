// Path resolution: maps a path of the site to a page, a Markdown version, a document (llms.txt,
// robots.txt, sitemap, web manifest), the drawing of a motif, or a public data file. Also lists the
// paths of the sitemap and of the warm-up, which renders pages into the page cache before a release
// goes live.
import { toLocalDay } from '../domain/local-time.ts';
import { byLang, LANGS, type LocalText } from '../domain/lang.ts';
import { contentTypeOf } from '../http/message.ts';
import {
  DIRECTORY_SECTIONS,
  LLMS_PATH,
  MOTIFS_PATH,
  PAGE_PATHS,
  PAGES,
  ROBOTS_PATH,
  type SectionName,
  SITEMAP_PATH,
  dataFilePath,
  dayPath,
  festivityPath,
  directoryPath,
  llmsFullPath,
  manifestPath,
  markdownPath,
  motifPath,
  langOfPath,
  recordPath,
  WORKER_PATH,
} from '../i18n/paths.ts';
import {
  type SitemapEntry,
  buildRobotsTxt,
  buildSitemap,
  buildWebManifest,
} from '../serializers/discovery.ts';
import { listOrganizers, listUpcomingEvents, listVenues } from '../snapshot/list-records.ts';
import { loadDrawing } from '../snapshot/open-snapshot.ts';
import { DATA_NAMES, getDataFileAt } from './data-files.ts';
import { renderLlmsTxt, renderLlmsFullTxt } from './llms-txt.ts';
import { MARKDOWN_HEADERS, createMarkdownResponse } from './markdown-responses.ts';
import { MARKDOWN_EXTENSION, pagePathOf } from './page-definition.ts';
import { FAILURE_STATUS, NOT_FOUND, buildFailureView } from './page-meta.ts';
import { findMotif } from './picture-views.ts';
import { matchPage, PAGE_DEFINITIONS } from './page-registry.ts';
import type { PageContext } from './page-context.ts';
import { redirectPermanently, redirectToResponse, type VisitorRequest } from './visitor-request.ts';

type DocumentRenderer = (context: PageContext) => string;

/**
 * Documents that the warm-up renders, by path. The bundler minifies the service worker
 * (src/pages/sw.js.ts).
 */
const DOCUMENT_RENDERERS: ReadonlyMap<string, DocumentRenderer> = new Map([
  [LLMS_PATH, ({ snapshot, site }) => renderLlmsTxt(snapshot, site)],
  [ROBOTS_PATH, ({ site }) => buildRobotsTxt(site)],
  [SITEMAP_PATH, (context) => buildSitemap(listSitemapEntries(context), context.site.url)],
  ...LANGS.map((lang): [string, DocumentRenderer] => [
    manifestPath(lang),
    ({ site }) => JSON.stringify(buildWebManifest(site, lang)),
  ]),
]);

/** Returns whether a path is a document, a drawing or a public data file rather than a page. */
export const isDocumentPath = (path: string): boolean =>
  path === WORKER_PATH ||
  DOCUMENT_RENDERERS.has(path) ||
  path.startsWith(dataFilePath('')) ||
  path.startsWith(`${MOTIFS_PATH}/`);

/** Serves the drawing of a motif as SVG, or redirects to its current path. */
function createDrawingResponse({ snapshot }: PageContext, path: string): Response | null {
  const motif = findMotif(snapshot, path, 'svg');
  if (motif === null) return null;
  const current_path = motifPath(motif, 'svg');
  if (current_path !== path) return redirectToResponse(redirectPermanently(current_path));
  const headers = { 'content-type': contentTypeOf(path) };
  return new Response(loadDrawing(snapshot, motif), { headers });
}

/** Serves a document, a drawing or a data file; returns null for any other path. */
function createDocumentResponse(context: PageContext, path: string): Response | null {
  const headers = { 'content-type': contentTypeOf(path) };
  const renderDocument = DOCUMENT_RENDERERS.get(path);
  if (renderDocument) return new Response(renderDocument(context), { headers });
  const lang = LANGS.find((each) => llmsFullPath(each) === path);
  if (lang) return new Response(renderLlmsFullTxt(context, lang), { headers: MARKDOWN_HEADERS });
  const drawing = createDrawingResponse(context, path);
  if (drawing) return drawing;
  const bytes = getDataFileAt(context, path);
  return bytes && new Response(new Uint8Array(bytes), { headers });
}

/**
 * Lists the paths that the warm-up renders. Data files come together: rendering one loads the
 * tables of all.
 */
export const listWarmPaths = (context: PageContext): readonly string[] => [
  ...DATA_NAMES.map(dataFilePath),
  ...PAGE_DEFINITIONS.flatMap((page) => page.listWarmPaths(context)).flatMap((path) => [
    path,
    markdownPath(path),
  ]),
  ...DOCUMENT_RENDERERS.keys(),
  WORKER_PATH,
  ...[...context.snapshot.motifs.values()].map((motif) => motifPath(motif, 'svg')),
];

/** Days in the sitemap, from today on; crawlers reach later days through their links. */
const SITEMAP_DAYS = 14;

/** A record with a page; categories and zones have no modification time. */
type SitemapRecord = { readonly slug: LocalText; readonly updated_at?: string };

/** Builds the sitemap entries of the pages of records. */
const buildRecordEntries = (
  section: Exclude<SectionName, 'day'>,
  records: readonly SitemapRecord[],
): SitemapEntry[] =>
  records.map(({ slug, updated_at }) => ({
    paths: byLang((lang) => recordPath(section, slug, lang)),
    updated_at: updated_at ?? null,
  }));

/** Lists the pages for search engines, the most important first. */
export function listSitemapEntries({ snapshot, now_ms }: PageContext): readonly SitemapEntry[] {
  const { categories, zones } = snapshot.taxonomy;
  const today = toLocalDay(now_ms);
  const { festivities } = snapshot.calendar;
  const days = Array.from({ length: SITEMAP_DAYS }, (_, offset) =>
    today.add({ days: offset }).toString(),
  );
  const pages = [
    ...PAGES.map((page) => PAGE_PATHS[page]),
    ...DIRECTORY_SECTIONS.map((section) => byLang((lang) => directoryPath(section, lang))),
    ...days.map((day) => byLang((lang) => dayPath(day, lang))),
    ...festivities.map(({ slug }) => byLang((lang) => festivityPath(slug[lang], lang))),
  ];
  return [
    ...pages.map((paths) => ({ paths, updated_at: null })),
    ...buildRecordEntries('category', categories),
    ...buildRecordEntries('zone', zones),
    ...buildRecordEntries('event', listUpcomingEvents(snapshot, now_ms)),
    ...buildRecordEntries('venue', listVenues(snapshot)),
    ...buildRecordEntries('organizer', listOrganizers(snapshot)),
  ];
}

/**
 * Resolves a path to a response, or to the view model that the named component renders as HTML.
 * @param path Decoded.
 * @param query Raw, without its question mark.
 */
export async function resolvePath(
  {
    state: context,
    visit,
  }: {
    readonly state: PageContext;
    /** Only for forms and status pages. */
    readonly visit: VisitorRequest | null;
  },
  path: string,
  query: string,
) {
  const document = createDocumentResponse(context, path);
  if (document) return document;
  if (path.endsWith(MARKDOWN_EXTENSION))
    return createMarkdownResponse(context, pagePathOf(path), query);
  const page = matchPage(path);
  const outcome = page === null ? NOT_FOUND : await page.handle(context, query, visit);
  if (outcome.kind === 'redirect') return redirectToResponse(outcome);
  if (outcome.kind === 'page') {
    const { status, page: view, component = page?.name ?? '', retry_seconds } = outcome;
    return { status, component, view, retry_seconds };
  }
  const { failure, status = FAILURE_STATUS[failure] } = outcome;
  const view = buildFailureView(failure, langOfPath(path), context.site);
  return { status, component: 'error', view };
}
