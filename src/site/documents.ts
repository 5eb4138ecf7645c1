// What an address of the site answers: a page with its status, its Markdown version, a document for crawlers,
// models and the installed site, a data file; and every address that is made ahead.
import { toLocalDay } from '../domain/local-time.ts';
import { byLang, LANGS, type LocalText } from '../domain/lang.ts';
import { toContentType } from '../http/message.ts';
import {
  DIRECTORIES,
  LLMS_PATH,
  MOTIFS_PATH,
  PAGE_PATHS,
  PAGES,
  ROBOTS_PATH,
  type SectionName,
  SITEMAP_PATH,
  toDataPath,
  toDayPath,
  toFestivityPath,
  toDirectoryPath,
  toLlmsFullPath,
  toManifestPath,
  toMarkdownPath,
  toMotifPath,
  toPathLang,
  toThingPath,
  WORKER_PATH,
} from '../i18n/paths.ts';
import { type SitemapEntry, toRobots, toSitemap, toWebManifest } from '../serializers/discovery.ts';
import { listOrganizers, listUpcomingEvents, listVenues } from '../snapshot/list-things.ts';
import { readDrawing } from '../snapshot/open.ts';
import { DATA_NAMES, readDataAt } from './data-files.ts';
import { renderLlms, renderLlmsFull } from './llms.ts';
import { MARKDOWN, respondMarkdown } from './markdown.ts';
import { MARKDOWN_ENDING, toPageOf } from './page-kind.ts';
import { FAILURE_STATUS, NOT_FOUND, toFailureView } from './page.ts';
import { findMotif } from './pictures.ts';
import { findPage, KINDS } from './registry.ts';
import type { SiteState } from './state.ts';
import { move, toRedirectResponse, type Visit } from './visit.ts';

type Write = (state: SiteState) => string;

/** Those that a release has ready; the worker is sent as the bundler made it small (src/pages/sw.js.ts). */
const WRITERS: ReadonlyMap<string, Write> = new Map([
  [LLMS_PATH, ({ snapshot, site }) => renderLlms(snapshot, site)],
  [ROBOTS_PATH, ({ site }) => toRobots(site)],
  [SITEMAP_PATH, (state) => toSitemap(listSitemapEntries(state), state.site.url)],
  ...LANGS.map((lang): [string, Write] => [
    toManifestPath(lang),
    ({ site }) => JSON.stringify(toWebManifest(site, lang)),
  ]),
]);

/** Whether an address is that of a document or of public data: no page of the agenda. */
export const isDocument = (path: string): boolean =>
  path === WORKER_PATH ||
  WRITERS.has(path) ||
  path.startsWith(toDataPath('')) ||
  path.startsWith(`${MOTIFS_PATH}/`);

/** A drawing at its address, or the way there from an older one. */
function respondDrawing({ snapshot }: SiteState, path: string): Response | null {
  const motif = findMotif(snapshot, path, 'svg');
  if (motif === null) return null;
  const at = toMotifPath(motif, 'svg');
  if (at !== path) return toRedirectResponse(move(at));
  const headers = { 'content-type': toContentType(path) };
  return new Response(readDrawing(snapshot, motif), { headers });
}

function respondDocument(state: SiteState, path: string): Response | null {
  const headers = { 'content-type': toContentType(path) };
  const write = WRITERS.get(path);
  if (write) return new Response(write(state), { headers });
  const lang = LANGS.find((one) => toLlmsFullPath(one) === path);
  if (lang) return new Response(renderLlmsFull(state, lang), { headers: MARKDOWN });
  const drawing = respondDrawing(state, path);
  if (drawing) return drawing;
  const bytes = readDataAt(state, path);
  return bytes && new Response(new Uint8Array(bytes), { headers });
}

/** Every address that is made ahead; the public data together, for who makes one of them has all. */
export const listBuiltPaths = (state: SiteState): readonly string[] => [
  ...DATA_NAMES.map(toDataPath),
  ...KINDS.flatMap(({ listBuilt }) => listBuilt(state)).flatMap((path) => [
    path,
    toMarkdownPath(path),
  ]),
  ...WRITERS.keys(),
  WORKER_PATH,
  ...[...state.snapshot.motifs.values()].map((motif) => toMotifPath(motif, 'svg')),
];

/** Days of the sitemap from today on; the days after them are found from these. */
const SITEMAP_DAYS = 14;

type Thing = { readonly slug: LocalText; readonly updated_at?: string };

const toEntries = (
  section: Exclude<SectionName, 'day'>,
  things: readonly Thing[],
): SitemapEntry[] =>
  things.map(({ slug, updated_at }) => ({
    paths: byLang((lang) => toThingPath(section, slug, lang)),
    updated_at: updated_at ?? null,
  }));

/** The pages that a search engine should know, the most wanted first. */
export function listSitemapEntries({ snapshot, now_ms }: SiteState): readonly SitemapEntry[] {
  const { categories, zones } = snapshot.taxonomy;
  const today = toLocalDay(now_ms);
  const { festivities } = snapshot.calendar;
  const days = Array.from({ length: SITEMAP_DAYS }, (_, at) => today.add({ days: at }).toString());
  const pages = [
    ...PAGES.map((page) => PAGE_PATHS[page]),
    ...DIRECTORIES.map((section) => byLang((lang) => toDirectoryPath(section, lang))),
    ...days.map((day) => byLang((lang) => toDayPath(day, lang))),
    ...festivities.map(({ slug }) => byLang((lang) => toFestivityPath(slug[lang], lang))),
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
export async function answerPath(
  { state, visit }: { readonly state: SiteState; readonly visit: Visit | null },
  path: string,
  query: string,
) {
  const document = respondDocument(state, path);
  if (document) return document;
  if (path.endsWith(MARKDOWN_ENDING)) return respondMarkdown(state, toPageOf(path), query);
  const page = findPage(path);
  const answer = page === null ? NOT_FOUND : await page.handle(state, query, visit);
  if (answer.kind === 'redirect') return toRedirectResponse(answer);
  if (answer.kind === 'page') {
    const { status, page: view, component = page?.name ?? '', retry_seconds } = answer;
    return { status, component, view, retry_seconds };
  }
  const { failure, status = FAILURE_STATUS[failure] } = answer;
  const view = toFailureView(failure, toPathLang(path), state.site);
  return { status, component: 'failure', view };
}
