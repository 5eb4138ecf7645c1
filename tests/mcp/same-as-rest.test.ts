// Each reading tool says what REST says to the same question: data, meta, cursor, and the same
// sentence to a wrong one.
import { afterAll, describe, expect, test } from 'vitest';
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
  const answer = handleApi(
    { method: 'GET', path, query, headers: {} },
    { snapshot, now_ms, site: SITE },
  );
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

async function compare(
  tool: string,
  args: Arguments,
  path: string,
  rest_args: Arguments,
  now_ms: number,
): Promise<number> {
  const rest = askRest(path, rest_args, now_ms);
  const result = await call(tool, args, contextOf(snapshot, { now_ms }));
  if (rest.status === 200) {
    expect(result.isError).toBeUndefined();
    const { data, meta, now, next_cursor } = result.structuredContent;
    expect(meta).toEqual(rest.body.meta);
    expectPartOf(rest.body.data, data);
    expect(now).toBe(formatTimestamp(floorToMinute(now_ms)));
    expect(result.content[0].text).toContain(toClockLine(now_ms, args.lang === 'en' ? 'en' : 'es'));
    expect(result._meta?.next_cursor ?? null).toBe(rest.cursor);
    expect(next_cursor ?? null).toBe(rest.cursor);
  } else {
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: rest.body.error.message }],
    });
    expect(result.structuredContent).toBeUndefined();
  }
  return rest.status;
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
  {},
  { free: true },
  { free: false },
  { near: '21.1266,-86.8', radius_km: 0.5 },
  { limit: 1 },
  { limit: 2.5 },
  { q: 'x'.repeat(101) },
  ...toArguments('category=markets category=Mercados,party category=nope zone=Tajamar zone=x,y'),
  ...toArguments('free=1 free=sí family=true near=21.1266,-86.8 near=91,0 near=aquí radius_km=51'),
  ...toArguments('q=feria q=MÚSICA+ninos limit=2 limit=0 limit=201 cursor=x category=&free='),
];
const MOMENTS = [FRIDAY_NOON_MS, at('2026-11-21T23:59:30'), at('2026-11-24T05:00:00')];

describe.each(['es', 'en', 'fr'])('in %s', (lang) => {
  test('buscar_eventos, over every day with every filter', async () => {
    const statuses = new Map<number, number>();
    for (const [i, day] of DAYS.entries()) {
      for (const [j, filter] of FILTERS.entries()) {
        const args = { ...day, ...filter, lang };
        const status = await compare(
          'buscar_eventos',
          args,
          '/api/v1/events',
          args,
          MOMENTS[(i + j) % MOMENTS.length] ?? FRIDAY_NOON_MS,
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
    expect([...statuses.keys()].sort()).toEqual(lang === 'fr' ? [400] : [200, 400]);
  });

  test.each([
    ['eventos_hoy', 'today'],
    ['eventos_fin_de_semana', 'weekend'],
  ])('%s is date=%s', async (tool, date) => {
    for (const filter of FILTERS)
      for (const now_ms of MOMENTS)
        await compare(
          tool,
          { ...filter, lang },
          '/api/v1/events',
          { ...filter, lang, date },
          now_ms,
        );
  });

  test('detalle_evento', async () => {
    for (const id of [
      'feria-diaria',
      'everyday-fair',
      'concierto-viejo',
      'obra-pospuesta',
      'taller-pasado',
      'exposicion-larga',
    ]) {
      await compare(
        'detalle_evento',
        { id, lang },
        `/api/v1/events/${id}`,
        { lang },
        FRIDAY_NOON_MS,
      );
    }
  });

  test('avisos_hoy', async () => {
    for (const args of [
      {},
      { date: 'today' },
      { date: 'tomorrow' },
      { date: '2026-11-22' },
      { date: 'weekend' },
      { date: '2026-13-01' },
      { date: '' },
    ]) {
      await compare(
        'avisos_hoy',
        { ...args, lang },
        '/api/v1/notices',
        { ...args, lang },
        FRIDAY_NOON_MS,
      );
    }
  });
});

test('pages of a list follow one another by the cursor', async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const result = await call(
      'buscar_eventos',
      { limit: 2, ...(cursor === undefined ? {} : { cursor }) },
      contextOf(snapshot),
    );
    seen.push(...result.structuredContent.data.map((event: { id: string }) => event.id));
    cursor = result._meta?.next_cursor;
    if (cursor !== undefined) expect(result.content[0].text).toContain(`cursor: "${cursor}"`);
  } while (cursor !== undefined);
  const all = await call('buscar_eventos', {}, contextOf(snapshot));
  expect(seen).toEqual(all.structuredContent.data.map((event: { id: string }) => event.id));
});
