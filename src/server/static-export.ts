// The release as plain files, for any static host: what the servers answer without a query, in a folder with
// `_headers`. A page is `hoy.html`, which hosts serve at /hoy without a redirect.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { PICTURES_FOLDER } from '../domain/pictures.ts';
import { LANGS } from '../domain/lang.ts';
import { decodePath, contentTypeOf } from '../http/message.ts';
import {
  CACHE_ASSET,
  CACHE_IMMUTABLE,
  PUBLIC_HEADERS,
  securityHeaders,
} from '../http/response-headers.ts';
import {
  API_PATHS,
  DATA_FOLDER,
  findHomeLang,
  MOTIFS_PATH,
  PICTURES_PATH,
  dayPath,
  embedFramePath,
  homePath,
  dayPickerPath,
  llmsFullPath,
  notFoundPath,
  offlinePath,
  pagePath,
  WORKER_PATH,
} from '../i18n/paths.ts';
import { createProgressLogger, type LogLine } from '../releases/build-log.ts';
import { getCurrentName, dataLayout, snapshotPath } from '../releases/snapshots.ts';
import { listWarmDays } from '../site/agenda-page.ts';
import { listWarmPaths } from '../site/resolve-path.ts';
import { requestInProcess, type InProcessTarget, createInertService } from './in-process-client.ts';
import { isFormPath } from './http/handle-form-request.ts';
import { openRelease, type OpenRelease, retireRelease } from './http/request-context.ts';
import { createPageCache } from './page-cache.ts';
import { loadCurrentCode } from './load-site-code.ts';

