// kill -9 at random moments of building, alone and with the whole service: what serves stays,
// nothing half is left, the next run is clean, and whatever was sent in is there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCurrent, toLayout } from '../../src/releases/layout.ts';
import { isLocked } from '../../src/releases/lock.ts';
import { requestRelease } from '../../src/releases/request-release.ts';
import { inspectRelease } from '../../src/releases/check-release.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { tryReleaseKills } from '../attack/release-kills.ts';
import { copyFixture } from '../fixtures/changing-content.ts';
import { findProcesses } from '../fixtures/left-processes.ts';

/** `npm run attack` kills 200. */
const KILLS = 12;
const SERVICES_KILLED = 3;
/** About what a build of it takes. */
const BUILD_MS = 4_000;
/** A start finds its release by then, with no build: generous, for the machine may be busy. */
const SERVES_WITHIN_MS = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'hoy-chaos-'));
const settings = {
  data_dir: join(folder, 'data'),
  content_dir: join(folder, 'content'),
  env: { TRUST_PROXY: '1' },
};
const layout = toLayout(settings.data_dir);
const setEdition = copyFixture(settings.content_dir);
const sleep = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms);
  });
let server: BuiltServer;
let edition = 1;

beforeAll(async () => {
  setEdition(edition);
  server = await startServer(settings);
});
afterAll(async () => {
  await server.kill();
  rmSync(folder, { recursive: true });
});

const HealthSchema = v.object({ release: v.string() });
const AnswerSchema = v.object({ data: v.object({ title: v.string() }) });

/** Which edition a surface says. */
async function readEdition(): Promise<string> {
  const answer = await server.get('/api/v1/events/exposicion-larga-es');
  expect(answer.status).toBe(200);
  return v.parse(AnswerSchema, await answer.json()).data.title;
}

/** What must hold after every kill. */
async function expectWhole(editions: readonly number[]): Promise<void> {
  await expect.poll(() => isLocked(layout.lock_file)).toBe(false);
  const current = readCurrent(layout) ?? '';
  expect((await inspectRelease(layout, current)).issue).toBeNull();
  await expect
    .poll(async () => v.parse(HealthSchema, await (await server.get('/healthz')).json()).release, {
      timeout: 20_000,
    })
    .toBe(current);
  expect(editions.map((number) => `Edición ${number} de exposicion-larga`)).toContain(
    await readEdition(),
  );
  expect((await server.get('/hoy')).status).toBe(200);
}

test(`${KILLS} releases and rollbacks killed at random moments`, { timeout: 400_000 }, async () => {
  const town = { settings, server, setEdition, edition };
  const { is_held, figures } = await tryReleaseKills(town, KILLS, () => {});
  ({ edition } = town);
  expect(is_held, figures).toBe(true);
});

const ReceiptSchema = v.object({
  result: v.object({ structuredContent: v.object({ data: v.object({ reference: v.string() }) }) }),
});
let senders = 0;

/** No day takes more than two hundred. */
const MOST_SENT = 50;

/**
 * Sends events in, each from another address, until nobody answers; gives the references that were
 * acknowledged.
 */
async function sendUntilKilled(): Promise<readonly string[]> {
  const references: string[] = [];
  while (references.length < MOST_SENT) {
    const number = ++senders;
    const args = {
      title: `Noche ${number} de caos`,
      description: 'Una noche que se anuncia mientras todo se cae.',
      category: 'live-music',
      start: '2026-12-05T20:00',
      venue_name: 'Patio',
      free: true,
    };
    try {
      const answer = await server.callTool('enviar_evento', args, {
        'x-forwarded-for': `192.0.2.${number}`,
      });
      references.push(
        v.parse(ReceiptSchema, await answer.json()).result.structuredContent.data.reference,
      );
    } catch (thrown) {
      if (thrown instanceof v.ValiError) throw thrown;
      return references;
    }
    await sleep(100);
  }
  return references;
}

test(`the whole service killed ${SERVICES_KILLED} times while it builds and takes events: it serves within seconds of a start, and has them`, {
  timeout: 200_000,
}, async () => {
  for (let kill = 1; kill <= SERVICES_KILLED; kill++) {
    setEdition(++edition);
    requestRelease(layout);
    const sending = sendUntilKilled();
    await sleep(2_500 + Math.random() * BUILD_MS);
    await server.kill();
    const acknowledged = await sending;
    await expect.poll(() => findProcesses(settings.data_dir)).toEqual([]);
    const begun_ms = performance.now();
    server = await startServer(settings);
    expect(performance.now() - begun_ms).toBeLessThan(SERVES_WITHIN_MS);
    await expectWhole(Array.from({ length: edition }, (_, at) => at + 1));
    expect(acknowledged.length).toBeGreaterThan(3);
    const inbox = openInbox(join(settings.data_dir, 'inbox.db'));
    expect(acknowledged.filter((reference) => getSubmission(inbox, reference) === null)).toEqual(
      [],
    );
    inbox.close();
  }
});
