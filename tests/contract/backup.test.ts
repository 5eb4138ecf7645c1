// A backup as its operator has it: made, put back in an empty place, and proved by a release of it alone.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openInbox } from '../../src/inbox/open.ts';
import { publish } from '../fixtures/approved.ts';
import { runCommand } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { useFolder } from '../fixtures/folder.ts';

const folder = useFolder();
const here = { data_dir: join(folder, 'data'), content_dir: FIXTURE_DIR };
const there = { data_dir: join(folder, 'proof'), content_dir: join(folder, 'proof', 'content') };
const BACKUPS = join(folder, 'backups');
const BACKUP = join(BACKUPS, '20261120T170000Z');

test('a backup, put back in an empty place, builds a release of content and inbox', async () => {
  const inbox = await openInbox(join(here.data_dir, 'inbox.db'));
  await publish(inbox);
  await inbox.close();
  const made = await runCommand('backup', ['--to', BACKUPS], here);
  expect(made.output).toContain(`${BACKUP} is complete and verified`);

  const restored = await runCommand('restore', [BACKUP], there);
  expect(restored.output).toContain(`to ${there.data_dir}`);
  const { code, output } = await runCommand('release', [], there);
  expect(output).toMatch(/\b8 events\b/);
  expect(code).toBe(0);
});
