// Each reading tool says what REST says to the same question: data, meta, cursor, and the same sentence to a wrong one.
import { expect, test } from 'vitest';
import { handleApi } from '../../src/api/handle-api.ts';
import { floorToMinute, formatTimestamp } from '../../src/domain/local-time.ts';
import { formatCurrentTimeLine } from '../../src/i18n/format-dates.ts';
import { at, FRIDAY_NOON_MS, useFixture } from '../fixtures/fixture.ts';
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

interface Thing {
  readonly id: string;
  readonly occurrences?: readonly Thing[];
}
/** What a tool adds to an event by itself; the rest of what it says is REST's. */
const ADDED = ['calendar_url', 'dates_url', 'directions_url'];
/** And to a date. */
const withoutLastDate = <T>(told: T): T =>
  JSON.parse(JSON.stringify(told, (name, value) => (name === 'last_date' ? undefined : value)));

/** A tool leaves out what holds nothing; each value that it gives is REST's. */
function expectPartOf(rest: Thing | readonly Thing[], told: Thing | readonly Thing[]): void {
  if ('id' in rest && 'id' in told) {
    const { occurrences: all = [], ...event } = rest;
    const { occurrences: some = [], ...fields } = told;
    const others = Object.entries(fields).filter(([name]) => !ADDED.includes(name));
    expect(event).toMatchObject(Object.fromEntries(others));
    expect(all.filter(({ id }) => some.some((each) => each.id === id))).toMatchObject(some);
  } else if (Array.isArray(rest) && Array.isArray(told)) {
    const byId = (a: Thing, b: Thing) => (a.id < b.id ? -1 : 1);
    expect([...rest].sort(byId)).toMatchObject([...told].sort(byId));
  } else throw new Error('one thing and a list cannot be the same');
}

/** Asks both, expects the same; gives the status of REST. */
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
  expect(meta).toEqual(rest.body.meta);
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
const MOMENTS = [FRIDAY_NOON_MS, at('2026-11-21T23:59:30')] as const;
const toLang = (n: number) => ({ lang: n % 2 === 0 ? 'es' : 'en' });

test.each([
  ['buscar_eventos', {}],
  ['eventos_hoy', { date: 'today' }],
  ['eventos_fin_de_semana', { date: 'weekend' }],
])('%s, over every day that it takes and with every filter', async (tool, day) => {
  const filtered = DAYS.map((each, n) => ({ ...each, ...FILTERS[n % 4], limit: 2 }));
  const questions = [...FILTERS, ...('date' in day ? [] : [...DAYS, ...filtered])];
  const statuses = new Set<number>();
  for (const [n, question] of questions.entries())
    for (const now_ms of MOMENTS) {
      const args = { ...toLang(n), ...question };
      statuses.add(await compare(tool, args, '/api/v1/events', { ...args, ...day }, now_ms));
    }
  expect(statuses).toEqual(new Set([200, 400]));
});

test.each(['es', 'en'])('detalle_evento and avisos_hoy in %s', async (lang) => {
  const names = ['feria-diaria', 'everyday-fair', 'concierto-viejo', 'obra-pospuesta'];
  for (const id of [...names, 'taller-pasado', 'exposicion-larga'])
    await compare('detalle_evento', { id, lang }, `/api/v1/events/${id}`, { lang });
  for (const date of ['tomorrow', '2026-11-22', 'weekend', '2026-13-01', ''])
    await compare('avisos_hoy', { date, lang }, '/api/v1/notices');
});
