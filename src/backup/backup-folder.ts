// Where backups lie: a folder with one folder for each, named for its moment, with a list of what is in
// it. Whatever else lies there is never touched.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const NAME = /^\d{8}T\d{6}Z$/;
/** The list in each, written last: a folder without it is none. */
export const LIST_FILE = 'backup.json';
/** What a backup is called until it is whole. */
export const UNFINISHED = '.part';

/** Whether a name is that of a backup that is not whole. */
export const isUnfinished = (name: string): boolean =>
  name.endsWith(UNFINISHED) && NAME.test(name.slice(0, -UNFINISHED.length));

/** What a backup has below it. */
export const PARTS = { inbox: 'inbox.db', content: 'content', settings: 'settings.json' } as const;

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const ListSchema = v.object({
  made_at: v.string(),
  made_ms: v.number(),
  /** Events of the release that served then; null where none did. */
  events: v.nullable(Count),
  /** Rows of the inbox. */
  rows: v.object({ submissions: Count, publications: Count, decisions: Count, uploads: Count }),
  /** References of which private words stand in it. */
  holds: v.array(v.string()),
  files: v.array(v.object({ path: v.string(), size: Count, digest: v.string() })),
});
/** What is in a backup. */
export type BackupList = v.InferOutput<typeof ListSchema>;

/** A whole backup. */
export interface Backup {
  readonly name: string;
  readonly dir: string;
  readonly list: BackupList;
}

/** `20261122T031500Z`. */
export const toBackupName = (now_ms: number): string =>
  new Date(now_ms).toISOString().replace(/[-:]|\.\d+/g, '');

/** The backup in a folder. Throws a sentence where it is none, or its list cannot be read. */
export function readBackup(dir: string): Backup {
  const path = join(dir, LIST_FILE);
  if (!existsSync(path))
    throw new Error(`${dir} is no backup: it has no ${LIST_FILE}. Name a folder that backup made`);
  try {
    const list = v.parse(ListSchema, JSON.parse(readFileSync(path, 'utf8')));
    return { dir, list, name: dir.split('/').at(-1) ?? '' };
  } catch (cause) {
    throw new Error(`${path} cannot be read: take another backup`, { cause });
  }
}

/** Those in a folder, the newest first; those that cannot be read are left out. */
export function listBackups(folder: string): readonly Backup[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
    .flatMap((name) => {
      try {
        return [readBackup(join(folder, name))];
      } catch {
        return [];
      }
    });
}

/** The newest of a folder. Throws a sentence where there is none. */
export function findNewest(folder: string): Backup {
  const [newest] = listBackups(folder);
  if (newest === undefined)
    throw new Error(`There is no backup in ${folder}. Make one: npm run backup -- --to ${folder}`);
  return newest;
}
