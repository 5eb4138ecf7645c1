// npm run restore: a backup put back.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readBackup } from '../src/backup/backup-folder.ts';
import { tellRows } from '../src/backup/drill.ts';
import { restoreBackup } from '../src/backup/restore.ts';
import { startClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { toLayout } from '../src/releases/layout.ts';

const HELP = `npm run restore -- BACKUP [--content]

Puts a backup back, a folder that npm run backup made: inbox.db into DATA_DIR, and its content into CONTENT_DIR where that is
empty. The service must be stopped. What is there is moved aside, never lost. What was forgotten since, as the inbox before
and newer backups beside this one know it, is forgotten again; keys that were revoked stay so; everybody logs in anew.
  --content   puts content back though there is some: that is moved aside
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h' },
    content: { type: 'boolean', default: false },
  },
});
const [dir] = positionals;
if (values.help) process.stdout.write(HELP);
else if (dir === undefined)
  throw new Error(
    `BACKUP: name the folder of a backup. npm run backup -- list has them.\n\n${HELP}`,
  );
else {
  const config = readConfig();
  const backup = readBackup(resolve(dir));
  const done = restoreBackup({
    backup,
    layout: toLayout(config.data_dir),
    content_dir: config.content_dir,
    with_content: values.content,
    now_ms: startClock(config.clock_start)(),
  });
  const lines = [
    `The backup of ${backup.list.made_at} is back, ${tellRows(backup)}.`,
    done.is_content_restored
      ? `Content is back in ${config.content_dir}.`
      : `Content in ${config.content_dir} stays as it is; --content puts that of the backup there.`,
    ...done.aside.map((path) => `Moved aside: ${path}`),
    ...(done.lost === null || done.lost.submissions + done.lost.decisions === 0
      ? []
      : [
          `Not in it, for they came after: submissions ${done.lost.submissions}, decisions ${done.lost.decisions}. They are in what was moved aside`,
        ]),
    ...(done.forgotten.length === 0 ? [] : [`Forgotten again: ${done.forgotten.join(', ')}`]),
    ...(done.revoked.length === 0 ? [] : [`Keys revoked again: ${done.revoked.join(', ')}`]),
    ...(done.mail_stops === 0 ? [] : [`${done.mail_stops} more want no mail, as since.`]),
    'What was forgotten since and is known neither to the inbox before nor to a newer backup beside this one must be forgotten again by hand: npm run review -- erase ID.',
    'Everybody logs in anew. Now: npm start, which builds a release of it.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
