// MCP and REST: tests that each read-only tool returns the same data, meta, cursor and error messages as REST.
import { expect, test } from 'vitest';
import { handleApi } from '../../src/api/handle-api.ts';
import { floorToMinute, formatTimestamp } from '../../src/domain/local-time.ts';
import { formatCurrentTimeLine } from '../../src/i18n/format-dates.ts';
import { localMs, FRIDAY_NOON_MS, useFixture } from '../fixtures/fixture.ts';
import { bodyOf, call, contextOf, SITE } from './ask.ts';

const { snapshot } = useFixture();

type Arguments = Readonly<Record<string, string | number | boolean>>;

function askRest(path: string, args: Arguments, now_ms: number) {
  const pairs = Object.entries(args).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(pairs).toString();
  const request = { method: 'GET', path, query, headers: {} };
  const answer = handleApi(request, { snapshot, now_ms, site: SITE });
  const cursor = /[?&]cursor=([^&>]+)/.exec(answer.headers.link ?? '')?.[1] ?? null;
  return { status: answer.status, body: bodyOf(answer), cursor };
}

interface Item {
  readonly id: string;
  readonly occurrences?: readonly Item[];
}
/** Fields of a single event that only the tool has. */
const TOOL_FIELDS = ['calendar_url', 'dates_url', 'directions_url'];
/** Removes `last_date`, which only the tool has. */
const withoutLastDate = <T>(answer: T): T =>
  JSON.parse(JSON.stringify(answer, (name, value) => (name === 'last_date' ? undefined : value)));

/** Expects that each value of a tool is in REST: a tool omits empty fields. */
function expectPartOf(rest: Item | readonly Item[], tool: Item | readonly Item[]): void {
  if ('id' in rest && 'id' in tool) {
    const { occurrences: rest_dates = [], ...event } = rest;
    const { occurrences: tool_dates = [], ...fields } = tool;
    const shared = Object.entries(fields).filter(([name]) => !TOOL_FIELDS.includes(name));
    expect(event).toMatchObject(Object.fromEntries(shared));
    const same_dates = rest_dates.filter(({ id }) => tool_dates.some((date) => date.id === id));
    expect(same_dates).toMatchObject(tool_dates);
  } else if (Array.isArray(rest) && Array.isArray(tool)) {
    const byId = (a: Item, b: Item) => (a.id < b.id ? -1 : 1);
    expect([...rest].sort(byId)).toMatchObject([...tool].sort(byId));
  } else throw new Error('cannot compare an item with a list');
}

/** Sends the same query to both, expects equal answers, and returns the status of REST. */
async function compare(
  tool: string,
  args: Arguments,
  path: string,
  rest_args: Arguments = args,
  now_ms = FRIDAY_NOON_MS,
): Promise<number> {
  const rest = askRest(path, rest_args, now_ms);
  const result = await call(tool, args, contextOf(snapshot, { now_ms }));
  if (rest.status !== 200) {
    const content = [{ type: 'text', text: rest.body.error.message }];
    expect(result).toMatchObject({ isError: true, content });
    expect(result.structuredContent).toBeUndefined();
    return rest.status;
  }
  expect(result.isError).toBeUndefined();
  const { data, meta, now, next_cursor } = result.structuredContent;
  // The tools have `next_cursor` instead of the address of the next page.
  const { next: _next, ...rest_meta } = rest.body.meta;
  expect(meta).toEqual(rest_meta);
  expectPartOf(rest.body.data, withoutLastDate(data));
  expect(now).toBe(formatTimestamp(floorToMinute(now_ms)));
  expect(result.content[0].text).toContain(
    formatCurrentTimeLine(now_ms, args.lang === 'en' ? 'en' : 'es'),
  );
  expect(result._meta?.next_cursor ?? null).toBe(rest.cursor);
  expect(next_cursor ?? null).toBe(rest.cursor);
  return 200;
}

const toArguments = (queries: string): readonly Arguments[] =>
  queries.split(/\s+/).map((query) => Object.fromEntries(new URLSearchParams(query)));
const DAYS: readonly Arguments[] = [
  ...toArguments('date=today date=weekend date=week date=now date=tonight date=ayer'),
  ...toArguments('date=tonight&to=2026-11-21 date=2026-02-30 from=2026-11-21 to=2026-11-25'),
  ...toArguments('from=2026-11-01&to=2027-02-01 from=2026-12-02&to=2026-12-01 to=2026-11-19'),
];
const FILTERS: readonly Arguments[] = [
  ...[{}, { free: true }, { free: false }, { near: '21.1266,-86.8', radius_km: 0.5 }],
  ...[{ limit: 1 }, { limit: 2.5 }, { q: 'x'.repeat(101) }],
  ...toArguments('category=Mercados,party category=nope zone=Tajamar zone=x,y free=1 free=sí'),
  ...toArguments('family=true near=91,0 near=aquí radius_km=51 q=feria q=MÚSICA+ninos limit=2'),
  ...toArguments('limit=0 limit=201 cursor=x category=&free='),
];
const MOMENTS = [FRIDAY_NOON_MS, localMs('2026-11-21T23:59:30')] as const;
const toLang = (n: number) => ({ lang: n % 2 === 0 ? 'es' : 'en' });

test.each([
  ['buscar_eventos', {}],
  ['eventos_hoy', { date: 'today' }],
  ['eventos_fin_de_semana', { date: 'weekend' }],
])('%s answers like REST for all dates and filters', async (tool, day) => {
  const filtered = DAYS.map((days, n) => ({ ...days, ...FILTERS[n % 4], limit: 2 }));
  const questions = [...FILTERS, ...('date' in day ? [] : [...DAYS, ...filtered])];
  const statuses = new Set<number>();
  for (const [n, question] of questions.entries())
    for (const now_ms of MOMENTS) {
      const args = { ...toLang(n), ...question };
      statuses.add(await compare(tool, args, '/api/v1/events', { ...args, ...day }, now_ms));
    }
  expect(statuses).toEqual(new Set([200, 400]));
});

test.each(['es', 'en'])('detalle_evento and avisos_hoy answer like REST in %s', async (lang) => {
  const names = ['feria-diaria', 'everyday-fair', 'concierto-viejo', 'obra-pospuesta'];
  for (const id of [...names, 'taller-pasado', 'exposicion-larga'])
    await compare('detalle_evento', { id, lang }, `/api/v1/events/${id}`, { lang });
  for (const date of ['tomorrow', '2026-11-22', 'weekend', '2026-13-01', ''])
    await compare('avisos_hoy', { date, lang }, '/api/v1/notices');
});
