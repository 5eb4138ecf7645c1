// What a release must answer rightly before it may serve: each kind of page, the API, calendars and
// MCP, in one language, with what must be in the body.
import { AGENDA_WORDS } from '../domain/agenda-words.ts';
import type { EventRecord } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import {
  MCP_PATH,
  OPENAPI_PATH,
  toDayPath,
  toEventIcsPath,
  toMarkdownPath,
  toPagePath,
  toThingPath,
} from '../i18n/paths.ts';
import { API_BASE, API_PATHS, toApiPath, withQuery } from '../i18n/api-paths.ts';
import { TOOL_NAMES, type ToolName } from '../i18n/tool-names.ts';

/** One day of a candidate, in one language. */
export interface DaySample {
  readonly lang: Lang;
  /** When the snapshot was made, as its responses say it. */
  readonly generated_at: string;
  /** YYYY-MM-DD. */
  readonly today: string;
  /** Another day whose page is built. */
  readonly later: string;
  /** The title of the first event by agenda word or day; absent where there is none. */
  readonly titles: ReadonlyMap<string, string>;
}

/** Things of a candidate that have pages: one of each kind that it has. */
export interface ThingSamples {
  readonly generated_at: string;
  /**
   * One that is ahead, whose page is built, and one that is over, whose page is rendered on demand.
   */
  readonly events: readonly Pick<EventRecord, 'id' | 'slug' | 'title'>[];
  readonly venue: Pick<VenueRecord, 'slug' | 'name'> | null;
  readonly organizer: Pick<OrganizerRecord, 'slug' | 'name'> | null;
  readonly category: TaxonRecord | null;
  readonly zone: TaxonRecord | null;
}

/** What is the same in any language. */
export interface ServiceSample {
  readonly generated_at: string;
  /** The address of a style sheet; null where the site has none. */
  readonly stylesheet: string | null;
}

/** An event that is decided otherwise in an amended release. */
export interface AmendedSample {
  readonly event: string;
  readonly status: EventRecord['status'] | 'withdrawn';
}

/** A request, and what its response must be. */
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
/** A revision that needs no more than a message (contract 13.1). */
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
const toHeld = (title: string): string[] => (title === '' || /[<>&;\\]/.test(title) ? [] : [title]);

/** A call of a tool with arguments. */
const callTool = (
  name: ToolName,
  args: Readonly<Record<string, unknown>>,
  holds: readonly string[],
): SmokeTest => callMcp('tools/call', { name, arguments: args }, holds);

/** Requests whose response depends on the day. */
export function listDayTests(sample: DaySample): SmokeTest[] {
  const { lang, generated_at, today, later, titles } = sample;
  const findTitle = (date: string): string[] => toHeld(titles.get(date) ?? '');
  return [
    ...AGENDA_WORDS.flatMap((date) => withMarkdown(toPagePath(date, lang), findTitle(date))),
    ...withMarkdown(toPagePath('notices', lang), []),
    {
      ...get(toPagePath('today', lang), MARKDOWN, findTitle('today')),
      headers: { accept: MARKDOWN },
    },
    ...withMarkdown(toDayPath(today, lang), findTitle('today')),
    ...withMarkdown(toDayPath(later, lang), findTitle(later)),
    ...[...AGENDA_WORDS, later].map((date) =>
      get(withQuery(API_PATHS.listEvents, { date, lang }), JSON_TYPE, [
        generated_at,
        ...findTitle(date),
      ]),
    ),
    get(withQuery(API_PATHS.eventsCalendarFeed, { date: 'today', lang }), CALENDAR, [
      'BEGIN:VCALENDAR',
      ...findTitle('today'),
    ]),
    get(withQuery(API_PATHS.listNotices, { date: 'today', lang }), JSON_TYPE, [generated_at]),
    get(withQuery(API_PATHS.listNotices, { date: 'tomorrow', lang }), JSON_TYPE, [generated_at]),
    get(withQuery(toApiPath('getDay', 'today'), { lang }), JSON_TYPE, [generated_at]),
    callTool('buscar_eventos', { date: 'today', lang }, [generated_at, ...findTitle('today')]),
    callTool('eventos_hoy', { lang }, [generated_at, ...findTitle('today')]),
    callTool('avisos_hoy', { lang }, [generated_at]),
  ];
}

