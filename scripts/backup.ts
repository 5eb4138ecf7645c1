// npm run backup: copies of what cannot be built again, made, rotated and listed while everything runs.
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { listBackups, makeBackup, rotate } from '../src/backup/backups.ts';
import { listHeldStill } from '../src/backup/restore.ts';
import { type Inbox, openInbox } from '../src/inbox/open.ts';
import { runScript, say } from './commands.ts';

const HELP = `npm run backup -- [list] [--to DIR]

Copies inbox.db (submissions and their pictures, decisions, keys, editors, the ledger) and CONTENT_DIR into a new folder below
DIR, whole, checked and listed, also while the service runs. The newest of each of 7 days and of each of 5 weeks stay; nothing
else in DIR is touched. It holds private addresses and hashes of passwords: keep it as you keep those. npm run restore puts
one back; docs/operations.md says how one is proved.
  list        what there is, and which holds what was forgotten since
  --to DIR    the folder of all backups (BACKUP_DIR), better on another disk
`;
async function make(inbox: Inbox, content_dir: string, folder: string, now_ms: number) {
  const { dir, manifest } = await makeBackup(inbox, content_dir, folder, now_ms);
  say(`${dir} is whole and checked, files: ${manifest.files.length}.`);
  const gone = rotate(folder, now_ms);
  if (gone.length > 0) say(`Gone by rotation: ${gone.join(', ')}`);
  say('Keep it where only you can read it, and prove one now and then (docs/operations.md).');
}

function list(inbox: Inbox, folder: string): void {
  for (const backup of listBackups(folder)) {
    const { files } = backup.manifest;
    const size_mb = files.reduce((sum, { size }) => sum + size, 0) / 1e6;
    say(`${basename(backup.dir)}  ${size_mb.toFixed(1)} MB, files: ${files.length}`);
    const held = listHeldStill(inbox, backup);
    if (held.length > 0)
      say(`  holds what was forgotten since: ${held.join(', ')}. A restore forgets it again`);
  }
}

await runScript(HELP, async ({ config, now_ms, words: [what = 'make'], options }) => {
  const folder = options.to ?? config.backup_dir;
  const path = join(config.data_dir, 'inbox.db');
  if (what !== 'make' && what !== 'list') throw new Error(`There is no '${what}' here.\n\n${HELP}`);
  if (!folder) throw new Error(`--to: name the folder of backups, or set BACKUP_DIR.\n\n${HELP}`);
  if (!existsSync(path))
    throw new Error(`There is no ${path}. Set DATA_DIR to where the service keeps its data`);
  const inbox = openInbox(path);
  if (what === 'list') list(inbox, folder);
  else await make(inbox, config.content_dir, resolve(folder), now_ms);
  inbox.close();
});
