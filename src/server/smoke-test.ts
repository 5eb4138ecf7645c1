// What a candidate must answer rightly before it may serve: some thirty requests, one of each kind, without sockets.
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
  notFoundPath,
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

interface SmokeTestCase {
  readonly path: string;
  readonly accept?: string;
  readonly message?: object;
  readonly status: number;
  readonly type: string;
  readonly holds: readonly string[];
}

const HTML = 'text/html';
const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';
const CALENDAR = 'text/calendar';

const get = (
  path: string,
  type: string,
  holds: readonly string[] = [],
  status = 200,
): SmokeTestCase => ({ path, type, holds, status });
const callTool = (name: ToolName, args: object, holds: readonly string[]): SmokeTestCase => ({
  ...get(MCP_PATH, JSON_TYPE, holds),
  message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
});

/** A title that looks alike in every form; a stranger one proves nothing here. */
const toHeld = (title: string): string[] => (title === '' || /[<>&;\\]/.test(title) ? [] : [title]);

function listQuestions(snapshot: Snapshot, now_ms: number): readonly SmokeTestCase[] {
  const { generated_at: made } = snapshot;
  const today = toLocalDay(now_ms);
  const events = listUpcomingEvents(snapshot, now_ms).slice(0, 1);
  const venues = listVenues(snapshot).slice(0, 1);
  const categories = snapshot.taxonomy.categories.slice(0, 1);
  return [
    ...(['today', 'weekend'] as const).flatMap((word) => [
      get(pagePath(word, 'es'), HTML),
      get(markdownPath(pagePath(word, 'en')), MARKDOWN),
      get(withQuery(API_PATHS.listEvents, { date: word }), JSON_TYPE, [made]),
    ]),
    { ...get(pagePath('today', 'en'), MARKDOWN), accept: MARKDOWN },
    get(dayPath(today.add({ days: 3 }).toString(), 'en'), HTML),
    get(pagePath('notices', 'es'), HTML),
    get(withQuery(API_PATHS.listNotices, { date: 'tomorrow' }), JSON_TYPE, [made]),
    get(withQuery(API_PATHS.eventsCalendarFeed, { date: 'week' }), CALENDAR, ['BEGIN:VCALENDAR']),
    ...events.flatMap(({ id, slug, title }) => [
      get(recordPath('event', slug, 'es'), HTML, toHeld(title.es)),
      get(markdownPath(recordPath('event', slug, 'en')), MARKDOWN),
      get(apiPath('getEvent', id), JSON_TYPE, [made, ...toHeld(title[DEFAULT_LANG])]),
      get(eventIcsPath(id), CALENDAR, toHeld(title[DEFAULT_LANG])),
      callTool('detalle_evento', { id }, toHeld(title[DEFAULT_LANG])),
    ]),
    ...venues.flatMap(({ slug, name }) => [
      get(recordPath('venue', slug, 'es'), HTML, toHeld(name)),
      get(apiPath('getVenue', slug.es), JSON_TYPE, toHeld(name)),
    ]),
    ...categories.map(({ slug }) => get(recordPath('category', slug, 'en'), HTML)),
    callTool('eventos_hoy', { lang: 'en' }, [made]),
    callTool('buscar_eventos', { date: 'week' }, [made]),
    {
      ...callTool('avisos_hoy', {}, TOOL_NAMES),
      message: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    },
    get(withQuery(pagePath('search', 'es'), { q: 'museo' }), HTML),
    get(pagePath('submit', 'es'), HTML),
    get(LLMS_PATH, MARKDOWN),
    get(HEALTH_PATH, JSON_TYPE, [made]),
    get(OPENAPI_PATH, JSON_TYPE, ['listEvents']),
    get(notFoundPath('en'), HTML, [], 404),
    get(withQuery(API_PATHS.listEvents, { date: 'nunca' }), JSON_TYPE, ['invalid_parameter'], 400),
    get(`${API_BASE}/no-hay-tal-ruta`, JSON_TYPE, ['not_found'], 404),
  ];
}

/** A candidate is asked afresh. */
const KEEPS_NOTHING: PageCache = (_, make) => make();
const MESSAGE_HEADERS = {
  'content-type': JSON_TYPE,
  accept: `${JSON_TYPE}, text/event-stream`,
  'mcp-protocol-version': '2025-06-18',
};

export async function smokeTestCandidate(
  settings: SiteSettings & { readonly data_dir: string },
  path: string,
  code: LoadedCode,
  now_ms: number,
): Promise<readonly string[]> {
  const issues: string[] = [];
  const state = openRelease('candidate', path, code);
  const inbox = await openInbox(':memory:');
  const onError = (thrown: unknown, at: string): void =>
    void issues.push(`${at} fails: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  const service = createInertService(settings, { inbox, pages: KEEPS_NOTHING, onError });
  try {
    for (const question of listQuestions(state.snapshot, now_ms)) {
      issues.push(...(await listIssues(question, { state, service, now_ms })));
    }
    return issues;
  } finally {
    retireRelease(state);
    await inbox.close();
  }
}

async function listIssues(
  question: SmokeTestCase,
  asked: InProcessTarget,
): Promise<readonly string[]> {
  const { path, accept, message, status, type, holds } = question;
  const sent = message === undefined ? null : JSON.stringify(message);
  const headers = sent === null ? { accept } : MESSAGE_HEADERS;
  const response = await requestInProcess(asked, path, headers, sent);
  const shown = sent === null ? path : `${path} ${sent}`;
  if (response.status !== status)
    return [`${shown} answers ${response.status} instead of ${status}`];
  const found = String(response.headers['content-type']);
  if (!found.startsWith(type)) return [`${shown} is ${found} instead of ${type}`];
  // Without what its format adds to words: folded lines, tags, entities.
  const added = found.startsWith(HTML) ? /<[^>]*>|&#?\w+;/g : /\r\n /g;
  const words = toWords(String(response.body).replace(added, found.startsWith(HTML) ? ' ' : ''));
  const missing = holds.filter((held) => !words.includes(toWords(held)));
  return missing.map((held) => `${shown} does not say '${held}'`);
}

const toWords = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
