// /metrics: counts each class of work, and contains no data about clients or the content of requests.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Config, loadConfig } from '../../src/config.ts';
import { submitEvent } from '../../src/desk/submissions.ts';
import { computeHealth } from '../../src/server/http/health-responses.ts';
import { type Metrics, startMetrics } from '../../src/server/metrics.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { SUBMISSION } from '../fixtures/inbox.ts';
import { findFreePort } from '../fixtures/built-server.ts';
import { serveFake } from './fake-release.ts';
import { useFolder } from '../fixtures/folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const LIMIT = 3;
const backups = useFolder();
let metrics: Metrics | null;
let config: Config;
const fake = await serveFake({ address: LIMIT, key: 1000 }, (...response) =>
  metrics?.recordResponse(...response),
);
/** Server index of the second of two processes. */
const INDEX = 1;

beforeAll(async () => {
  const { service, follower, clock, layout } = fake;
  const { inbox } = service;
  if (inbox === null) throw new Error('there is an inbox');
  const METRICS_PORT = String((await findFreePort()) - INDEX);
  const folders = { DATA_DIR: layout.data_dir, BACKUP_DIR: backups };
  config = loadConfig({ ...folders, METRICS_PORT, SERVER_INDEX: String(INDEX) });
  metrics = await startMetrics(config, {
    clock: () => clock.now_ms,
    inbox,
    snapshot: () => follower.getRelease().snapshot,
    health: () => computeHealth({ release: follower.getRelease(), now_ms: clock.now_ms, service }),
    onError: () => {},
  });
});
afterAll(() => metrics?.stop());

const read = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${(config.metrics?.port ?? 0) + INDEX}/metrics`)).text();

test('records latency by class of work and status, without data about clients or queries', async () => {
  const secret = 'quien-pregunta';
  for (const path of [
    '/fecha/2027-01-01',
    '/hoy',
    '/hoy',
    `/api/v1/events?q=${secret}`,
    '/events/cena.ics',
    `/publicar/estado/${secret}`,
    '/revision',
    '/healthz',
  ])
    await fake.ask(path, { 'x-forwarded-for': '203.0.113.77', 'user-agent': secret });
  await fake.ask('/mcp', { 'content-type': 'application/json' }, 'POST');
  for (let i = 0; i < LIMIT; i++) await fake.ask('/api/v1/notices');
  const text = await read();
  const count_pattern =
    /^hoy_request_duration_seconds_count\{route="(\w+)",status="(\w+)"\} (\d+)/gm;
  const counts = text.matchAll(count_pattern);
  expect(Array.from(counts, ([, ...count]) => count.join(' ')).sort()).toEqual([
    ...[`api 2xx ${LIMIT - 1}`, 'api 4xx 2', 'desk 2xx 1', 'form 2xx 1', 'ics 4xx 1'],
    ...['mcp 4xx 1', 'other 2xx 1', 'page_file 2xx 1', 'page_rendered 2xx 2'],
  ]);
  expect(text).not.toMatch(/quien|203\.0\.113|127\.0\.0\.1|\/hoy/);
});

test('reports the review queue, builds and backups', async () => {
  const { inbox } = fake.service;
  if (inbox === null || metrics === null) throw new Error('there is an inbox, and a port');
  const sender = '203.0.113.9';
  await submitEvent(inbox, {
    submission: SUBMISSION,
    channel: 'form',
    sender,
    now_ms: FRIDAY_NOON_MS,
  });
  expect(await read()).toContain('\nhoy_backup_age_seconds +Inf\n');
  mkdirSync(join(backups, '20261120T160000Z'));
  fake.clock.now_ms += 3_600_000;
  metrics.countBuild(true);
  metrics.countBuild(false);
  metrics.countRejection('too_many');
  const text = await read();
  for (const line of [
    'hoy_queue_items{group="waiting"} 1',
    'hoy_queue_oldest_seconds{group="waiting"} 3600',
    'hoy_release_age_seconds 3600',
    'hoy_release_failing 0',
    'hoy_release_runs_total{end="failed"} 1',
    'hoy_refused_total{kind="too_many"} 1',
    'hoy_backup_age_seconds 7200',
  ])
    expect(text).toContain(`\n${line}\n`);
});

const RulesSchema = v.object({
  groups: v.array(v.object({ rules: v.array(v.object({ alert: v.string(), expr: v.string() })) })),
});

test('every alert uses existing metrics and is explained in docs/operations.md', async () => {
  const readDoc = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');
  const { groups } = v.parse(RulesSchema, parse(readDoc('prometheus/alerts.yml')));
  const rules = groups.flatMap(({ rules: group_rules }) => group_rules);
  expect(rules.length).toBeGreaterThan(10);
  const [text, manual] = [await read(), readDoc('operations.md')];
  for (const { alert, expr } of rules) {
    for (const name of expr.match(/\b(hoy|process|nodejs)_\w+/g) ?? [])
      expect(text, alert).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
    expect(manual).toContain(`\`${alert}\``);
  }
});
