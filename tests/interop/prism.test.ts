// Every operation with its examples through Prism's proxy, which refuses a request or an answer that
// is not as the description says: it finds nothing; and a description that promises more than there is
// it does refuse.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPrism } from '../fixtures/programs.ts';
import { findFreePort } from '../fixtures/built-server.ts';
import { startFake } from '../server/fake-release.ts';
import { listQuestions, readDescription } from './questions.ts';

/** Fetching it, the first time. */
const FETCH_MS = 300_000;
const START_MS = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'hoy-prism-'));

let fake: Awaited<ReturnType<typeof startFake>>;
let text: string;
let program: string;
beforeAll(async () => {
  [fake, program] = await Promise.all([
    startFake({ address: 1_000_000, key: 1_000_000 }),
    findPrism(),
  ]);
  text = (await fake.ask('/api/openapi.json')).text;
}, FETCH_MS);
afterAll(async () => {
  await fake.stop();
  rmSync(folder, { recursive: true });
});

/** A proxy before the service that goes by a description; `stop` ends it. */
async function startProxy(name: string, description: string) {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, description);
  const port = await findFreePort();
  const child = spawn(
    process.execPath,
    [program, 'proxy', '--errors', '-p', `${port}`, file, `http://127.0.0.1:${fake.port}`],
    { env: { PATH: '', NO_COLOR: '1' } },
  );
  let said = '';
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  await new Promise<void>((ready, fail) => {
    const giveUp = setTimeout(() => fail(new Error(`Prism did not start:\n${said}`)), START_MS);
    const listen = (chunk: Buffer): void => {
      said += chunk.toString();
      if (!said.includes('Prism is listening')) return;
      clearTimeout(giveUp);
      ready();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    void ended.then(() => fail(new Error(`Prism ended:\n${said}`)));
  });
  return {
    /** What it says of an address: status and body. */
    ask: async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      return { status: answer.status, text: await answer.text() };
    },
    stop: () => {
      child.kill();
      return ended;
    },
  };
}

/** What a correct question may still be refused with, by status. */
const FAULTS = [
  [400, '/api/v1/events?from=2026-11-21&to=2027-11-21', {}],
  [400, '/api/v1/events.ics?zone=atlantis', {}],
  [400, '/api/v1/changes?cursor=nada', {}],
  [401, '/api/v1/events', { 'x-api-key': 'nobody' }],
  [404, '/api/v1/events/nada', {}],
  [404, '/api/v1/venues/nada', {}],
  [404, '/api/v1/organizers/nada', {}],
  [404, '/venues/nada.ics', {}],
  [404, '/events/nada.ics', {}],
  [410, '/api/v1/events/evento-retirado', {}],
] as const;

test('Prism finds nothing in any answer, to questions that are right and to those that are not', async () => {
  const proxy = await startProxy('served', text);
  try {
    const description = readDescription(text);
    let asked = 0;
    for (const [path, { get }] of Object.entries(description.paths))
      for (const question of listQuestions(path, get, description)) {
        const { status, text: body } = await proxy.ask(question);
        expect(status, `${question}: ${body.slice(0, 1000)}`).toBe(200);
        asked += 1;
      }
    expect(asked).toBeGreaterThan(70);
    for (const [status, path, headers] of FAULTS) {
      const answer = await proxy.ask(path, headers);
      expect(answer.status, `${path}: ${answer.text.slice(0, 1000)}`).toBe(status);
      expect(Object.keys(JSON.parse(answer.text))).toEqual(['error']);
    }
  } finally {
    await proxy.stop();
  }
});

test('and it does look: a field that is promised and never there is found', async () => {
  const proxy = await startProxy(
    'promised',
    text.replaceAll('"required":["data","meta"]', '"required":["data","meta","more"]'),
  );
  try {
    const { status, text: body } = await proxy.ask('/api/v1/zones');
    expect([status, body]).toEqual([500, expect.stringContaining("required property 'more'")]);
  } finally {
    await proxy.stop();
  }
});
