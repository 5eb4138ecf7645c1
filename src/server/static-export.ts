// Static export: writes a release as plain files for any static host: all pages without query, and
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
  missingPagePath,
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

/** First line of `_headers`. A folder with it may be replaced by a new export. */
const EXPORT_MARK = '# Made by npm run export';
/** A URL path in an attribute, i.e. without a host. */
const PATH_ATTRIBUTE = /(\s([a-z-]+)=")(\/(?!\/)[^"\s]*)(?=")/g;
/** Attributes with a URL that is requested with typed input, which a static host cannot answer. */
const INPUT_ATTRIBUTES: ReadonlySet<string> = new Set(['action', 'formaction', 'data-near']);

/** Exported files by URL path. */
type ExportedFiles = ReadonlyMap<string, string>;

/**
 * Exports the current release to a folder, replacing it atomically.
 * @returns the number of files.
 * @throws if the folder contains files that are not an export.
 */
export async function exportSite(
  config: Config,
  now_ms: number,
  dir: string,
  log: LogLine,
): Promise<number> {
  const layout = dataLayout(config.data_dir);
  const name = getCurrentName(layout);
  if (name === null) throw new Error('There is no release to export. Run npm run release first');
  assertReplaceable(dir);
  const release = openRelease(name, snapshotPath(layout, name), await loadCurrentCode(config, log));
  const build_dir = `${dir}.part`;
  rmSync(build_dir, { recursive: true, force: true });
  try {
    const getCachedPage = createPageCache(layout.pages_dir);
    const onError = (error: unknown): never => {
      throw error;
    };
    const service = createInertService(config, { inbox: null, getCachedPage, onError });
    const files = await exportFiles({ release, service, now_ms }, build_dir, log);
    const { url: site_url } = service.site;
    for (const file of files.values()) {
      if (!file.endsWith('.html')) continue;
      const html = readFileSync(join(build_dir, file), 'utf8');
      writeFileSync(join(build_dir, file), rewriteLinks(html, site_url, files));
    }
    const page_headers = securityHeaders('text/html', site_url, {
      style_hashes: release.code.style_hashes,
    });
    writeFileSync(
      join(build_dir, '_headers'),
      `${EXPORT_MARK}\n${buildHeadersFile(files, page_headers, site_url)}\n`,
    );
    replaceFolder(dir, build_dir);
    return files.size;
  } finally {
    retireRelease(release);
  }
}

/** Makes links to pages outside the export absolute, so that they lead to the live service. */
const rewriteLinks = (html: string, site_url: string, files: ExportedFiles): string =>
  html.replace(PATH_ATTRIBUTE, (match, start: string, attribute: string, path: string) => {
    const is_exported = files.has(path.replace(/#.*/, '')) && !INPUT_ATTRIBUTES.has(attribute);
    return is_exported ? match : `${start}${site_url}${path}`;
  });

const listLinkedPaths = (html: string, site_url: string): readonly string[] =>
  [...html.replaceAll(`="${site_url}/`, '="/').matchAll(PATH_ATTRIBUTE)]
    .map(([, , , path = '']) => path.replace(/#.*/, ''))
    .filter((path) => !/[?{]/.test(path));

function assertReplaceable(dir: string): void {
  if (!existsSync(dir) || readdirSync(dir).length === 0) return;
  const headers = join(dir, '_headers');
  if (!existsSync(headers) || !readFileSync(headers, 'utf8').startsWith(EXPORT_MARK))
    throw new Error(`${dir} contains files that are not an export. Use a separate folder`);
}

/**
 * Replaces a folder by two renames, so that a host that serves it misses files only for a moment.
 */
function replaceFolder(dir: string, build_dir: string): void {
  const old_dir = `${dir}.old`;
  rmSync(old_dir, { recursive: true, force: true });
  if (existsSync(dir)) renameSync(dir, old_dir);
  renameSync(build_dir, dir);
  rmSync(old_dir, { recursive: true, force: true });
}

/**
 * Requests all paths, starting with the required ones and following links, and writes the responses
 * to files.
 */
async function exportFiles(
  target: InProcessTarget,
  dir: string,
  log: LogLine,
): Promise<ExportedFiles> {
  const { release, service, now_ms } = target;
  const isLivePath = createLivePathTest(release, now_ms);
  const required_paths = new Set(listRequiredPaths(target));
  const paths = new Set(required_paths);
  const files = new Map<string, string>();
  const reportProgress = createProgressLogger(log, 'paths exported');
  const request = async (path: string) => {
    const { status, headers, body } = await requestInProcess(target, path);
    return { status, type: String(headers['content-type']), body: body ?? Buffer.of() };
  };
  const writeFile = (path: string, name: string, type: string, body: Buffer): void => {
    const file = `${decodePath(name) ?? name}${isHtml(type) ? '.html' : ''}`;
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), body);
    files.set(path, file);
  };
  let count = 0;
  // The loop also visits the linked paths that are added to the set on the way.
  for (const path of paths) {
    reportProgress(count++, paths.size);
    await setImmediate();
    const { status, type, body } = await request(path);
    const is_required = required_paths.has(path);
    if (status === 200) {
      if (!is_required && LIVE_TYPE.test(type)) continue;
      writeFile(path, path, type, body);
      const linked_paths = isHtml(type) ? listLinkedPaths(String(body), service.site.url) : [];
      for (const linked of linked_paths) if (!isLivePath(linked)) paths.add(linked);
    } else if (status >= 500 || is_required) throw new Error(`${path} responded with ${status}`);
  }
  for (const lang of LANGS) {
    // The home page is the page of today, with the canonical path of that page.
    const today = await request(pagePath('today', lang));
    const home = homePath(lang);
    writeFile(home, home === '/' ? '/index' : home, today.type, today.body);
    const not_found = await request(missingPagePath(lang));
    writeFile(missingPagePath(lang), missingPagePath(lang), not_found.type, not_found.body);
  }
  return files;
}

const isHtml = (type: string): boolean => type.startsWith('text/html');

/** Types of responses of the API and of service descriptions, which are not exported. */
const LIVE_TYPE = /^application\/((linkset|mcp-server-card)\+)?json\b/;
const LIVE_PAGES: readonly string[] = LANGS.flatMap((lang) => [
  ...(['embed', 'docs_status'] as const).map((page) => pagePath(page, lang)),
  ...[embedFramePath(lang), dayPickerPath(lang)],
]);
const DAY_FOLDERS = LANGS.map((lang) => dayPath('', lang));

/**
 * Lists the paths that must be exported: warm-up pages, assets and pictures. Linked paths are added
 * during export.
 */
function listRequiredPaths({ release, service, now_ms }: InProcessTarget): readonly string[] {
  const { snapshot, code, pictures } = release;
  const warm_paths = listWarmPaths({ snapshot, now_ms, site: service.site });
  const pictures_dir = join(service.data_dir, PICTURES_FOLDER);
  return [
    ...warm_paths,
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

/**
 * Creates a test for paths that are left to the live service. These include days without warm-up:
 * days link to each other for years.
 */
function createLivePathTest({ code }: OpenRelease, now_ms: number): (path: string) => boolean {
  const days = new Set(listWarmDays(now_ms));
  return (path) => {
    const page = path.replace(/\.md$/, '');
    const day_folder = DAY_FOLDERS.find((folder) => page.startsWith(folder));
    return (
      findHomeLang(path) !== null ||
      LIVE_PAGES.includes(page) ||
      isFormPath(page) ||
      // Posters are rendered on request.
      (path.endsWith('.png') && !code.assets.has(path)) ||
      (day_folder !== undefined && !days.has(page.slice(day_folder.length)))
    );
  };
}

type HeaderFields = Readonly<Record<string, string>>;

/**
 * Builds the `_headers` file. Hosts join the values of all matching rules with commas, so no header
 * may be in two matching rules. Pages get no Cache-Control and use the host's default. Content
 * types are set by file extension.
 */
function buildHeadersFile(
  files: ExportedFiles,
  page_headers: HeaderFields,
  site_url: string,
): string {
  const policy = String(page_headers['content-security-policy'])
    .replace("form-action 'self'", `form-action 'self' ${site_url}`)
    .replace("connect-src 'self'", `connect-src 'self' ${site_url}`);
  const extensions = [...new Set([...files.keys()].map((path) => extname(path)))].filter(Boolean);
  const rules: readonly (readonly [pattern: string, fields: HeaderFields])[] = [
    ['/*', { ...PUBLIC_HEADERS, ...page_headers, 'content-security-policy': policy }],
    ['/_astro/*', { 'cache-control': CACHE_IMMUTABLE }],
    [`${PICTURES_PATH}/*`, { 'cache-control': CACHE_IMMUTABLE }],
    [`${MOTIFS_PATH}/*`, { 'cache-control': CACHE_IMMUTABLE }],
    [`${DATA_FOLDER}/*`, { 'cache-control': CACHE_ASSET }],
    [WORKER_PATH, { 'cache-control': 'no-cache' }],
    ['/*.md', { 'x-robots-tag': 'noindex' }],
    ...extensions.map(
      (extension) =>
        [`/*${extension}`, { 'content-type': contentTypeOf(`a${extension}`) }] as const,
    ),
  ];
  return rules
    .flatMap(([pattern, fields]) => [
      pattern,
      ...Object.entries(fields).map(([name, value]) => `  ${name}: ${value}`),
    ])
    .join('\n');
}