/** Requests about events. */
export const listEventTests = (
  events: ThingSamples['events'],
  generated_at: string,
  lang: Lang,
): SmokeTest[] =>
  events.flatMap(({ id, slug, title }) => [
    ...withMarkdown(toThingPath('event', slug, lang), toHeld(title[lang])),
    get(withQuery(toApiPath('getEvent', id), { lang }), JSON_TYPE, [
      generated_at,
      ...toHeld(title[lang]),
    ]),
    get(withQuery(toApiPath('getEvent', slug[lang]), { lang }), JSON_TYPE, [id]),
    get(`${toEventIcsPath(id)}?lang=${lang}`, CALENDAR, toHeld(title[lang])),
  ]);

/** Requests about things, and what must be refused. */
export function listThingTests(samples: ThingSamples, lang: Lang): SmokeTest[] {
  const { generated_at, events, venue, organizer, category, zone } = samples;
  const named = (section: 'category' | 'zone', taxon: ThingSamples['category']): SmokeTest[] =>
    taxon === null
      ? []
      : [
          get(toThingPath(section, taxon.slug, lang), HTML, toHeld(taxon.name[lang])),
          get(withQuery(API_PATHS.listEvents, { [section]: taxon.slug[lang], lang }), JSON_TYPE, [
            generated_at,
          ]),
        ];
  const placed = (section: 'venue' | 'organizer', thing: ThingSamples['venue']): SmokeTest[] =>
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
            [generated_at, ...toHeld(thing.name)],
          ),
        ];
  return [
    ...listEventTests(events, generated_at, lang),
    ...placed('venue', venue),
    ...placed('organizer', organizer),
    ...named('category', category),
    ...named('zone', zone),
    get(withQuery(API_PATHS.listEvents, { free: '1', family: '1', lang }), JSON_TYPE, [
      generated_at,
    ]),
    get(toPagePath('submit', lang), HTML),
    get(lang === 'es' ? '/no-hay-tal-pagina' : '/en/no-such-page', HTML, [], 404),
  ];
}

/** Requests that are the same in any language. */
export function listServiceTests({ generated_at, stylesheet }: ServiceSample): SmokeTest[] {
  return [
    get('/', 'text/plain', [], 302),
    get('/healthz', JSON_TYPE, [generated_at]),
    get(OPENAPI_PATH, JSON_TYPE, ['openapi', 'listEvents']),
    get(withQuery(API_PATHS.listEvents, { date: 'nunca' }), JSON_TYPE, ['invalid_parameter'], 400),
    get(toApiPath('getEvent', 'no-hay-tal-evento'), JSON_TYPE, ['not_found'], 404),
    get(`${API_BASE}/no-hay-tal-ruta`, JSON_TYPE, ['not_found'], 404),
    callMcp('tools/list', {}, TOOL_NAMES),
    ...(stylesheet === null ? [] : [get(stylesheet, 'text/css')]),
  ];
}

/** The few that a running server makes of the next release before it switches to it. */
export const SWITCH_TESTS: readonly SmokeTest[] = [
  get(toPagePath('today', 'es'), HTML),
  get(toPagePath('today', 'en'), HTML),
  get(toMarkdownPath(toPagePath('today', 'es')), MARKDOWN),
  get(withQuery(API_PATHS.listEvents, { limit: '1' }), JSON_TYPE),
  get(OPENAPI_PATH, JSON_TYPE),
];

/** Most events of an amendment that are asked after. */
const AMENDED_ASKED = 20;

/** What an amended release must say of its events. */
export const listAmendedTests = (events: readonly AmendedSample[]): SmokeTest[] =>
  events
    .slice(0, AMENDED_ASKED)
    .map(({ event, status }) =>
      status === 'withdrawn'
        ? get(toApiPath('getEvent', event), JSON_TYPE, [], 410)
        : get(toApiPath('getEvent', event), JSON_TYPE, [`status ${status}`]),
    );
