// npm run backup: a copy of data/inbox.db, the one file that cannot be built again, while
// everything runs.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { backupInbox } from '../src/inbox/backup.ts';
import { openInbox } from '../src/inbox/open.ts';

const HELP = `npm run backup -- --out FILE

Copies data/inbox.db (submissions, decisions, keys, editors, the ledger) to FILE, whole and checked, also while the service
runs. It holds private addresses and hashes of passwords: keep it as you keep those. docs/operations.md says how to restore.
`;

const { values } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' }, out: { type: 'string' } },
});
if (values.help) process.stdout.write(HELP);
else if (!values.out) throw new Error(`--out: name the file to write.\n\n${HELP}`);
else {
  const path = join(readConfig().data_dir, 'inbox.db');
  // Opening would make an empty one, and nobody wants a backup of that.
  if (!existsSync(path))
    throw new Error(`There is no ${path}. Set DATA_DIR to where the service keeps its data`);
  const inbox = openInbox(path);
  try {
    await backupInbox(inbox, resolve(values.out));
  } finally {
    inbox.close();
  }
  process.stdout.write(
    `${resolve(values.out)} is a whole and checked copy. Keep it where only you can read it; docs/operations.md says how to put it back.\n`,
  );
}
