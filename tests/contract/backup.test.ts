// A backup as its operator has it: made and proved by commands, with a release built from it alone.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readBackupRecord } from '../../src/backup/record.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { publish } from '../fixtures/approved.ts';
import { runCommand } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-drill-test-'));
const settings = { data_dir: join(folder, 'data'), content_dir: FIXTURE_DIR };
const BACKUPS = join(folder, 'backups');
afterAll(() => rmSync(folder, { recursive: true }));

test('the drill builds a release of content and inbox, leaves the service alone, and says where it cannot', async () => {
  const inbox = openInbox(join(settings.data_dir, 'inbox.db'));
  publish(inbox);
  inbox.close();
  const run = (...args: string[]) => runCommand('backup', args, settings);

  expect((await run('--to', BACKUPS)).output).toMatch(
    /is whole and checked, submissions: 1, published: 1/,
  );
  const { code, output } = await run('drill', '--to', BACKUPS);
  expect(output).toMatch(/Proved in .*: a release of 8 events and \d+ dates was built/);
  expect(code).toBe(0);
  expect(readBackupRecord(settings.data_dir).tried_ms).not.toBeNull();

  appendFileSync(join(BACKUPS, '20261120T170000Z', 'inbox.db'), 'x');
  const damaged = await run('drill', '--to', BACKUPS);
  expect(damaged.code).toBe(1);
  expect(damaged.output).toMatch(/is damaged[\s\S]*inbox\.db is not as it was written/);
});
