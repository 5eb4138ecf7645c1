// Backup commands: create a backup, restore it into an empty folder and build a release from it alone.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openInbox } from '../../src/inbox/open.ts';
import { publish } from '../fixtures/approved.ts';
import { runCommand } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { useFolder } from '../fixtures/folder.ts';

const folder = useFolder();
const source_settings = { data_dir: join(folder, 'data'), content_dir: FIXTURE_DIR };
const restored_settings = {
  data_dir: join(folder, 'proof'),
  content_dir: join(folder, 'proof', 'content'),
};
const BACKUPS = join(folder, 'backups');
const BACKUP = join(BACKUPS, '20261120T170000Z');

test('a backup restored into an empty folder builds a release of content and inbox', async () => {
  const inbox = await openInbox(join(source_settings.data_dir, 'inbox.db'));
  await publish(inbox);
  await inbox.close();
  const backup = await runCommand('backup', ['--to', BACKUPS], source_settings);
  expect(backup.output).toContain(`${BACKUP} is complete and verified`);

  const restored = await runCommand('restore', [BACKUP], restored_settings);
  expect(restored.output).toContain(`to ${restored_settings.data_dir}`);
  const { code, output } = await runCommand('release', [], restored_settings);
  expect(output).toMatch(/\b8 events\b/);
  expect(code).toBe(0);
});
