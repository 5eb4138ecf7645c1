// Smoke test: sends about thirty in-process requests to a candidate release before it goes live.
import { DEFAULT_LANG } from '../domain/lang.ts';
import { toLocalDay } from '../domain/local-time.ts';
import type { SiteSettings } from '../domain/site.ts';
import { TOOL_NAMES, type ToolName } from '../i18n/translate.ts';
import {
  API_BASE,
  API_PATHS,
  HEALTH_PATH,
  LLMS_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  apiPath,
  dayPath,
  eventIcsPath,
  markdownPath,
  missingPagePath,
  pagePath,
  recordPath,
  withQuery,
} from '../i18n/paths.ts';
import { openInbox } from '../inbox/open.ts';
import { listUpcomingEvents, listVenues } from '../snapshot/list-records.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { requestInProcess, type InProcessTarget, createInertService } from './in-process-client.ts';
import { openRelease, retireRelease } from './http/request-context.ts';
import type { PageCache } from './page-cache.ts';
import type { LoadedCode } from './load-site-code.ts';

/**
 * A request to the candidate, with the status, media type and texts that its response must have.
 */
interface SmokeTestCase {
  readonly path: string;
  readonly accept?: string;
  /** JSON-RPC message to post; absent for GET. */
  readonly message?: object;
  readonly status: number;
  readonly type: string;
  readonly contains: readonly string[];
}

const HTML = 'text/html';
const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';
const CALENDAR = 'text/calendar';

const get = (
  path: string,
  type: string,
  contains: readonly string[] = [],
  status = 200,
): SmokeTestCase => ({ path, type, contains, status });
const callTool = (name: ToolName, args: object, contains: readonly string[]): SmokeTestCase => ({
  ...get(MCP_PATH, JSON_TYPE, contains),
  message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
});

/**
 * Returns the title if it is the same in every format; titles with characters that are escaped are
 * not checked.
 */
const expectTitle = (title: string): string[] =>
  title === '' || /[<>&;\\]/.test(title) ? [] : [title];

/** Lists one request of each kind, for the first event, venue and category of the snapshot. */
function listSmokeTestCases(snapshot: Snapshot, now_ms: number): readonly SmokeTestCase[] {
  const { generated_at } = snapshot;
  const today = toLocalDay(now_ms);
  const events = listUpcomingEvents(snapshot, now_ms).slice(0, 1);
  const venues = listVenues(snapshot).slice(0, 1);
  const categories = snapshot.taxonomy.categories.slice(0, 1);
  return [
    ...(['today', 'weekend'] as const).flatMap((word) => [
      get(pagePath(word, 'es'), HTML),
      get(markdownPath(pagePath(word, 'en')), MARKDOWN),
      get(withQuery(API_PATHS.listEvents, { date: word }), JSON_TYPE, [generated_at]),
    ]),
    { ...get(pagePath('today', 'en'), MARKDOWN), accept: MARKDOWN },
    get(dayPath(today.add({ days: 3 }).toString(), 'en'), HTML),
    get(pagePath('notices', 'es'), HTML),
    get(withQuery(API_PATHS.listNotices, { date: 'tomorrow' }), JSON_TYPE, [generated_at]),
    get(withQuery(API_PATHS.eventsCalendarFeed, { date: 'week' }), CALENDAR, ['BEGIN:VCALENDAR']),
    ...events.flatMap(({ id, slug, title }) => [
      get(recordPath('event', slug, 'es'), HTML, expectTitle(title.es)),
      get(markdownPath(recordPath('event', slug, 'en')), MARKDOWN),
      get(apiPath('getEvent', id), JSON_TYPE, [generated_at, ...expectTitle(title[DEFAULT_LANG])]),
      get(eventIcsPath(id), CALENDAR, expectTitle(title[DEFAULT_LANG])),
      callTool('detalle_evento', { id }, expectTitle(title[DEFAULT_LANG])),
    ]),
    ...venues.flatMap(({ slug, name }) => [
      get(recordPath('venue', slug, 'es'), HTML, expectTitle(name)),
      get(apiPath('getVenue', slug.es), JSON_TYPE, expectTitle(name)),
    ]),
    ...categories.map(({ slug }) => get(recordPath('category', slug, 'en'), HTML)),
    callTool('eventos_hoy', { lang: 'en' }, [generated_at]),
    callTool('buscar_eventos', { date: 'week' }, [generated_at]),
    {
      ...callTool('avisos_hoy', {}, TOOL_NAMES),
      message: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    },
    get(withQuery(pagePath('search', 'es'), { q: 'museo' }), HTML),
    get(pagePath('submit', 'es'), HTML),
    get(LLMS_PATH, MARKDOWN),
    get(HEALTH_PATH, JSON_TYPE, [generated_at]),
    get(OPENAPI_PATH, JSON_TYPE, ['listEvents']),
    get(missingPagePath('en'), HTML, [], 404),
    get(withQuery(API_PATHS.listEvents, { date: 'nunca' }), JSON_TYPE, ['invalid_parameter'], 400),
    get(`${API_BASE}/no-hay-tal-ruta`, JSON_TYPE, ['not_found'], 404),
  ];
}

/** A cache that stores nothing, so that the candidate renders each page. */
const NO_CACHE: PageCache = (_, render) => render();
const MCP_HEADERS = {
  'content-type': JSON_TYPE,
  accept: `${JSON_TYPE}, text/event-stream`,
  'mcp-protocol-version': '2025-06-18',
};

/**
 * Runs the smoke test on the snapshot at a path.
 * @returns issues; empty if the candidate may go live.
 */
export async function smokeTestCandidate(
  settings: SiteSettings & { readonly data_dir: string },
  path: string,
  code: LoadedCode,
  now_ms: number,
): Promise<readonly string[]> {
  const issues: string[] = [];
  const release = openRelease('candidate', path, code);
  const inbox = await openInbox(':memory:');
  const onError = (error: unknown, error_path: string): void =>
    void issues.push(
      `${error_path} fails: ${error instanceof Error ? error.message : String(error)}`,
    );
  const service = createInertService(settings, { inbox, getCachedPage: NO_CACHE, onError });
  try {
    for (const test_case of listSmokeTestCases(release.snapshot, now_ms)) {
      issues.push(...(await runTestCase(test_case, { release, service, now_ms })));
    }
    return issues;
  } finally {
    retireRelease(release);
    await inbox.close();
  }
}

async function runTestCase(
  test_case: SmokeTestCase,
  target: InProcessTarget,
): Promise<readonly string[]> {
  const { path, accept, message, status, type, contains } = test_case;
  const body = message === undefined ? null : JSON.stringify(message);
  const headers = body === null ? { accept } : MCP_HEADERS;
  const response = await requestInProcess(target, path, headers, body);
  const label = body === null ? path : `${path} ${body}`;
  if (response.status !== status)
    return [`${label} responded with ${response.status} instead of ${status}`];
  const content_type = String(response.headers['content-type']);
  if (!content_type.startsWith(type)) return [`${label} is ${content_type} instead of ${type}`];
  // Remove markup that a format adds within words: tags and entities, or folded lines.
  const is_html = content_type.startsWith(HTML);
  const markup = is_html ? /<[^>]*>|&#?\w+;/g : /\r\n /g;
  const response_words = normalizeWords(String(response.body).replace(markup, is_html ? ' ' : ''));
  return contains
    .filter((text) => !response_words.includes(normalizeWords(text)))
    .map((text) => `${label} does not contain '${text}'`);
}

/** Joins the words of a text with single spaces, without punctuation. */
const normalizeWords = (text: string): string =>
  ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
