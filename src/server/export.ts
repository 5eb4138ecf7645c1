// The release as plain files, for any static host: what the servers answer without a query, in a folder with
// `_headers` and `_redirects`. A page is `hoy.html`, which hosts serve at /hoy without a redirect.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { PICTURES_FOLDER } from '../domain/event/held-picture.ts';
import { byLang, DEFAULT_LANG, LANGS } from '../domain/lang.ts';
import { decodePath } from '../http/address.ts';
import { ASSET, IMMUTABLE, OPEN_HEADERS, toSecurityHeaders } from '../http/response-headers.ts';
import { API_PATHS } from '../i18n/api-paths.ts';
import {
  DATA_FOLDER,
  DESK_PATH,
  findHomeLang,
  HEALTH_PATH,
  LIVENESS_PATH,
  MCP_PATH,
  PICTURES_PATH,
  READINESS_PATH,
  STATUS_PATH,
  toDayPath,
  toEventIcsPath,
  toFramePath,
  toHomePath,
  toJumpPath,
  toMapPlacesPath,
  toMissingPath,
  toOfflinePath,
  toPagePath,
  toThingIcsPath,
  toThingPath,
  WORKER_PATH,
} from '../i18n/paths.ts';
import { openInbox } from '../inbox/open.ts';
import { createCounter, type Say } from '../releases/progress.ts';
import { listFiles } from '../releases/site-code.ts';
import { readCurrent, toLayout, toSnapshotPath } from '../releases/snapshots.ts';
import { MARKDOWN_TYPE } from '../site/alternates.ts';
import { CLOCK_PAGES } from '../site/page-request.ts';
import { listBuiltDays, listBuiltPaths } from '../site/prebuilt.ts';
import {
  listFormerSlugs,
  listOrganizers,
  listUpcomingEvents,
  listVenues,
} from '../snapshot/list-things.ts';
import { ask, type Asked, toQuietService } from './ask.ts';
import { isHiddenPath } from './http/find-page.ts';
import { isFormPath } from './http/forms.ts';
import { openRelease, type ReleaseState, retire } from './http/release-state.ts';
import { createPageStore } from './page-store.ts';
import { loadOwnCode } from './site-code.ts';
import { listPaths, toStaticCalendar, toStaticText } from './static-links.ts';

/** The first words of `_headers`: what an export may replace. */
const MARK = '# Made by npm run export';
/** Redirects that Cloudflare Pages reads. */
const MOST_MOVED = 2_000;
/** Documents that have links. */
const LINKING =
  /^(text\/(html|markdown|plain|calendar)|application\/(atom|feed|geo|opensearch\w+|xml)\b)/;

/** What was written for a path; `file` is below the folder. */
type Written = ReadonlyMap<string, { readonly file: string; readonly type: string }>;

