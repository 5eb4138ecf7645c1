// From the click at the desk until every surface says it: approval, edit, one day called off, withdrawal,
// cancellation and notice, in towns of three sizes; and what readers wait for meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import {
  type Answer,
  ask,
  comeIn,
  DAYS,
  type Event,
  listSurfaces,
  lists,
  says,
  send,
  toApproval,
  toNotice,
  toSent,
} from './desk.ts';
import { type Figure, note, toFigure, toMedian, toRange, toSeconds } from './report.ts';
import { makeTown, run, type Say, startService, type Town, until } from './service.ts';

/** Events as they are made, of which some are past or withdrawn, and what a decision may take. */
const TOWNS = [
  { events: 'real', most_ms: 2_000 },
  { events: 2_070, most_ms: 4_000 },
  { events: 11_200, most_ms: 12_000 },
] as const;
const TIMES = 10;
/** Approvals that come within ten seconds are gathered: each is measured alone. */
const GATHERED_MS = 11_000;
/** Of repeated requests while a release is built, at p99. */
const MOST_READ_MS = 50;
const READ = '/api/v1/events';
const [LOOK_MS, PAUSE_MS] = [100, 20];
const NOTICE_PATHS = ['/avisos', '/avisos.md', '/hoy', '/hoy.md', '/api/v1/notices'];
/** Of server and build together, in the real town. */
const MOST_MB = 450;
const toUnit = (unit: string) => (number: number) => `${number.toFixed(0)} ${unit}`;
const toRead = (all_ms: readonly number[]): string =>
  `${all_ms.length} requests, the middle ${toUnit('ms')(toMedian(all_ms))}`;
const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);

const ListSchema = v.object({
  data: v.array(v.object({ url_es: v.string(), title: v.string(), status: v.string() })),
});

/** Events to call off, of the town's own: titles that a search finds alone. */
async function listEvents(port: number, count: number): Promise<readonly Event[]> {
  const { text } = await ask(port, `${READ}?limit=200&from=${DAYS[0]}&to=2027-02-20`);
  const { data } = v.parse(ListSchema, JSON.parse(text));
  const events = data
    .filter(({ status, title }) => status === 'published' && /^[\p{L}\p{N} .,º]+$/u.test(title))
    .map(({ url_es, title }) => ({ title, slug: url_es.split('/').at(-1) ?? '' }));
  if (events.length < count) throw new Error(`There are ${events.length} events, not ${count}`);
  return events.slice(0, count);
}

const KINDS = {
  approve: ['an approval', 'there'],
  save: ['an edited word', 'there'],
  cancel_day: ['one day called off', 'off'],
  withdraw: ['a withdrawal', 'gone'],
  cancel: ['a cancellation', 'off'],
  notice: ['a notice', 'there'],
} as const;
type Kind = keyof typeof KINDS;

/** Waits until every surface says what was decided. Throws with the one that never does. */
async function untilSaid(port: number, kind: Kind, { slug, title }: Event, changes: string) {
  const [, state] = KINDS[kind];
  const wait = async (path: string, isSo: (answer: Answer) => boolean, init?: RequestInit) => {
    if ((await until(async () => isSo(await ask(port, path, init)), LOOK_MS)) === null)
      throw new Error(`${path} never says that '${title}' is ${state}`);
  };
  if (kind === 'notice') {
    for (const path of NOTICE_PATHS) await wait(path, ({ text }) => text.includes(title));
    return;
  }
  for (const [path, init] of listSurfaces(slug))
    await wait(path, (answer) => says(state, answer), init);
  const query = new URLSearchParams({ q: title, limit: '200' });
  // Where one day of two is off, a list shows the other.
  if (kind !== 'cancel_day')
    for (const path of ['/api/v1/events', '/buscar', '/api/v1/events.ics'])
      await wait(`${path}?${query}`, (answer) => lists(state, slug, answer));
  const news = [changes];
  if (kind === 'approve') news.push('/feeds/novedades.atom', '/feeds/cambios.atom');
  for (const path of kind === 'withdraw' ? [] : news)
    await wait(path, ({ text }) => text.includes(slug));
}

async function findEnd(port: number, path: string): Promise<string> {
  const { text } = await ask(port, path);
  const cursor = /"cursor":"([^"]+)"/.exec(text)?.[1] ?? '';
  const next = `/api/v1/changes?limit=100&cursor=${cursor}`;
  return text.includes('"has_more":true') ? findEnd(port, next) : next;
}

