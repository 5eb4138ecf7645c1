// What a release is asked before it may serve: each kind of page, the API, calendars and MCP, in
// one language, with what must be in the answer.
import { AGENDA_WORDS } from '../domain/agenda-words.ts';
import { toCancunDay } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import { toRange } from '../domain/filters/range.ts';
import {
  OPENAPI_PATH,
  toDayPath,
  toEventIcsPath,
  toPagePath,
  toThingPath,
  toMarkdownPath,
  MCP_PATH,
} from '../i18n/paths.ts';
import { API_BASE, API_PATHS, toApiPath, withQuery } from '../i18n/api-paths.ts';
import { TOOL_NAMES, type ToolName } from '../i18n/tool-names.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { readAgenda } from '../snapshot/read-agenda.ts';
import type { Samples } from './samples.ts';

export interface SmokeTest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly status: number;
  /** What its content type begins with. */
  readonly type: string;
  /** Words that its body must have, letters and digits only. */
  readonly holds: readonly string[];
}

const HTML = 'text/html';
const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';
const CALENDAR = 'text/calendar';
/** A revision that needs no more than a message (interface 4, MCP). */
const MCP_REVISION = '2025-06-18';

const get = (
  path: string,
  type: string,
  holds: readonly string[] = [],
  status = 200,
): SmokeTest => ({ method: 'GET', path, headers: {}, body: null, status, type, holds });

const withMarkdown = (path: string, holds: readonly string[]): SmokeTest[] => [
  get(path, HTML, holds),
  get(toMarkdownPath(path), MARKDOWN, holds),
];

function callMcp(
  method: string,
  params: Readonly<Record<string, unknown>>,
  holds: readonly string[],
): SmokeTest {
  return {
    method: 'POST',
    path: MCP_PATH,
    status: 200,
    type: JSON_TYPE,
    holds,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: {
      'content-type': JSON_TYPE,
      accept: `${JSON_TYPE}, text/event-stream`,
      'mcp-protocol-version': MCP_REVISION,
    },
  };
}

/** A title that looks alike in every form; a stranger one proves nothing here. */
const toHeld = (title: string): string[] => (/[<>&;\\]/.test(title) ? [] : [title]);

/** A call of a tool with arguments. */
const callTool = (
  name: ToolName,
  args: Readonly<Record<string, unknown>>,
  holds: readonly string[],
): SmokeTest => callMcp('tools/call', { name, arguments: args }, holds);

/** Questions whose answer depends on the day; `now_ms` is when they are asked. */
export function listDayTests(snapshot: Snapshot, now_ms: number, lang: Lang): SmokeTest[] {
  const today = toCancunDay(now_ms);
  const made_at = snapshot.generated_at;
  const findTitle = (date: string): string[] => {
    const range = toRange(date, today);
    const [first] = range ? readAgenda(snapshot, range, now_ms, lang).events : [];
    return first ? toHeld(first.event.title[lang]) : [];
  };
  const later = today.add({ days: 3 }).toString();
  return [
    ...AGENDA_WORDS.flatMap((date) => withMarkdown(toPagePath(date, lang), findTitle(date))),
    {
      ...get(toPagePath('today', lang), MARKDOWN, findTitle('today')),
      headers: { accept: MARKDOWN },
    },
    ...withMarkdown(toDayPath(today.toString(), lang), findTitle('today')),
    ...withMarkdown(toDayPath(later, lang), findTitle(later)),
    ...[...AGENDA_WORDS, later].map((date) =>
      get(withQuery(API_PATHS.listEvents, { date, lang }), JSON_TYPE, [
        made_at,
        ...findTitle(date),
      ]),
    ),
    get(withQuery(API_PATHS.eventsCalendarFeed, { date: 'today', lang }), CALENDAR, [
      'BEGIN:VCALENDAR',
      ...findTitle('today'),
    ]),
    get(withQuery(API_PATHS.listNotices, { date: 'today', lang }), JSON_TYPE, [made_at]),
    get(withQuery(API_PATHS.listNotices, { date: 'tomorrow', lang }), JSON_TYPE, [made_at]),
    callTool('buscar_eventos', { date: 'today', lang }, [made_at, ...findTitle('today')]),
    callTool('eventos_hoy', { lang }, [made_at, ...findTitle('today')]),
    callTool('avisos_hoy', { lang }, [made_at]),
  ];
}

/** Questions about things, and what must be refused. */
export function listThingTests(snapshot: Snapshot, samples: Samples, lang: Lang): SmokeTest[] {
  const { venue, organizer, category, zone } = samples;
  const named = (section: 'category' | 'zone', taxon: Samples['category']): SmokeTest[] =>
    taxon === null
      ? []
      : [
          get(toThingPath(section, taxon.slug, lang), HTML, toHeld(taxon.name[lang])),
          get(withQuery(API_PATHS.listEvents, { [section]: taxon.slug[lang], lang }), JSON_TYPE, [
            snapshot.generated_at,
          ]),
        ];
  const placed = (section: 'venue' | 'organizer', thing: Samples['venue']): SmokeTest[] =>
    thing === null
      ? []
      : [
          ...withMarkdown(toThingPath(section, thing.slug, lang), toHeld(thing.name)),
          get(
            withQuery(
              toApiPath(section === 'venue' ? 'getVenue' : 'getOrganizer', thing.slug[lang]),
              { lang },
            ),
            JSON_TYPE,
            [snapshot.generated_at, ...toHeld(thing.name)],
          ),
        ];
  return [
    ...samples.events.flatMap(({ id, slug, title }) => [
      ...withMarkdown(toThingPath('event', slug, lang), toHeld(title[lang])),
      get(withQuery(toApiPath('getEvent', id), { lang }), JSON_TYPE, [
        snapshot.generated_at,
        ...toHeld(title[lang]),
      ]),
      get(withQuery(toApiPath('getEvent', slug[lang]), { lang }), JSON_TYPE, [id]),
      get(`${toEventIcsPath(id)}?lang=${lang}`, CALENDAR, toHeld(title[lang])),
    ]),
    ...placed('venue', venue),
    ...placed('organizer', organizer),
    ...named('category', category),
    ...named('zone', zone),
    get(withQuery(API_PATHS.listEvents, { free: '1', family: '1', lang }), JSON_TYPE, [
      snapshot.generated_at,
    ]),
    get(toPagePath('submit', lang), HTML),
    get(lang === 'es' ? '/no-hay-tal-pagina' : '/en/no-such-page', HTML, [], 404),
  ];
}

/** Questions that are the same in any language. */
export function listServiceTests(snapshot: Snapshot): SmokeTest[] {
  return [
    get('/', 'text/plain', [], 302),
    get('/healthz', JSON_TYPE, [snapshot.generated_at]),
    get(OPENAPI_PATH, JSON_TYPE, ['openapi', 'listEvents']),
    get(withQuery(API_PATHS.listEvents, { date: 'nunca' }), JSON_TYPE, ['invalid_parameter'], 400),
    get(toApiPath('getEvent', 'no-hay-tal-evento'), JSON_TYPE, ['not_found'], 404),
    get(`${API_BASE}/no-hay-tal-ruta`, JSON_TYPE, ['not_found'], 404),
    callMcp('tools/list', {}, TOOL_NAMES),
  ];
}
