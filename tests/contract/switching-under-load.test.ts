// Ten releases and two rollbacks under load on pages, API, calendars and MCP, one event called off among
// them: the short form of what `npm run attack` does thirty times.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { trySwitches } from '../attack/switches.ts';

const RELEASES = 10;
const folder = mkdtempSync(join(tmpdir(), 'hoy-load-'));
const settings = { data_dir: join(folder, 'data'), content_dir: join(folder, 'content') };
afterAll(() => rmSync(folder, { recursive: true }));

test(`${RELEASES} releases and two rollbacks`, { timeout: 400_000 }, async () => {
  const plan = { releases: RELEASES, rollbacks: 2 };
  const { load, last, figures, is_held } = await trySwitches(settings, plan, () => {});
  expect(load.issues.slice(0, 20)).toEqual([]);
  expect(is_held, figures).toBe(true);
  expect(load.asked).toBeGreaterThan(2_000);
  // The tenth was taken back.
  expect(last).toContain(`Edición ${RELEASES - 1} de`);
});
