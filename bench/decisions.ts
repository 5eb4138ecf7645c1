// Decision benchmark: measures the time from a click at the desk until every surface shows it, for approval, edit,
// cancelled date, withdrawal, cancellation and notice, in towns of three sizes, and the latency of requests meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import {
  type ServiceResponse,
  request,
  logIn,
  DAYS,
  type Event,
  listSurfaces,
  listShowsState,
  showsState,
  submitEvent,
  approvalForm,
  noticeForm,
  submittedEvent,
} from './desk.ts';
import {
  type Figure,
  addFigure,
  createFigure,
  computeMedian,
  formatRange,
  formatSeconds,
} from './report.ts';
import {
  createTown,
  runCommand,
  type LogLine,
  startService,
  type Town,
  waitFor,
} from './service.ts';

/** Generated events, some of them past or withdrawn, and the target for the median of a decision. */
const TOWNS = [
  { events: 'real', max_ms: 2_000 },
  { events: 2_070, max_ms: 4_000 },
  { events: 11_200, max_ms: 12_000 },
] as const;
const TIMES = 10;
/** Longer than the ten seconds for which decisions share a build, so that each is measured alone. */
const SEPARATION_MS = 11_000;
/** Target for requests while a release is built, at the 99th percentile. */
const MAX_READ_MS = 50;
const READ_PATH = '/api/v1/events';
const [POLL_MS, PAUSE_MS] = [100, 20];
const NOTICE_PATHS = ['/avisos', '/avisos.md', '/hoy', '/hoy.md', '/api/v1/notices'];
/** Target for server and build together, in the real town. */
const MAX_MEMORY_MB = 450;
const formatIn = (unit: string) => (number: number) => `${number.toFixed(0)} ${unit}`;
const formatReads = (all_ms: readonly number[]): string =>
  `${all_ms.length} requests, median ${formatIn('ms')(computeMedian(all_ms))}`;
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

const ListSchema = v.object({
  data: v.array(v.object({ url_es: v.string(), title: v.string(), status: v.string() })),
});

/** Lists published events of the town with plain titles, which a search can find. */
async function listEvents(port: number, count: number): Promise<readonly Event[]> {
  const { text } = await request(port, `${READ_PATH}?limit=200&from=${DAYS[0]}&to=2027-02-20`);
  const { data } = v.parse(ListSchema, JSON.parse(text));
  const events = data
    .filter(({ status, title }) => status === 'published' && /^[\p{L}\p{N} .,º]+$/u.test(title))
    .map(({ url_es, title }) => ({ title, slug: url_es.split('/').at(-1) ?? '' }));
  if (events.length < count) throw new Error(`Only ${events.length} of ${count} events found`);
  return events.slice(0, count);
}

/** Kinds of decisions: name in the report, and state of the event afterwards. */
const KINDS = {
  approve: ['approval', 'published'],
  save: ['edited title', 'published'],
  cancel_day: ['cancelled date', 'cancelled'],
  withdraw: ['withdrawal', 'withdrawn'],
  cancel: ['cancellation', 'cancelled'],
  notice: ['notice', 'published'],
} as const;
type Kind = keyof typeof KINDS;

/**
 * Waits until every surface shows a decision.
 * @param changes Path that lists the changes since the decision.
 * @throws Error with the path of a surface that does not show it.
 */
async function waitForSurfaces(port: number, kind: Kind, { slug, title }: Event, changes: string) {
  const [, state] = KINDS[kind];
  const wait = async (
    path: string,
    isUpdated: (response: ServiceResponse) => boolean,
    init?: RequestInit,
  ) => {
    const poll = async () => isUpdated(await request(port, path, init));
    if ((await waitFor(poll, POLL_MS)) === null)
      throw new Error(`${path} does not show '${title}' as ${state}`);
  };
  if (kind === 'notice') {
    for (const path of NOTICE_PATHS) await wait(path, ({ text }) => text.includes(title));
    return;
  }
  for (const [path, init] of listSurfaces(slug))
    await wait(path, (response) => showsState(state, response), init);
  const query = new URLSearchParams({ q: title, limit: '200' });
  // If one of two dates is cancelled, lists show the other.
  if (kind !== 'cancel_day')
    for (const path of ['/api/v1/events', '/buscar', '/api/v1/events.ics'])
      await wait(`${path}?${query}`, (response) => listShowsState(state, slug, response));
  const change_paths = [changes];
  if (kind === 'approve') change_paths.push('/feeds/novedades.atom', '/feeds/cambios.atom');
  for (const path of kind === 'withdraw' ? [] : change_paths)
    await wait(path, ({ text }) => text.includes(slug));
}

/** Returns the path that lists only changes after the current ones. */
async function findEndOfChanges(port: number, path: string): Promise<string> {
  const { text } = await request(port, path);
  const cursor = /"cursor":"([^"]+)"/.exec(text)?.[1] ?? '';
  const next = `/api/v1/changes?limit=100&cursor=${cursor}`;
  return text.includes('"has_more":true') ? findEndOfChanges(port, next) : next;
}

