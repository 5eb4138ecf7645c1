// npm run restore: a backup put back.
import { resolve } from 'node:path';
import { openBackup } from '../src/backup/backups.ts';
import { restoreBackup } from '../src/backup/restore.ts';
import { runScript, say } from './commands.ts';

const HELP = `npm run restore -- BACKUP

Puts a backup back, a folder that npm run backup made: inbox.db and uploads.db into DATA_DIR or DATABASE_URL, content into CONTENT_DIR where that is
empty. The service must be stopped. What is there is moved aside, never lost. What was forgotten since, as the inbox before
and newer backups beside this one know it, is forgotten again; keys that were revoked stay so; everybody logs in anew.
`;
await runScript(HELP, async ({ config, now_ms, words }) => {
  const backup = openBackup(resolve(words[0] ?? ''));
  const done = await restoreBackup({ ...config, backup, now_ms });
  const list = (names: readonly string[]): string => names.join(', ') || 'nothing';
  say(`The backup of ${backup.manifest.made_at} is back in ${config.database_url === null ? config.data_dir : 'PostgreSQL'}.
${
  done.is_content_restored
    ? `Content is back in ${config.content_dir}.`
    : `Content in ${config.content_dir} stays as it is. That of the backup is in ${backup.dir}.`
}
Moved aside, with what came after the backup: ${list(done.aside)}
Forgotten again: ${list(done.forgotten)}. Keys revoked again: ${list(done.revoked)}. Readers who want no mail, as since: ${done.mail_stops}
What was forgotten since and is known neither to the inbox before nor to a newer backup beside this one must be erased again at the desk, item by item.
Everybody logs in anew. Now: npm start, which builds a release of it.`);
});
