// What is no page: for crawlers, models and the installed site, and the public data as files; and every
// address that is made ahead. The rest is rendered when it is requested.
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import { byLang, type Lang, LANGS, type LocalText } from '../domain/lang.ts';
import { toOpenFilter } from '../domain/query/event-query.ts';
import { toContentType } from '../http/message.ts';
import {
  DIRECTORIES,
  LLMS_PATH,
  PAGE_PATHS,
  PAGES,
  ROBOTS_PATH,
  type SectionName,
  SITEMAP_PATH,
  toDataPath,
  toDayPath,
  toDirectoryPath,
  toLlmsFullPath,
  toManifestPath,
  toMarkdownPath,
  toThingPath,
  WORKER_PATH,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { type SitemapEntry, toRobots, toSitemap, toWebManifest } from '../serializers/discovery.ts';
import { renderLlms, renderLlmsFull } from '../serializers/llms.ts';
import { renderDocs } from '../serializers/markdown/docs.ts';
import { renderSubmit } from '../serializers/markdown/pages.ts';
import { MAX_AGENDA_EVENTS, readNoticeBoard } from '../snapshot/agenda.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { listOrganizers, listUpcomingEvents, listVenues } from '../snapshot/list-things.ts';
import { DATA_NAMES, readDataAt } from './data-files.ts';
import { loadDirectory } from './directory.ts';
import { loadReference } from './docs.ts';
import { MARKDOWN } from './markdown.ts';
import { KINDS } from './registry.ts';
import type { SiteState } from './state.ts';

type Write = (state: SiteState) => string;

/** Those that a release has ready; the worker is sent as the bundler made it small (src/pages/sw.js.ts). */
const WRITERS: ReadonlyMap<string, Write> = new Map([
  [LLMS_PATH, ({ snapshot, site }) => renderLlms(snapshot.taxonomy, site)],
  [ROBOTS_PATH, ({ site }) => toRobots(site)],
  [SITEMAP_PATH, (state) => toSitemap(listSitemapEntries(state), state.site.url)],
  ...LANGS.map((lang): [string, Write] => [
    toManifestPath(lang),
    ({ site }) => JSON.stringify(toWebManifest(site, lang)),
  ]),
]);

/** Whether an address is that of a document or of public data: no page of the agenda. */
export const isDocument = (path: string): boolean =>
  path === WORKER_PATH || WRITERS.has(path) || path.startsWith(toDataPath(''));

export function respondDocument(state: SiteState, path: string): Response | null {
  const headers = { 'content-type': toContentType(path) };
  const write = WRITERS.get(path);
  if (write) return new Response(write(state), { headers });
  const lang = LANGS.find((one) => toLlmsFullPath(one) === path);
  if (lang) return new Response(renderAll(state, lang), { headers: MARKDOWN });
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
  const today = toCancunDay(now_ms);
  const days = Array.from({ length: SITEMAP_DAYS }, (_, at) => today.add({ days: at }).toString());
  const pages = [
    ...PAGES.map((page) => PAGE_PATHS[page]),
    ...DIRECTORIES.map((section) => byLang((lang) => toDirectoryPath(section, lang))),
    ...days.map((day) => byLang((lang) => toDayPath(day, lang))),
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

const FULL_DAYS = 7;

/** /llms-full.txt of a language: the same results as the pages and their Markdown versions, in one. */
export function renderAll(state: SiteState, lang: Lang): string {
  const { snapshot, now_ms, site } = state;
  const { taxonomy } = snapshot;
  const today = toCancunDay(now_ms);
  const open = toOpenFilter(floorToMinute(now_ms), MAX_AGENDA_EVENTS);
  const board = readNoticeBoard(snapshot, today);
  const document = (page: 'submit' | 'docs', text: string) => ({
    title: t(lang, `llms.page.${page}`),
    path: toMarkdownPath(PAGE_PATHS[page][lang]),
    text,
  });
  return renderLlmsFull(
    {
      taxonomy,
      days: Array.from({ length: FULL_DAYS }, (_, at) => {
        const day = today.add({ days: at });
        const { cards } = findEvents(snapshot, { ...open, range: { from: day, to: day } }, lang);
        return { day, cards };
      }),
      events: findEvents(snapshot, open, lang).cards,
      places: DIRECTORIES.map((section) => {
        const { page } = loadDirectory(state, { lang, section }, '');
        return { section, title: page.meta.title, things: page.things, total: page.total };
      }),
      notices: [...board.today, ...board.tomorrow, ...board.in_season, ...board.soon],
      documents: [
        document('submit', renderSubmit(taxonomy, lang, site)),
        document('docs', renderDocs(loadReference(state, lang))),
      ],
    },
    lang,
    site,
  );
}
