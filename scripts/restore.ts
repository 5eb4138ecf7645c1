// npm run restore: restores a backup.
import { resolve } from 'node:path';
import { openBackup } from '../src/backup/backups.ts';
import { restoreBackup } from '../src/backup/restore.ts';
import { runScript, printLine } from './commands.ts';

const HELP = `npm run restore -- BACKUP

Restores a backup, which is a folder created by npm run backup: inbox.db and uploads.db into DATA_DIR or DATABASE_URL, and content into
CONTENT_DIR if that is empty. Stop the service first. Existing files are moved aside, never deleted. Erasures, key revocations and
unsubscriptions after the backup are applied again if the replaced inbox, or a newer backup in the same folder, recorded them. All
sessions end.
`;
await runScript(HELP, async ({ config, now_ms, positionals }) => {
  const backup = openBackup(resolve(positionals[0] ?? ''));
  const result = await restoreBackup({ ...config, backup, now_ms });
  const list = (names: readonly string[]): string => names.join(', ') || 'none';
  printLine(`Restored the backup of ${backup.manifest.made_at} to ${config.database_url === null ? config.data_dir : 'PostgreSQL'}.
${
  result.is_content_restored
    ? `Restored content to ${config.content_dir}.`
    : `Content in ${config.content_dir} is unchanged. The backup's content is in ${backup.dir}.`
}
Replaced data, with all changes after the backup, was moved to: ${list(result.moved)}
Erased again: ${list(result.erased)}. Keys revoked again: ${list(result.revoked)}. Unsubscribed again: ${result.unsubscribed_count}
Erasures after the backup that neither the replaced inbox nor a newer backup in the same folder contains must be repeated at the desk.
All sessions have ended. Next: npm start, which builds a release.`);
});
