// npm run backup: copies of what cannot be built again, made and rotated while everything runs.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createBackup, pruneBackups } from '../src/backup/backups.ts';
import { runScript, say } from './commands.ts';

const HELP = `npm run backup -- [--to DIR]

Copies inbox.db (submissions, decisions, keys, editors, the ledger), uploads.db (pictures) and CONTENT_DIR into a new folder below
DIR, whole, checked and listed, also while the service runs; what lies in PostgreSQL is written to such files, too. The newest of each of 7 days and of each of 5 weeks stay; nothing
else in DIR is touched. It holds private addresses and hashes of passwords: keep it as you keep those. npm run restore puts
one back; docs/operations.md says how one is proved.
  --to DIR    the folder of all backups (BACKUP_DIR), better on another disk
`;

await runScript(HELP, async ({ config, now_ms, options }) => {
  const folder = options.to ?? config.backup_dir;
  const path = join(config.data_dir, 'inbox.db');
  if (!folder) throw new Error(`--to: name the folder of backups, or set BACKUP_DIR.\n\n${HELP}`);
  if (config.database_url === null && !existsSync(path))
    throw new Error(`There is no ${path}. Set DATA_DIR to where the service keeps its data`);
  const backup = await createBackup(config, resolve(folder), now_ms);
  say(`${backup.dir} is whole and checked, files: ${backup.manifest.files.length}.`);
  const gone = pruneBackups(folder, now_ms);
  if (gone.length > 0) say(`Gone by rotation: ${gone.join(', ')}`);
  say('Keep it where only you can read it, and prove one now and then (docs/operations.md).');
});
