// npm run backup: creates and rotates backups while the service runs.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createBackup, pruneBackups } from '../src/backup/backups.ts';
import { runScript, printLine } from './commands.ts';

const HELP = `npm run backup -- [--to DIR]

Copies inbox.db (submissions, decisions, keys, editors, ledger), uploads.db (pictures) and CONTENT_DIR into a new folder below DIR
and verifies the copy. The service may be running. An inbox in PostgreSQL is written to the same files. The newest backups of 7 days
and of 5 weeks are retained; other files in DIR are not touched. Backups contain email addresses and password hashes: protect them.
npm run restore restores a backup; docs/operations.md describes how to test one.
  --to DIR    folder of all backups (BACKUP_DIR), preferably on another disk
`;

await runScript(HELP, async ({ config, now_ms, options }) => {
  const folder = options.to ?? config.backup_dir;
  const path = join(config.data_dir, 'inbox.db');
  if (!folder) throw new Error(`--to: missing. Pass a folder or set BACKUP_DIR.\n\n${HELP}`);
  if (config.database_url === null && !existsSync(path))
    throw new Error(`${path} does not exist. Set DATA_DIR to the data folder of the service`);
  const backup = await createBackup(config, resolve(folder), now_ms);
  printLine(`${backup.dir} is complete and verified, files: ${backup.manifest.files.length}.`);
  const deleted = pruneBackups(folder, now_ms);
  if (deleted.length > 0) printLine(`Deleted by rotation: ${deleted.join(', ')}`);
  printLine('Restrict access to it, and test a backup regularly (docs/operations.md).');
});