/** How long each decision took, milliseconds, in `times` rounds. */
async function decideAll(town: Town, times: number): Promise<ReadonlyMap<Kind, number[]>> {
  const { port } = town;
  const took_ms = new Map<Kind, number[]>();
  const press = await comeIn(town);
  let changes = '/api/v1/changes?limit=100';
  const readId = async (slug: string): Promise<string> =>
    /"id":"(ev_\w+)"/.exec((await ask(port, `${READ}/${slug}`)).text)?.[1] ?? '';
  const decide = async (kind: Kind, event: Event, path: string, fields: object = {}) => {
    changes = await findEnd(port, changes);
    const begun_ms = await press(path, {
      ...{ does: kind === 'cancel_day' ? 'cancel' : kind, date: 'all', reason: 'Se midió.' },
      ...fields,
    });
    await untilSaid(port, kind, event, changes);
    const all_ms = [...(took_ms.get(kind) ?? []), performance.now() - begun_ms];
    took_ms.set(kind, all_ms);
  };
  for (const [at, own] of (await listEvents(port, times)).entries()) {
    await sleep(GATHERED_MS);
    const [sent, { reference }] = [toSent(at), await send(port, at)];
    await decide('approve', sent, `/revision/envios/${reference}`, toApproval(at));
    const id = await readId(sent.slug);
    const path = `/revision/editar/${id}`;
    await decide('cancel_day', sent, path, { date: DAYS[0] });
    await decide('withdraw', sent, path);
    const notice = { title: toNotice(at).title_es, slug: '' };
    await decide('notice', notice, '/revision/avisos', toNotice(at));
    await sleep(GATHERED_MS);
    const own_id = await readId(own.slug);
    const title = `Zarzuela${'abcdefghij'.charAt(at % 10).repeat(4)}`;
    const slug = town.name === 'the real town' ? title.toLowerCase() : own.slug;
    await decide('save', { title, slug }, `/revision/editar/${own_id}`, { title });
    await decide('cancel', { title, slug }, `/revision/editar/${own_id}`);
  }
  return took_ms;
}

/** Does `work` while somebody asks again and again; gives how long each answer took as well. */
async function whileReading<T>(port: number, work: () => Promise<T>): Promise<[T, number[]]> {
  const read_ms: number[] = [];
  let is_over = false;
  const read = async (): Promise<void> => {
    while (!is_over) {
      const begun_ms = performance.now();
      await ask(port, READ);
      read_ms.push(performance.now() - begun_ms);
      await sleep(PAUSE_MS);
    }
  };
  const working = work().finally(() => {
    is_over = true;
  });
  const [done] = await Promise.all([working, read()]);
  return [done, read_ms.sort((a, b) => a - b)];
}

async function measureTown(town: Town, most_ms: number, times: number) {
  const service = await startService(town);
  let most_mb: readonly number[] = [];
  const timer = setInterval(() => {
    const now_mb = service.memoriesMb();
    if (sum(now_mb) > sum(most_mb)) most_mb = now_mb;
  }, LOOK_MS);
  try {
    const [took_ms, read_ms] = await whileReading(town.port, () => decideAll(town, times));
    const p99_ms = read_ms[Math.floor(read_ms.length * 0.99)] ?? Number.NaN;
    const decided = [...took_ms].map(([kind, all_ms]) => {
      const what = [`${KINDS[kind][0]}, ${town.name}`, toRange(all_ms)] as const;
      return toFigure(what, toMedian(all_ms), ['≤', most_ms], toSeconds);
    });
    const read = [`a repeated request meanwhile, p99, ${town.name}`, toRead(read_ms)] as const;
    const most = ['server and build, the most', most_mb.map(Math.round).join(' + ')] as const;
    const memory = toFigure(most, sum(most_mb), ['≤', MOST_MB], toUnit('MB'));
    return [
      ...decided,
      toFigure(read, p99_ms, ['≤', MOST_READ_MS], toUnit('ms')),
      ...(town.name === 'the real town' ? [memory] : []),
    ];
  } finally {
    clearInterval(timer);
    await service.stop();
  }
}

export async function measureDecisions(folder: string, say: Say, times: number = TIMES) {
  const figures: Figure[] = [];
  for (const { events, most_ms } of TOWNS) {
    const town = await makeTown(folder, events);
    say(`Releasing ${town.name} and deciding ${times} times each`);
    await run(town, 'release');
    for (const figure of await measureTown(town, most_ms, times)) note(figures, say, figure);
  }
  return figures;
}