/** Makes all kinds of decisions in `times` rounds. @returns the duration of each in milliseconds. */
async function measureAllDecisions(
  town: Town,
  times: number,
): Promise<ReadonlyMap<Kind, number[]>> {
  const { port } = town;
  const took_ms = new Map<Kind, number[]>();
  const submitForm = await logIn(town);
  let changes = '/api/v1/changes?limit=100';
  const readId = async (slug: string): Promise<string> =>
    /"id":"(ev_\w+)"/.exec((await request(port, `${READ_PATH}/${slug}`)).text)?.[1] ?? '';
  const decide = async (kind: Kind, event: Event, path: string, fields: object = {}) => {
    changes = await findEndOfChanges(port, changes);
    const begun_ms = await submitForm(path, {
      ...{ does: kind === 'cancel_day' ? 'cancel' : kind, date: 'all', reason: 'Se midió.' },
      ...fields,
    });
    await waitForSurfaces(port, kind, event, changes);
    const all_ms = [...(took_ms.get(kind) ?? []), performance.now() - begun_ms];
    took_ms.set(kind, all_ms);
  };
  for (const [index, existing] of (await listEvents(port, times)).entries()) {
    await sleep(SEPARATION_MS);
    const submitted = submittedEvent(index);
    const { reference } = await submitEvent(port, index);
    await decide('approve', submitted, `/revision/envios/${reference}`, approvalForm(index));
    const path = `/revision/editar/${await readId(submitted.slug)}`;
    await decide('cancel_day', submitted, path, { date: DAYS[0] });
    await decide('withdraw', submitted, path);
    const notice = { title: noticeForm(index).title_es, slug: '' };
    await decide('notice', notice, '/revision/avisos', noticeForm(index));
    await sleep(SEPARATION_MS);
    const existing_path = `/revision/editar/${await readId(existing.slug)}`;
    const title = `Zarzuela${'abcdefghij'.charAt(index % 10).repeat(4)}`;
    const slug = town.name === 'the real town' ? title.toLowerCase() : existing.slug;
    await decide('save', { title, slug }, existing_path, { title });
    await decide('cancel', { title, slug }, existing_path);
  }
  return took_ms;
}

/** Runs `work` while a client sends requests. @returns its result, and the sorted durations of the requests. */
async function runWhileReading<T>(port: number, work: () => Promise<T>): Promise<[T, number[]]> {
  const read_ms: number[] = [];
  let is_over = false;
  const read = async (): Promise<void> => {
    while (!is_over) {
      const begun_ms = performance.now();
      await request(port, READ_PATH);
      read_ms.push(performance.now() - begun_ms);
      await sleep(PAUSE_MS);
    }
  };
  const working = work().finally(() => {
    is_over = true;
  });
  const [result] = await Promise.all([working, read()]);
  return [result, read_ms.sort((a, b) => a - b)];
}

async function measureTown(town: Town, max_ms: number, times: number) {
  const service = await startService(town);
  let peak_mb: readonly number[] = [];
  const timer = setInterval(() => {
    const memories_mb = service.memoriesMb();
    if (sum(memories_mb) > sum(peak_mb)) peak_mb = memories_mb;
  }, POLL_MS);
  try {
    const [took_ms, read_ms] = await runWhileReading(town.port, () =>
      measureAllDecisions(town, times),
    );
    const p99_ms = read_ms[Math.floor(read_ms.length * 0.99)] ?? Number.NaN;
    const decisions = [...took_ms].map(([kind, all_ms]) => {
      const label = [`${KINDS[kind][0]}, ${town.name}`, formatRange(all_ms)] as const;
      return createFigure(label, computeMedian(all_ms), ['≤', max_ms], formatSeconds);
    });
    const read_label = `a repeated request meanwhile, p99, ${town.name}`;
    const reads = createFigure(
      [read_label, formatReads(read_ms)],
      p99_ms,
      ['≤', MAX_READ_MS],
      formatIn('ms'),
    );
    const memory = createFigure(
      ['peak memory of server and build', peak_mb.map(Math.round).join(' + ')],
      sum(peak_mb),
      ['≤', MAX_MEMORY_MB],
      formatIn('MB'),
    );
    return [...decisions, reads, ...(town.name === 'the real town' ? [memory] : [])];
  } finally {
    clearInterval(timer);
    await service.stop();
  }
}

export async function measureDecisions(folder: string, log: LogLine, times: number = TIMES) {
  const figures: Figure[] = [];
  for (const { events, max_ms } of TOWNS) {
    const town = await createTown(folder, events);
    log(`Releasing ${town.name} and making each decision ${times} times`);
    await runCommand(town, 'release');
    for (const figure of await measureTown(town, max_ms, times)) addFigure(figures, log, figure);
  }
  return figures;
}
