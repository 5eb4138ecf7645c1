// What an address of the site answers: a page with its status, its Markdown version, a document for crawlers,
// models and the installed site, a data file; and every address that is made ahead.
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

type Write = (state: PageContext) => string;

/** Those that a release has ready; the worker is sent as the bundler made it small (src/pages/sw.js.ts). */
const WRITERS: ReadonlyMap<string, Write> = new Map([
  [LLMS_PATH, ({ snapshot, site }) => renderLlmsTxt(snapshot, site)],
  [ROBOTS_PATH, ({ site }) => buildRobotsTxt(site)],
  [SITEMAP_PATH, (state) => buildSitemap(listSitemapEntries(state), state.site.url)],
  ...LANGS.map((lang): [string, Write] => [
    manifestPath(lang),
    ({ site }) => JSON.stringify(buildWebManifest(site, lang)),
  ]),
]);

/** Whether an address is that of a document or of public data: no page of the agenda. */
export const isDocumentPath = (path: string): boolean =>
  path === WORKER_PATH ||
  WRITERS.has(path) ||
  path.startsWith(dataFilePath('')) ||
  path.startsWith(`${MOTIFS_PATH}/`);

/** A drawing at its address, or the way there from an older one. */
function respondDrawing({ snapshot }: PageContext, path: string): Response | null {
  const motif = findMotif(snapshot, path, 'svg');
  if (motif === null) return null;
  const at = motifPath(motif, 'svg');
  if (at !== path) return redirectToResponse(redirectPermanently(at));
  const headers = { 'content-type': contentTypeOf(path) };
  return new Response(loadDrawing(snapshot, motif), { headers });
}

function respondDocument(state: PageContext, path: string): Response | null {
  const headers = { 'content-type': contentTypeOf(path) };
  const write = WRITERS.get(path);
  if (write) return new Response(write(state), { headers });
  const lang = LANGS.find((one) => llmsFullPath(one) === path);
  if (lang) return new Response(renderLlmsFullTxt(state, lang), { headers: MARKDOWN_HEADERS });
  const drawing = respondDrawing(state, path);
  if (drawing) return drawing;
  const bytes = getDataFileAt(state, path);
  return bytes && new Response(new Uint8Array(bytes), { headers });
}

/** Every address that is made ahead; the public data together, for who makes one of them has all. */
export const listWarmPaths = (state: PageContext): readonly string[] => [
  ...DATA_NAMES.map(dataFilePath),
  ...PAGE_DEFINITIONS.flatMap(({ listBuilt }) => listBuilt(state)).flatMap((path) => [
    path,
    markdownPath(path),
  ]),
  ...WRITERS.keys(),
  WORKER_PATH,
  ...[...state.snapshot.motifs.values()].map((motif) => motifPath(motif, 'svg')),
];

/** Days of the sitemap from today on; the days after them are found from these. */
const SITEMAP_DAYS = 14;

type SitemapRecord = { readonly slug: LocalText; readonly updated_at?: string };

const toEntries = (
  section: Exclude<SectionName, 'day'>,
  things: readonly SitemapRecord[],
): SitemapEntry[] =>
  things.map(({ slug, updated_at }) => ({
    paths: byLang((lang) => recordPath(section, slug, lang)),
    updated_at: updated_at ?? null,
  }));

/** The pages that a search engine should know, the most wanted first. */
export function listSitemapEntries({ snapshot, now_ms }: PageContext): readonly SitemapEntry[] {
  const { categories, zones } = snapshot.taxonomy;
  const today = toLocalDay(now_ms);
  const { festivities } = snapshot.calendar;
  const days = Array.from({ length: SITEMAP_DAYS }, (_, at) => today.add({ days: at }).toString());
  const pages = [
    ...PAGES.map((page) => PAGE_PATHS[page]),
    ...DIRECTORY_SECTIONS.map((section) => byLang((lang) => directoryPath(section, lang))),
    ...days.map((day) => byLang((lang) => dayPath(day, lang))),
    ...festivities.map(({ slug }) => byLang((lang) => festivityPath(slug[lang], lang))),
  ];
  return [
    ...pages.map((paths) => ({ paths, updated_at: null })),
    ...toEntries('category', categories),
    ...toEntries('zone', zones),
    ...toEntries('event', listUpcomingEvents(snapshot, now_ms)),
    ...toEntries('venue', listVenues(snapshot)),
    ...toEntries('organizer', listOrganizers(snapshot)),
  ];
}

/**
 * What is at a path, decoded, with its query as sent: a page to be rendered, or a response; `visit` only for
 * forms and status pages.
 */
export async function resolvePath(
  { state, visit }: { readonly state: PageContext; readonly visit: VisitorRequest | null },
  path: string,
  query: string,
) {
  const document = respondDocument(state, path);
  if (document) return document;
  if (path.endsWith(MARKDOWN_EXTENSION))
    return createMarkdownResponse(state, pagePathOf(path), query);
  const page = matchPage(path);
  const answer = page === null ? NOT_FOUND : await page.handle(state, query, visit);
  if (answer.kind === 'redirect') return redirectToResponse(answer);
  if (answer.kind === 'page') {
    const { status, page: view, component = page?.name ?? '', retry_seconds } = answer;
    return { status, component, view, retry_seconds };
  }
  const { failure, status = FAILURE_STATUS[failure] } = answer;
  const view = buildFailureView(failure, langOfPath(path), state.site);
  return { status, component: 'error', view };
}