/** Writes the folder anew and in one piece. Throws where it holds anything but an export. */
export async function exportSite(order: {
  readonly config: Config;
  readonly now_ms: number;
  readonly dir: string;
  /** Where forms, filters and the API are, without a slash at its end. */
  readonly live_url: string;
  readonly say: Say;
}): Promise<{ readonly files: number; readonly bytes: number }> {
  const { config, now_ms, dir, live_url, say } = order;
  const layout = toLayout(config.data_dir);
  const name = readCurrent(layout);
  if (name === null) throw new Error('There is no release to export. Run npm run release first');
  refuseOthers(dir);
  const state = openRelease(name, toSnapshotPath(layout, name), await loadOwnCode(config, say));
  const inbox = openInbox(':memory:');
  const building = `${dir}.part`;
  rmSync(building, { recursive: true, force: true });
  try {
    const pages = createPageStore(layout.pages_dir);
    const onError = (thrown: unknown): never => {
      throw thrown;
    };
    const service = toQuietService(config, { inbox, pages, onError });
    const { written, moved } = await writeAnswers({ state, service, now_ms }, building, say);
    const { url: site_url, tiles } = service.site;
    for (const [path, { file, type }] of written) {
      if (!hasLinks(path, type)) continue;
      const text = readFileSync(join(building, file), 'utf8');
      const copy = { site_url, live_url, has: (to: string) => written.has(to) };
      const linked = type.startsWith('text/calendar')
        ? toStaticCalendar(text, copy)
        : toStaticText(text, isHtml(type), copy);
      if (linked !== text) writeFileSync(join(building, file), linked);
    }
    const page_headers = toSecurityHeaders('text/html', site_url, {
      style_hashes: state.code.style_hashes,
      map_origins: tiles?.origins ?? [],
    });
    writeFileSync(
      join(building, '_headers'),
      `${MARK} at ${formatTimestamp(now_ms)}\n${toStaticHeaders(written, page_headers, live_url)}\n`,
    );
    writeFileSync(join(building, '_redirects'), moved.map((line) => `${line}\n`).join(''));
  } finally {
    retire(state);
    inbox.close();
  }
  replace(dir, building);
  const sizes = listFiles(dir).map((file) => statSync(file).size);
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function refuseOthers(dir: string): void {
  if (!existsSync(dir) || readdirSync(dir).length === 0) return;
  const headers = join(dir, '_headers');
  if (!existsSync(headers) || !readFileSync(headers, 'utf8').startsWith(MARK))
    throw new Error(`${dir} holds something else than an export. Name a folder of its own`);
}

/** Whoever serves the folder misses nothing for longer than two renames take. */
function replace(dir: string, building: string): void {
  const old = `${dir}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(dir)) renameSync(dir, old);
  renameSync(building, dir);
  rmSync(old, { recursive: true, force: true });
}

/** Asks for what is listed, then for what that leads to; `moved` has the lines of `_redirects`. */
async function writeAnswers(
  asked: Asked,
  dir: string,
  say: Say,
): Promise<{ readonly written: Written; readonly moved: readonly string[] }> {
  const { state, service, now_ms } = asked;
  const { url: site_url } = service.site;
  const isLive = createLiveTest(state, now_ms);
  const listed = new Set(listStaticPaths(asked));
  const former = listFormerSlugs(state.snapshot).flatMap(({ kind, slug }) =>
    LANGS.map((lang) =>
      toThingPath(
        kind,
        byLang(() => slug),
        lang,
      ),
    ),
  );
  const wanted = new Set([...listed, ...former]);
  const written = new Map<string, { file: string; type: string }>();
  const moved: string[] = [];
  const tell = createCounter(say, 'addresses asked');
  const get = async (path: string) => {
    const { status, headers, body } = await ask(asked, path);
    const { location = '', 'content-type': type = '' } = headers;
    return { status, type: String(type), location: String(location), body: body ?? Buffer.of() };
  };
  const keep = (path: string, name: string, type: string, body: Buffer): void => {
    const file = `${decodePath(name) ?? name}${isHtml(type) ? '.html' : ''}`;
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), body);
    written.set(path, { file, type });
  };
  let count = 0;
  // What is found on the way comes at the end of the set.
  for (const path of wanted) {
    const { status, type, location, body } = await get(path);
    if (status === 200) {
      keep(path, path, type, body);
      const found = hasLinks(path, type) ? listPaths(String(body), isHtml(type), site_url) : [];
      for (const to of found) if (!isLive(to)) wanted.add(to);
    } else if (status >= 500 || listed.has(path)) throw new Error(`${path} answers ${status}`);
    else if (status === 301 && moved.length < MOST_MOVED)
      moved.push(`${path} ${location.replace(site_url, '')} 301`);
    count += 1;
    tell(count, wanted.size);
    await setImmediate();
  }
  for (const lang of LANGS) {
    // Its canonical address is the day's.
    const today = await get(toPagePath('today', lang));
    const home = toHomePath(lang);
    keep(home, home === '/' ? '/index' : home, today.type, today.body);
    const missing = await get(toMissingPath(lang));
    keep(toMissingPath(lang), toMissingPath(lang), missing.type, missing.body);
  }
  return { written, moved };
}

const isHtml = (type: string): boolean => type.startsWith('text/html');
/** The public data stays as its digests say. */
const hasLinks = (path: string, type: string): boolean =>
  LINKING.test(type) && !path.startsWith(`${DATA_FOLDER}/`);

/** What describes or asks a live service, or tells how it is. */
const LIVE_FOLDERS = [
  ...['/api', '/.well-known', MCP_PATH, DESK_PATH],
  ...[HEALTH_PATH, READINESS_PATH, LIVENESS_PATH, STATUS_PATH],
];
const LIVE_PAGES: readonly string[] = LANGS.flatMap((lang) => [
  ...(['embed', 'docs_status'] as const).map((page) => toPagePath(page, lang)),
  ...[toFramePath(lang), toJumpPath(lang)],
]);
const DAY_FOLDERS = LANGS.map((lang) => toDayPath('', lang));

/** What is made ahead, the clock's pages, files, pictures and calendars: all must be there. */
function listStaticPaths({ state, service, now_ms }: Asked): readonly string[] {
  const { snapshot, code, pictures } = state;
  const events = listUpcomingEvents(snapshot, now_ms);
  const built = listBuiltPaths({ snapshot, now_ms, site: service.site });
  const pictures_dir = join(service.data_dir, PICTURES_FOLDER);
  return [
    ...CLOCK_PAGES.flatMap((page) => LANGS.map((lang) => toPagePath(page, lang))),
    ...built.filter((path) => !isHiddenPath(path)),
    ...LANGS.map(toOfflinePath),
    // The public data and calendars lead to what is over, too.
    ...listUpcomingEvents(snapshot, 0).flatMap(({ slug }) =>
      LANGS.map((lang) => toThingPath('event', slug, lang)),
    ),
    ...code.assets.keys(),
    ...[...pictures].flatMap((digest) => {
      const folder = join(pictures_dir, digest);
      const names = existsSync(folder) ? readdirSync(folder) : [];
      return names.map((name) => `${PICTURES_PATH}/${digest}/${name}`);
    }),
    // Named in a script's settings.
    ...LANGS.map(toMapPlacesPath),
    ...[API_PATHS.eventsCalendarFeed, ...events.map(({ id }) => toEventIcsPath(id))],
    ...events.map(({ slug }) => toThingIcsPath('event', slug, DEFAULT_LANG)),
    ...listVenues(snapshot).map(({ slug }) => toThingIcsPath('venue', slug, DEFAULT_LANG)),
    ...listOrganizers(snapshot).map(({ slug }) => toThingIcsPath('organizer', slug, DEFAULT_LANG)),
  ];
}

/** Whether a path is left to the live service; of the days, which lead on for years, those not made ahead. */
function createLiveTest({ code }: ReleaseState, now_ms: number): (path: string) => boolean {
  const days = new Set(listBuiltDays(now_ms));
  return (path) => {
    const page = path.replace(/\.md$/, '');
    const day_folder = DAY_FOLDERS.find((folder) => page.startsWith(folder));
    const is_asked = LIVE_FOLDERS.some(
      (folder) => page === folder || page.startsWith(`${folder}/`),
    );
    return (
      findHomeLang(path) !== null ||
      (is_asked && !path.endsWith('.ics')) ||
      LIVE_PAGES.includes(page) ||
      isFormPath(page) ||
      // Posters: drawn when they are asked for.
      (path.endsWith('.png') && !code.assets.has(path)) ||
      (day_folder !== undefined && !days.has(page.slice(day_folder.length)))
    );
  };
}

type Fields = Readonly<Record<string, string>>;
type Rule = readonly [pattern: string, fields: Fields];

/** A host knows scripts, styles, fonts and pictures by their names. */
const KNOWN = ['/_astro/', '/icons/', `${PICTURES_PATH}/`];

/**
 * Where several rules match, their values are joined with a comma: so no field stands in two of them, and
 * pages are cached as the host caches pages.
 */
function toStaticHeaders(written: Written, page_headers: Fields, live_url: string): string {
  const policy = String(page_headers['content-security-policy'])
    .replace("form-action 'self'", `form-action 'self' ${live_url}`)
    .replace("connect-src 'self'", `connect-src 'self' ${live_url}`);
  const rules: readonly Rule[] = [
    ['/*', { ...OPEN_HEADERS, ...page_headers, 'content-security-policy': policy }],
    ['/_astro/*', { 'cache-control': IMMUTABLE }],
    [`${PICTURES_PATH}/*`, { 'cache-control': IMMUTABLE }],
    [`${DATA_FOLDER}/*`, { 'cache-control': ASSET }],
    [WORKER_PATH, { 'cache-control': 'no-cache' }],
    ...listTypeRules(written),
  ];
  return rules
    .flatMap(([pattern, fields]) => [
      pattern,
      ...Object.entries(fields).map(([name, value]) => `  ${name}: ${value}`),
    ])
    .join('\n');
}

/** Content types: of an ending where all agree, else of each path. */
function listTypeRules(written: Written): readonly Rule[] {
  const told = [...written].filter(
    ([path, { type }]) => !isHtml(type) && !KNOWN.some((folder) => path.startsWith(folder)),
  );
  return [...Map.groupBy(told, ([path]) => extname(path))].flatMap(([ending, found]) => {
    const types = new Set(found.map(([, { type }]) => type));
    const toRule = (pattern: string, type: string): Rule => {
      const is_noted = pattern === '/*.md' && type === MARKDOWN_TYPE;
      return [
        pattern,
        { 'content-type': type, ...(is_noted ? { 'x-robots-tag': 'noindex' } : {}) },
      ];
    };
    return ending !== '' && types.size === 1
      ? [...types].map((type) => toRule(`/*${ending}`, type))
      : found.map(([path, { type }]) => toRule(path, type));
  });
}
