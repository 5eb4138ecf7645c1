// Midnight in Cancún: /hoy turns over by itself, with no rebuild and no wrong answer in between.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltServer, runCommand, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';

const MIDNIGHT_MS = Date.parse('2026-11-21T00:00:00-05:00');
/** Long enough for a slow machine to start and to be asked before the turn. */
const LEAD_MS = 15_000;
let server: BuiltServer;
let started_ms = 0;
const data_dir = mkdtempSync(join(tmpdir(), 'hoy-midnight-'));
const settings = { data_dir, content_dir: FIXTURE_DIR };

beforeAll(async () => {
  await runCommand('release', [], { ...settings, clock_start: '2026-11-20T18:00:00-05:00' });
  started_ms = performance.now();
  server = await startServer({
    ...settings,
    clock_start: new Date(MIDNIGHT_MS - LEAD_MS).toISOString(),
    env: { SERVERS: '2' },
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(data_dir, { recursive: true });
});

const RangeSchema = v.object({ meta: v.object({ range: v.object({ from: v.string() }) }) });
const HealthSchema = v.looseObject({ release: v.string() });

/** The day that each surface takes for today. */
const SURFACES: Readonly<Record<string, (body: string) => string | undefined>> = {
  '/hoy': (body) =>
    /<title>[^<]*viernes 20 de noviembre/.test(body)
      ? '2026-11-20'
      : /<title>[^<]*sábado 21 de noviembre/.test(body)
        ? '2026-11-21'
        : undefined,
  '/en/today.md': (body) =>
    body.includes('# Today in Cancún, Friday, November 20')
      ? '2026-11-20'
      : body.includes('# Today in Cancún, Saturday, November 21')
        ? '2026-11-21'
        : undefined,
  '/api/v1/events?date=today': (body) => v.parse(RangeSchema, JSON.parse(body)).meta.range.from,
  '/api/v1/events?date=weekend': (body) => v.parse(RangeSchema, JSON.parse(body)).meta.range.from,
};

test('every surface is Friday’s until midnight and Saturday’s from then on, in one release', {
  timeout: 60_000,
}, async () => {
  const release = v.parse(HealthSchema, await (await server.get('/healthz')).json()).release;
  const seen = new Map<string, Set<string>>();
  // The server's clock began between these two instants of ours, so the turn is known to within the
  // time it took to start.
  while (performance.now() - started_ms < LEAD_MS + 12_000) {
    for (const [path, readDay] of Object.entries(SURFACES)) {
      const answer = await server.get(path);
      const day = readDay(await answer.text());
      expect(answer.status, path).toBe(200);
      expect(['2026-11-20', '2026-11-21'], path).toContain(day);
      const days = seen.get(path) ?? new Set();
      if (day === '2026-11-20')
        expect(days.has('2026-11-21'), `${path} went back to Friday`).toBe(false);
      seen.set(path, days.add(day ?? ''));
    }
    await new Promise((done) => {
      setTimeout(done, 40);
    });
    if ([...seen.values()].every((days) => days.has('2026-11-21'))) break;
  }
  for (const [path, days] of seen)
    expect([path, [...days]]).toEqual([path, ['2026-11-20', '2026-11-21']]);
  expect(v.parse(HealthSchema, await (await server.get('/healthz')).json()).release).toBe(release);
});

test('no copy of a day may be kept past the midnight that ends it', async () => {
  const late = await startServer({ ...settings, clock_start: '2026-11-20T23:58:00-05:00' });
  const kept = /max-age=(\d+)/.exec(
    (await late.get('/hoy')).headers.get('cache-control') ?? '',
  )?.[1];
  expect(Number(kept)).toBeLessThanOrEqual(120);
  await late.stop();
});
