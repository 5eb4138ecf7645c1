// npm run backup: copies of what cannot be built again, made, rotated, listed and proved, while everything
// runs.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findNewest, listBackups, readBackup } from '../src/backup/backup-folder.ts';
import { tellRows, tryBackup } from '../src/backup/drill.ts';
import { listHeldStill } from '../src/backup/forgotten-since.ts';
import { makeBackup } from '../src/backup/make-backup.ts';
import { noteBackup } from '../src/backup/record.ts';
import { rotate } from '../src/backup/rotation.ts';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { backupInbox } from '../src/inbox/backup.ts';
import { type Inbox, openInbox } from '../src/inbox/open.ts';
import { toLayout } from '../src/releases/layout.ts';
import { formatDuration } from '../src/releases/progress.ts';

const HELP = `npm run backup -- [--to DIR] [--daily N] [--weekly N] · list · drill [BACKUP] · --out FILE

Copies inbox.db (submissions and their pictures, decisions, keys, editors, the ledger) and CONTENT_DIR into a new folder below
DIR, whole, checked and listed, also while the service runs. It holds private addresses and hashes of passwords: keep it as
you keep those. npm run restore puts one back; docs/operations.md has the rest.
  --to DIR         the folder of all backups (BACKUP_DIR), better on another disk
  --daily N        keeps the newest of each of N days (7)
  --weekly N       and the newest of each of N weeks (5); the others go, and nothing else in DIR is touched
  list             what there is, and which holds what was forgotten since
  drill [BACKUP]   proves the newest, or the folder BACKUP: every file, then a release from it alone, in a folder that goes
  --out FILE       instead: inbox.db alone, to FILE
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h' },
    out: { type: 'string' },
    to: { type: 'string' },
    daily: { type: 'string', default: '7' },
    weekly: { type: 'string', default: '5' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A whole number from 0 on. Throws a sentence that says which. */
function toCount(name: 'daily' | 'weekly'): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 0 || number > 1000)
    throw new Error(`--${name}: give a whole number from 0 to 1000`);
  return number;
}

const config = readConfig();
const layout = toLayout(config.data_dir);
const now_ms = startClock(config.clock_start)();

function toFolder(): string {
  const folder = values.to ?? config.backup_dir;
  if (folder === null || folder === '')
    throw new Error(`--to: name the folder of backups, or set BACKUP_DIR.\n\n${HELP}`);
  return resolve(folder);
}

/** What an inbox is needed for; it must be there, or an empty one would be made. */
async function withInbox<T>(work: (inbox: Inbox) => T | Promise<T>): Promise<T> {
  const path = join(config.data_dir, 'inbox.db');
  if (!existsSync(path))
    throw new Error(`There is no ${path}. Set DATA_DIR to where the service keeps its data`);
  const inbox = openInbox(path);
  try {
    return await work(inbox);
  } finally {
    inbox.close();
  }
}

async function list(folder: string): Promise<void> {
  const all = listBackups(folder);
  if (all.length === 0) return say(`There is no backup in ${folder}.`);
  await withInbox((inbox) => {
    for (const backup of all) {
      const { name, list: what } = backup;
      const size = what.files.reduce((sum, file) => sum + file.size, 0);
      say(
        `${name}  ${(size / 1e6).toFixed(1)} MB, ${tellRows(backup)}, files: ${what.files.length}`,
      );
      const held = listHeldStill(inbox, backup);
      if (held.length > 0)
        say(`  holds what was forgotten since: ${held.join(', ')}. A restore forgets it again`);
    }
  });
}

async function make(folder: string): Promise<void> {
  const rotation = { daily: toCount('daily'), weekly: toCount('weekly') };
  const begun_ms = performance.now();
  const order = { layout, content_dir: config.content_dir, folder, now_ms };
  const backup = await makeBackup(order);
  const { dir, list: what } = backup;
  noteBackup(config.data_dir, { made_ms: now_ms });
  say(
    `${dir} is whole and checked, ${tellRows(backup)}, files: ${what.files.length} (${formatDuration(performance.now() - begun_ms)}).`,
  );
  const gone = rotate(folder, rotation);
  if (gone.length > 0) say(`Gone by rotation: ${gone.join(', ')}`);
  const oldest = listBackups(folder).at(-1);
  if (oldest)
    say(
      `The oldest that stays is of ${oldest.list.made_at.slice(0, 10)}: what is forgotten today is in copies until ${rotation.weekly} weeks from now at most.`,
    );
  say(
    'Keep them where only you can read them. Prove the newest now and then: npm run backup -- drill',
  );
}

async function drill(dir: string | undefined): Promise<void> {
  const backup = dir === undefined ? findNewest(toFolder()) : readBackup(resolve(dir));
  say(`Proving ${backup.dir} of ${backup.list.made_at}, some minutes at most`);
  const begun_ms = performance.now();
  const run_script = fileURLToPath(new URL('./run.mjs', import.meta.url));
  const { events, occurrences } = await tryBackup(backup, config, run_script, say);
  noteBackup(config.data_dir, { tried_ms: now_ms });
  say(
    `Proved in ${formatDuration(performance.now() - begun_ms)}: a release of ${events} events and ${occurrences} dates was built from it alone, and answered its questions.`,
  );
}

const [what = 'make', ...rest] = positionals;
if (values.help) process.stdout.write(HELP);
else if (values.out !== undefined) {
  const file = resolve(values.out);
  await withInbox((inbox) => backupInbox(inbox, file));
  say(
    `${file} is a whole and checked copy of inbox.db. Keep it where only you can read it; docs/operations.md says how to put it back.`,
  );
} else if (what === 'make') await make(toFolder());
else if (what === 'list') await list(toFolder());
else if (what === 'drill') await drill(rest[0]);
else throw new Error(`There is no '${what}' here.\n\n${HELP}`);
