// Everybody who comes by during a soak: readers of pages kept and rendered, programs, calendars, models
// and senders, each request from an address of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, toToolCall } from '../fixtures/built-server.ts';
import { toFields, toToolFields } from '../flood/attack.ts';

/** Counts of what was asked, and everything that went wrong. */
export interface Visits {
  readonly counts: Map<string, number>;
  readonly faults: string[];
}

/** Visitors at once, and what each thinks between two requests. */
const HANDS = 8;
const PAUSE_MS = 25;
/** A request that takes longer hangs. */
const MOST_MS = 20_000;
const MAX_FAULTS = 50;
/** The form takes nothing sooner after it was shown. */
const PATIENCE_MS = 4_500;

type Headers = Readonly<Record<string, string>>;
interface Visit {
  readonly kind: string;
  readonly path: string;
  readonly init?: RequestInit;
  /** Besides 200. */
  readonly allows?: readonly number[];
}

const DAYS = ['2026-11-21', '2026-11-22', '2026-11-28', '2026-12-05', '2026-12-24', '2027-03-01'];
const pick = <T>(of: readonly [T, ...T[]] | readonly T[], at: number): T => {
  const one = of[at % of.length];
  if (one === undefined) throw new Error('there is nothing to pick from');
  return one;
};

const toPost = (fields: Readonly<Record<string, string>>, origin: string): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
  headers: { origin },
  redirect: 'manual',
});

/** What number `at` asks for; the kinds come in turn, what they ask for never quite repeats. */
function toVisit(at: number, origin: string, stamp: string): Visit {
  const day = pick(DAYS, at);
  const tool = (name: string, args: object): RequestInit => toToolCall(name, args);
  const title = `Función número ${at}`;
  const visits: readonly Visit[] = [
    { kind: 'page', path: '/hoy' },
    { kind: 'page', path: `/fecha/${day}` },
    { kind: 'page', path: `/en/date/${day}` },
    { kind: 'page', path: '/mapa' },
    { kind: 'page', path: '/llms-full.txt' },
    { kind: 'rendered page', path: `/semana?free=1&q=n${at % 500}` },
    { kind: 'rendered page', path: `/buscar?q=jazz+${at % 900}` },
    { kind: 'missing page', path: `/eventos/nada-${at}`, allows: [404] },
    { kind: 'API', path: '/api/v1/events?date=week' },
    { kind: 'API', path: `/api/v1/events?date=${day}&limit=${1 + (at % 50)}` },
    { kind: 'API', path: `/api/v1/changes?limit=${1 + (at % 20)}`, allows: [400] },
    { kind: 'calendar', path: '/api/v1/events.ics' },
    { kind: 'feed', path: '/feeds/cambios.atom' },
    { kind: 'MCP', path: '/mcp', init: tool('buscar_eventos', { date: day }) },
    { kind: 'form', path: '/publicar' },
    {
      kind: 'form preview',
      path: '/publicar',
      init: toPost({ ...toFields(title, '2026-11-28'), stamp, step: 'preview' }, origin),
    },
    { kind: 'status', path: '/statusz' },
  ];
  if (at % 60 === 7) {
    const fields = { ...toFields(title, '2026-11-28'), stamp, step: 'send' };
    return { kind: 'form sent', path: '/publicar', init: toPost(fields, origin), allows: [303] };
  }
  if (at % 60 === 37)
    return {
      kind: 'tool sent',
      path: '/mcp',
      init: tool('enviar_evento', toToolFields(title, '2026-11-29')),
    };
  return pick(visits, at);
}

async function ask({ origin }: BuiltServer, visit: Visit, at: number): Promise<string | null> {
  const { path, init = {}, allows = [] } = visit;
  const address = `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`;
  const headers: Headers = { 'x-forwarded-for': address, ...toHeaders(init) };
  try {
    const signal = AbortSignal.timeout(MOST_MS);
    const answer = await fetch(`${origin}${path}`, { ...init, headers, signal });
    const text = await answer.text();
    if (answer.status !== 200 && !allows.includes(answer.status))
      return `${visit.kind} ${path}: ${answer.status} ${toWords(text)}`;
    return null;
  } catch (thrown) {
    return `${visit.kind} ${path}: ${String(thrown)}`;
  }
}

/** What a page says in its middle, where an error stands. */
const toWords = (text: string): string =>
  text
    .replace(/^[\s\S]*<main[^>]*>/, '')
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 300);

const toHeaders = ({ headers }: RequestInit): Headers =>
  Object.fromEntries(new Headers(headers).entries());

const readStamp = async (server: BuiltServer): Promise<string> =>
  /name="stamp" value="([^"]*)"/.exec(await (await server.get('/publicar')).text())?.[1] ?? '';

/** Comes by until `isOver`; what they saw is in `visits` all along. */
export async function comeBy(
  server: BuiltServer,
  visits: Visits,
  isOver: () => boolean,
): Promise<void> {
  const stamp = await readStamp(server);
  await sleep(PATIENCE_MS);
  let next = 0;
  const come = async (): Promise<void> => {
    while (!isOver()) {
      const at = next++;
      const visit = toVisit(at, server.origin, stamp);
      const fault = await ask(server, visit, at);
      visits.counts.set(visit.kind, (visits.counts.get(visit.kind) ?? 0) + 1);
      if (fault !== null && visits.faults.length < MAX_FAULTS) visits.faults.push(fault);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: HANDS }, come));
}
