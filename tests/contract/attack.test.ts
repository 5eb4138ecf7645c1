// The attack of `npm run attack` in its short form: what it tries is held, each line of it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAttack } from '../attack/run-attack.ts';
import type { ServerSettings } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-attack-'));
const settings: ServerSettings = {
  data_dir: join(folder, 'data'),
  content_dir: FIXTURE_DIR,
  env: { SITE_URL: 'http://127.0.0.1:4399' },
};
/** Enough to meet each limit once. */
const PLAN = { requests: 400, connections: 300, pages: 120, logins: 24, kills: 2 } as const;

beforeAll(() => copySharedRelease(settings), 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('nothing that an attacker or a bad day does goes through', { timeout: 180_000 }, async () => {
  const lines: string[] = [];
  const findings = await runAttack(settings, PLAN, (line) => lines.push(line));
  const missed = findings.filter(({ is_held }) => !is_held);
  expect(missed, lines.join('\n')).toEqual([]);
  expect(findings.length).toBeGreaterThanOrEqual(13);
});
