// Each reading tool says what REST says to the same question: data, meta, cursor, and the same sentence to a wrong one.
import { afterAll, expect, test } from 'vitest';
import { handleApi } from '../../src/api/handle-api.ts';
import { floorToMinute, formatTimestamp } from '../../src/domain/cancun-time.ts';
import { toClockLine } from '../../src/i18n/dates.ts';
import { at, FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { bodyOf, call, contextOf, SITE } from './ask.ts';

const { snapshot, close } = openFixture();
afterAll(close);

type Arguments = Readonly<Record<string, string | number | boolean>>;

function askRest(path: string, args: Arguments, now_ms: number) {
  const query = new URLSearchParams(
    Object.entries(args).map(([name, value]) => [name, String(value)]),
  ).toString();
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
const toRestFields = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !ADDED.includes(name)));

/** A tool leaves out what holds nothing; each value that it gives is REST's. */
function expectPartOf(rest: Thing | readonly Thing[], told: Thing | readonly Thing[]): void {
  if ('id' in rest && 'id' in told) {
    const { occurrences: all = [], ...event } = rest;
    const { occurrences: some = [], ...fields } = told;
    expect(event).toMatchObject(toRestFields(fields));
    const shown = all.filter(({ id }) => some.some((each) => each.id === id));
    expect(shown).toMatchObject(some);
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
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: rest.body.error.message }],
    });
    expect(result.structuredContent).toBeUndefined();
    return rest.status;
  }
  expect(result.isError).toBeUndefined();
  const { data, meta, now, next_cursor } = result.structuredContent;
  expect(meta).toEqual(rest.body.meta);
  expectPartOf(rest.body.data, data);
  expect(now).toBe(formatTimestamp(floorToMinute(now_ms)));
  expect(result.content[0].text).toContain(toClockLine(now_ms, args.lang === 'en' ? 'en' : 'es'));
  expect(result._meta?.next_cursor ?? null).toBe(rest.cursor);
  expect(next_cursor ?? null).toBe(rest.cursor);
  return 200;
}

const toArguments = (queries: string): readonly Arguments[] =>
  queries.split(/\s+/).map((query) => Object.fromEntries(new URLSearchParams(query)));
const DAYS: readonly Arguments[] = [
  {},
  ...toArguments('date=today date=tomorrow date=weekend date=week date=now date=tonight date=ayer'),
  ...toArguments('date=tonight&to=2026-11-21 date=2026-11-28 date=2026-02-30 from=2026-11-21'),
  ...toArguments('to=2026-11-25 from=2026-11-01&to=2027-01-31 from=2026-11-01&to=2027-02-01'),
  ...toArguments('from=2026-12-02&to=2026-12-01 date=today&from=2026-11-21 to=2026-11-19'),
];
const FILTERS: readonly Arguments[] = [
  ...[{}, { free: true }, { free: false }, { near: '21.1266,-86.8', radius_km: 0.5 }],
  ...[{ limit: 1 }, { limit: 2.5 }, { q: 'x'.repeat(101) }],
  ...toArguments('category=markets category=Mercados,party category=nope zone=Tajamar zone=x,y'),
  ...toArguments('free=1 free=sí family=true near=21.1266,-86.8 near=91,0 near=aquí radius_km=51'),
  ...toArguments('q=feria q=MÚSICA+ninos limit=2 limit=0 limit=201 cursor=x category=&free='),
];
const MOMENTS = [FRIDAY_NOON_MS, at('2026-11-21T23:59:30'), at('2026-11-24T05:00:00')] as const;
const toLang = (n: number) => ({ lang: n % 2 === 0 ? 'es' : 'en' });

test('buscar_eventos, over every day and with every filter', async () => {
  const questions = [
    ...DAYS,
    ...DAYS.map((day, n) => ({ ...day, ...FILTERS[n % 4], limit: 2 })),
    ...FILTERS.map((filter) => ({ ...filter, date: 'week' })),
    { lang: 'fr', zone: 'x' },
  ];
  const statuses = new Set<number>();
  for (const [n, question] of questions.entries())
    for (const now_ms of MOMENTS) {
      const args = { ...toLang(n), ...question };
      statuses.add(await compare('buscar_eventos', args, '/api/v1/events', args, now_ms));
    }
  expect(statuses).toEqual(new Set([200, 400]));
});

test.each([
  ['eventos_hoy', 'today'],
  ['eventos_fin_de_semana', 'weekend'],
])('%s is date=%s', async (tool, date) => {
  for (const [n, filter] of FILTERS.entries())
    for (const now_ms of MOMENTS) {
      const args = { ...toLang(n), ...filter };
      await compare(tool, args, '/api/v1/events', { ...args, date }, now_ms);
    }
});

test('detalle_evento and avisos_hoy', async () => {
  const names = ['feria-diaria', 'everyday-fair', 'concierto-viejo', 'obra-pospuesta'];
  const dates = ['today', 'tomorrow', '2026-11-22', 'weekend', '2026-13-01', ''];
  for (const n of [0, 1]) {
    for (const id of [...names, 'taller-pasado', 'exposicion-larga'])
      await compare('detalle_evento', { id, ...toLang(n) }, `/api/v1/events/${id}`, toLang(n));
    for (const date of dates)
      await compare('avisos_hoy', { date, ...toLang(n) }, '/api/v1/notices');
  }
});
