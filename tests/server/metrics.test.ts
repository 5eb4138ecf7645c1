// /metrics: every class of work is counted, nothing says who asked or for what, and every alert looks
// at a figure that there is.
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as v from 'valibot';
import { submit } from '../../src/desk/submit.ts';
import { writeSuccess } from '../../src/releases/last-build.ts';
import type { Figure } from '../../src/server/metrics/figure.ts';
import { createMetricsServer } from '../../src/server/metrics/metrics-server.ts';
import { createRunCounters, readPrimary } from '../../src/server/metrics/primary-figures.ts';
import { measureServing, type ServingMeasures } from '../../src/server/metrics/serving-figures.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { SUBMISSION } from '../fixtures/inbox.ts';
import { startFake } from './fake-release.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const LIMIT = 3;
let measures: ServingMeasures;
const counters = createRunCounters();
let fake: Awaited<ReturnType<typeof startFake>>;
let server: Server;
let origin = '';
let is_broken = false;
const failures: unknown[] = [];

beforeAll(async () => {
  fake = await startFake(
    { address: LIMIT, key: 1000 },
    { count: (...answered) => measures.meter.count(...answered) },
  );
  const { service, following, clock, layout } = fake;
  measures = measureServing(service, following.current, () => clock.now_ms);
  const read = async (): Promise<readonly Figure[]> => {
    if (is_broken) throw new Error('no figures today');
    return [...readPrimary(layout, counters, clock.now_ms), ...(await measures.readFigures(true))];
  };
  server = createMetricsServer(read, (thrown) => failures.push(thrown));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(async () => {
  server.close();
  await fake.stop();
});

const read = async (): Promise<string> => (await fetch(`${origin}/metrics`)).text();
/** The value of a line, by the start of it. */
const findValue = (text: string, start: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(start))
      ?.split(' ')
      .at(-1),
  );

test('each class of work has its latency, each answer its status, and no line says who asked for what', async () => {
  const secret = 'quien-pregunta';
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  for (const path of [
    '/hoy',
    '/fecha/2027-01-01',
    `/api/v1/events?q=${secret}`,
    '/events/cena.ics',
    `/publicar/estado/${secret}`,
    '/revision',
    '/healthz',
  ])
    await fake.ask(path, { 'x-forwarded-for': '203.0.113.77', 'user-agent': secret });
  await fake.ask('/mcp', post.headers, 'POST');
  for (let at = 0; at < LIMIT; at++) await fake.ask('/api/v1/notices');
  const text = await read();
  const count = (route: string): number =>
    findValue(text, `hoy_request_duration_seconds_count{process="primary",route="${route}"}`);
  expect(
    Object.fromEntries(
      ['page_file', 'page_rendered', 'api', 'ics', 'mcp', 'form', 'desk', 'other'].map((route) => [
        route,
        count(route),
      ]),
    ),
  ).toEqual({
    page_file: 1,
    page_rendered: 1,
    api: 1 + LIMIT,
    ics: 1,
    mcp: 1,
    form: 1,
    desk: 1,
    other: 1,
  });
  expect(
    findValue(text, 'hoy_responses_total{process="primary",route="api",status="429"}'),
  ).toBeGreaterThan(0);
  const inf = 'hoy_request_duration_seconds_bucket{process="primary",route="api",le="+Inf"}';
  expect(findValue(text, inf)).toBe(1 + LIMIT);
  expect(text).not.toMatch(/quien|203\.0\.113|127\.0\.0\.1|\/hoy/);
});

test('what the desk has to do, what came in, and what the last build cost', async () => {
  const { inbox } = fake.service;
  if (inbox === null) throw new Error('there is an inbox');
  const counted = await read();
  expect(findValue(counted, 'hoy_submissions_total{channel="form"}')).toBe(0);
  const sender = '203.0.113.9';
  submit(inbox, { submission: SUBMISSION, channel: 'form', sender, now_ms: FRIDAY_NOON_MS });
  fake.clock.now_ms += 3_600_000;
  const changes = { read: 7, new: 1, changed: 0, cancelled: 0, gone: 0, duration_s: 12 };
  const [release, generated_at] = ['20261120T170000Z-aaaaaa', '2026-11-20T12:00:00-05:00'];
  const known = { generated_ms: FRIDAY_NOON_MS, generated_at, release, summary: '' };
  const pages = { rendered: 3, as_before: 40 };
  writeSuccess(fake.layout, { ...known, changes: { ...changes, pages } });
  counters.releases.count(true);
  counters.releases.count(false);
  const fresh = measureServing(fake.service, fake.following.current, () => fake.clock.now_ms);
  const figures = new Map((await fresh.readFigures(true)).map((figure) => [figure.name, figure]));
  expect(figures.get('hoy_queue_items')?.values).toContainEqual({
    value: 1,
    labels: { group: 'waiting' },
  });
  expect(figures.get('hoy_queue_oldest_seconds')?.values).toContainEqual({
    value: 3600,
    labels: { group: 'waiting' },
  });
  const text = await read();
  expect(findValue(text, 'hoy_release_age_seconds')).toBe(3600);
  expect(findValue(text, 'hoy_release_build_seconds')).toBe(12);
  expect(findValue(text, 'hoy_release_pages{made="taken_over"}')).toBe(40);
  expect(findValue(text, 'hoy_release_runs_total{end="failed"}')).toBe(1);
  expect(findValue(text, 'hoy_disk_free_bytes')).toBeGreaterThan(0);
  expect(findValue(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds\{/m);
});

test('nothing else is answered there, and a failure is told to the log', async () => {
  expect((await fetch(`${origin}/`)).status).toBe(404);
  expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(405);
  is_broken = true;
  const answer = await fetch(`${origin}/metrics`);
  is_broken = false;
  expect([answer.status, failures.length]).toEqual([500, 1]);
});

const RulesSchema = v.object({
  groups: v.array(v.object({ rules: v.array(v.object({ alert: v.string(), expr: v.string() })) })),
});

test('every alert looks at figures that there are, and docs/operations.md says what to do', async () => {
  const text = `${await read()}\nhoy_workers{} 1\nup 1`;
  const manual = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
  const file = readFileSync(join(ROOT, 'docs', 'prometheus', 'alerts.yml'), 'utf8');
  const { groups } = v.parse(RulesSchema, parse(file));
  const rules = groups.flatMap(({ rules: some }) => some);
  expect(rules.length).toBeGreaterThan(10);
  const tried = readFileSync(join(ROOT, 'docs', 'prometheus', 'alerts-test.yml'), 'utf8');
  for (const { alert } of rules)
    expect(tried, alert).toMatch(new RegExp(`alertname: ${alert}\\n +exp_alerts:`));
  for (const { alert, expr } of rules) {
    const names = expr.match(/\b(hoy|process|nodejs)_\w+/g) ?? [];
    for (const name of names) expect(text, alert).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
    expect(manual).toContain(`\`${alert}\``);
  }
});