/** The first words of `_headers`: what an export may replace. */
const MARK = '# Made by npm run export';
/** An address without a host, in an attribute. */
const RELATIVE = /(\s([a-z-]+)=")(\/(?!\/)[^"\s]*)(?=")/g;
/** Attributes whose address is asked with what a reader types. */
const ASKING: ReadonlySet<string> = new Set(['action', 'formaction', 'data-near']);

type WrittenFiles = ReadonlyMap<string, string>;

/** Writes the folder anew and in one piece; gives how many files. Throws where it holds anything but an export. */
export async function exportSite(
  config: Config,
  now_ms: number,
  dir: string,
  say: LogLine,
): Promise<number> {
  const layout = dataLayout(config.data_dir);
  const name = getCurrentName(layout);
  if (name === null) throw new Error('There is no release to export. Run npm run release first');
  refuseOthers(dir);
  const state = openRelease(name, snapshotPath(layout, name), await loadCurrentCode(config, say));
  const building = `${dir}.part`;
  rmSync(building, { recursive: true, force: true });
  try {
    const pages = createPageCache(layout.pages_dir);
    const onError = (thrown: unknown): never => {
      throw thrown;
    };
    const service = createInertService(config, { inbox: null, pages, onError });
    const written = await writeAnswers({ state, service, now_ms }, building, say);
    const { url: site_url } = service.site;
    for (const file of written.values()) {
      if (!file.endsWith('.html')) continue;
      const text = readFileSync(join(building, file), 'utf8');
      writeFileSync(join(building, file), leadOn(text, site_url, written));
    }
    const page_headers = securityHeaders('text/html', site_url, {
      style_hashes: state.code.style_hashes,
    });
    writeFileSync(
      join(building, '_headers'),
      `${MARK}\n${toStaticHeaders(written, page_headers, site_url)}\n`,
    );
    replace(dir, building);
    return written.size;
  } finally {
    retireRelease(state);
  }
}

/** A page whose links stay where the copy has what they lead to; all others lead to the service. */
const leadOn = (html: string, site_url: string, written: WrittenFiles): string =>
  html.replace(RELATIVE, (whole, start: string, name: string, address: string) => {
    const is_there = written.has(address.replace(/#.*/, '')) && !ASKING.has(name);
    return is_there ? whole : `${start}${site_url}${address}`;
  });

const listPaths = (html: string, site_url: string): readonly string[] =>
  [...html.replaceAll(`="${site_url}/`, '="/').matchAll(RELATIVE)]
    .map(([, , , address = '']) => address.replace(/#.*/, ''))
    .filter((path) => !/[?{]/.test(path));

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

async function writeAnswers(
  asked: InProcessTarget,
  dir: string,
  say: LogLine,
): Promise<WrittenFiles> {
  const { state, service, now_ms } = asked;
  const isLive = createLiveTest(state, now_ms);
  const listed = new Set(listStaticPaths(asked));
  const wanted = new Set(listed);
  const written = new Map<string, string>();
  const tell = createProgressLogger(say, 'addresses asked');
  const get = async (path: string) => {
    const { status, headers, body } = await requestInProcess(asked, path);
    return { status, type: String(headers['content-type']), body: body ?? Buffer.of() };
  };
  const keep = (path: string, name: string, type: string, body: Buffer): void => {
    const file = `${decodePath(name) ?? name}${isHtml(type) ? '.html' : ''}`;
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), body);
    written.set(path, file);
  };
  let count = 0;
  // What is found on the way comes at the end of the set.
  for (const path of wanted) {
    tell(count++, wanted.size);
    await setImmediate();
    const { status, type, body } = await get(path);
    if (status === 200) {
      if (!listed.has(path) && LIVE_TYPE.test(type)) continue;
      keep(path, path, type, body);
      const found = isHtml(type) ? listPaths(String(body), service.site.url) : [];
      for (const to of found) if (!isLive(to)) wanted.add(to);
    } else if (status >= 500 || listed.has(path)) throw new Error(`${path} answers ${status}`);
  }
  for (const lang of LANGS) {
    // Its canonical address is the day's.
    const today = await get(pagePath('today', lang));
    const home = homePath(lang);
    keep(home, home === '/' ? '/index' : home, today.type, today.body);
    const missing = await get(notFoundPath(lang));
    keep(notFoundPath(lang), notFoundPath(lang), missing.type, missing.body);
  }
  return written;
}

const isHtml = (type: string): boolean => type.startsWith('text/html');

/** Answers of the API, and what describes the service or tells how it is. */
const LIVE_TYPE = /^application\/((linkset|mcp-server-card)\+)?json\b/;
const LIVE_PAGES: readonly string[] = LANGS.flatMap((lang) => [
  ...(['embed', 'docs_status'] as const).map((page) => pagePath(page, lang)),
  ...[embedFramePath(lang), dayPickerPath(lang)],
]);
const DAY_FOLDERS = LANGS.map((lang) => dayPath('', lang));

/** What is made ahead, files, pictures: all must be there. What these lead to comes with them. */
function listStaticPaths({ state, service, now_ms }: InProcessTarget): readonly string[] {
  const { snapshot, code, pictures } = state;
  const built = listWarmPaths({ snapshot, now_ms, site: service.site });
  const pictures_dir = join(service.data_dir, PICTURES_FOLDER);
  return [
    ...built,
    ...LANGS.flatMap((lang) => [offlinePath(lang), llmsFullPath(lang)]),
    ...code.assets.keys(),
    ...[...pictures].flatMap((digest) => {
      const folder = join(pictures_dir, digest);
      const names = existsSync(folder) ? readdirSync(folder) : [];
      return names.map((name) => `${PICTURES_PATH}/${digest}/${name}`);
    }),
    API_PATHS.eventsCalendarFeed,
  ];
}

/** Whether a path is left to the live service; of the days, which lead on for years, those not made ahead. */
function createLiveTest({ code }: OpenRelease, now_ms: number): (path: string) => boolean {
  const days = new Set(listWarmDays(now_ms));
  return (path) => {
    const page = path.replace(/\.md$/, '');
    const day_folder = DAY_FOLDERS.find((folder) => page.startsWith(folder));
    return (
      findHomeLang(path) !== null ||
      LIVE_PAGES.includes(page) ||
      isFormPath(page) ||
      // Posters: drawn when they are asked for.
      (path.endsWith('.png') && !code.assets.has(path)) ||
      (day_folder !== undefined && !days.has(page.slice(day_folder.length)))
    );
  };
}

type HeaderFields = Readonly<Record<string, string>>;

/**
 * Where several rules match, their values are joined with a comma: so no field stands in two of them, and
 * pages are cached as the host caches pages. Types are those of the endings.
 */
function toStaticHeaders(
  written: WrittenFiles,
  page_headers: HeaderFields,
  site_url: string,
): string {
  const policy = String(page_headers['content-security-policy'])
    .replace("form-action 'self'", `form-action 'self' ${site_url}`)
    .replace("connect-src 'self'", `connect-src 'self' ${site_url}`);
  const endings = [...new Set([...written.keys()].map((path) => extname(path)))].filter(Boolean);
  const rules: readonly (readonly [pattern: string, fields: HeaderFields])[] = [
    ['/*', { ...PUBLIC_HEADERS, ...page_headers, 'content-security-policy': policy }],
    ['/_astro/*', { 'cache-control': CACHE_IMMUTABLE }],
    [`${PICTURES_PATH}/*`, { 'cache-control': CACHE_IMMUTABLE }],
    [`${MOTIFS_PATH}/*`, { 'cache-control': CACHE_IMMUTABLE }],
    [`${DATA_FOLDER}/*`, { 'cache-control': CACHE_ASSET }],
    [WORKER_PATH, { 'cache-control': 'no-cache' }],
    ['/*.md', { 'x-robots-tag': 'noindex' }],
    ...endings.map(
      (ending) => [`/*${ending}`, { 'content-type': contentTypeOf(`a${ending}`) }] as const,
    ),
  ];
  return rules
    .flatMap(([pattern, fields]) => [
      pattern,
      ...Object.entries(fields).map(([name, value]) => `  ${name}: ${value}`),
    ])
    .join('\n');
}
