// Ten releases and two rollbacks under load on pages, API, feed and MCP: no request fails, no
// answer is of two releases.
import { Agent, request } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCurrent, toLayout } from '../../src/releases/layout.ts';
import { type BuiltServer, runCommand, startServer, toToolCall } from '../fixtures/built-server.ts';
import { copyFixture } from '../fixtures/changing-content.ts';

const RELEASES = 10;
/**
 * Conversations at the same time; each asks again a little after it was answered, so that the
 * builds get some of the machine.
 */
const CLIENTS = 5;
const PAUSE_MS = 40;
const MINUTE_MS = 60_000;
const NOON_MS = Date.parse('2026-11-20T12:00:00-05:00');
const folder = mkdtempSync(join(tmpdir(), 'hoy-load-'));
const settings = { data_dir: join(folder, 'data'), content_dir: join(folder, 'content') };
const layout = toLayout(settings.data_dir);
const setEdition = copyFixture(settings.content_dir);
/** Edition 3 is of 12:03: what an answer says of its time must fit what it says of its events. */
const toTime = (edition: number): string => new Date(NOON_MS + edition * MINUTE_MS).toISOString();
let server: BuiltServer;
beforeAll(async () => {
  setEdition(0);
  server = await startServer({ ...settings, clock_start: toTime(0), env: { WORKERS: '2' } });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

interface RequestContext {
  readonly method?: 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the answer says when its release was made. */
  readonly says_when: boolean;
}

const call = (name: string, args: object): RequestContext => {
  const request = toToolCall(name, args);
  const headers = { ...request.headers, host: 'localhost' };
  return { ...request, headers, path: '/mcp', says_when: true };
};
const QUESTIONS: readonly RequestContext[] = [
  { path: '/hoy', says_when: false },
  { path: '/en/today', says_when: false },
  { path: '/hoy', headers: { accept: 'text/markdown' }, says_when: false },
  { path: '/semana.md', says_when: false },
  { path: '/fecha/2026-11-20', headers: { 'accept-encoding': 'identity' }, says_when: false },
  { path: '/eventos/exposicion-larga-es', says_when: false },
  { path: '/lugares/malecon-inventado', says_when: false },
  { path: '/fecha/2026-11-03', says_when: false },
  { path: '/api/v1/events?date=today', says_when: true },
  { path: '/api/v1/events?date=week&lang=en', says_when: true },
  { path: '/api/v1/events/feria-diaria-es', says_when: true },
  { path: '/api/v1/venues/malecon-inventado', says_when: true },
  { path: '/api/v1/events.ics?date=today', says_when: false },
  { path: '/api/v1/events.ics?lang=en', says_when: false },
  call('buscar_eventos', { date: 'today' }),
  call('eventos_hoy', { lang: 'en' }),
];

interface Reply {
  readonly status: number;
  readonly etag: string | undefined;
  readonly text: string;
}

function send(
  agent: Agent,
  { method = 'GET', path, headers, body }: Omit<RequestContext, 'method'> & { method?: string },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, host: '127.0.0.1', port: server.port, method, path, headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            etag: response.headers.etag,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** What a load found: how many answers, what was wrong with them, which editions they were of. */
interface Load {
  asked: number;
  readonly issues: string[];
  readonly editions: Set<number>;
  /** The edition of every tag: one tag, one body. */
  readonly tags: Map<string, number>;
}

function look(
  load: Load,
  { path, says_when }: RequestContext,
  { status, etag, text }: Reply,
): void {
  const unfolded = text.replace(/\r\n /g, '');
  const said = new Set(
    [
      ...unfolded.matchAll(
        /Edici(?:ó|&#xF3;|\\u00f3)n (\d+)|Edition (\d+)|edición (\d+)|edition (\d+)/g,
      ),
    ].map((found) => Number(found.slice(1).find((part) => part !== undefined))),
  );
  const [edition = -1] = said;
  if (status !== 200) load.issues.push(`${path}: ${status}`);
  else if (said.size !== 1)
    load.issues.push(`${path}: of editions ${[...said].join(' and ') || 'none'}`);
  const minute = /"generated_at":"2026-11-20T12:(\d\d):00-05:00"/.exec(text)?.[1];
  if (says_when && Number(minute) !== edition)
    load.issues.push(`${path}: of minute ${minute}, of edition ${edition}`);
  const tag = `${path} ${etag}`;
  if (etag !== undefined && load.tags.has(tag) && load.tags.get(tag) !== edition)
    load.issues.push(`${tag}: stands for editions ${load.tags.get(tag)} and ${edition}`);
  load.tags.set(tag, edition);
  load.editions.add(edition);
  load.asked++;
}

/** Asks until told to stop; gives what it found. */
function beginLoad(): () => Promise<Load> {
  const load: Load = { asked: 0, issues: [], editions: new Set(), tags: new Map() };
  let is_asking = true;
  const converse = async (start: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = start; is_asking; turn++) {
      const question = QUESTIONS[turn % QUESTIONS.length];
      if (!question) continue;
      try {
        look(load, question, await send(agent, question));
      } catch (thrown) {
        load.issues.push(`${question.path}: ${String(thrown)}`);
      }
      await new Promise((done) => {
        setTimeout(done, PAUSE_MS);
      });
    }
    agent.destroy();
  };
  const conversations = Array.from({ length: CLIENTS }, (_, client) => converse(client * 2));
  return async () => {
    is_asking = false;
    await Promise.all(conversations);
    return load;
  };
}

test(`${RELEASES} releases and two rollbacks`, { timeout: 400_000 }, async () => {
  const endLoad = beginLoad();
  for (let edition = 1; edition <= RELEASES; edition++) {
    setEdition(edition);
    const built = await runCommand('release', [], { ...settings, clock_start: toTime(edition) });
    expect(built, built.output).toMatchObject({ code: 0 });
    if (edition === 5 || edition === RELEASES) {
      const back = await runCommand('rollback', [], { ...settings, clock_start: toTime(edition) });
      expect(back, back.output).toMatchObject({ code: 0 });
    }
  }
  // Both processes have followed by then; the last words are of the ninth, for the tenth was taken
  // back.
  await new Promise((done) => {
    setTimeout(done, 2_000);
  });
  const load = await endLoad();
  expect(load.issues.slice(0, 20)).toEqual([]);
  expect([...load.editions].sort((a, b) => a - b)).toEqual(
    Array.from({ length: RELEASES + 1 }, (_, at) => at),
  );
  expect(load.asked).toBeGreaterThan(2_000);
  const last = await (await server.get('/api/v1/events/feria-diaria-es')).text();
  expect(last).toContain(`Edición ${RELEASES - 1} de`);
  expect(readCurrent(layout)).toContain('20261120T1709');
});
