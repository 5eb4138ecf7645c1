// The drill: a backup is proved by building a release from it, and from nothing else, in a folder that
// goes afterwards.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Config } from '../config.ts';
import { openInbox } from '../inbox/open.ts';
import { countRows } from '../inbox/received.ts';
import { toLayout, readCurrent, toReleasePaths } from '../releases/layout.ts';
import type { Say } from '../releases/progress.ts';
import { readReleaseFacts } from '../releases/release-facts.ts';
import { spawnTethered } from '../releases/spawn.ts';
import { type Backup, PARTS } from './backup-folder.ts';
import { checkBackup } from './check-backup.ts';

/** What the drill found. */
export interface Proved {
  /** Of the release that was built. */
  readonly events: number;
  readonly occurrences: number;
}

/** Where the release may have fewer events than the one that served when the backup was made. */
const LEAST_SHARE = 0.9;

/**
 * Proves a backup. `run_script` runs a command by its name; pictures are not fetched. Throws a sentence
 * that says what is wrong with it.
 */
export async function tryBackup(
  backup: Backup,
  { bundles_dir }: Pick<Config, 'bundles_dir'>,
  run_script: string,
  say: Say,
): Promise<Proved> {
  checkBackup(backup);
  say(`  ${backup.list.files.length} files as they were written`);
  const folder = mkdtempSync(join(tmpdir(), 'hoy-drill-'));
  try {
    const data_dir = join(folder, 'data');
    const content_dir = join(folder, 'content');
    cpSync(join(backup.dir, PARTS.content), content_dir, { recursive: true });
    cpSync(join(backup.dir, PARTS.inbox), join(data_dir, PARTS.inbox));
    checkRows(backup, join(data_dir, PARTS.inbox));
    say(`  inbox.db opens: ${tellRows(backup)}`);
    const lines: string[] = [];
    const { code } = await spawnTethered({
      command: [run_script, 'release'],
      cwd: process.cwd(),
      env: {
        ...readSettings(backup),
        DATA_DIR: data_dir,
        CONTENT_DIR: content_dir,
        BUNDLES_DIR: bundles_dir,
        PICTURES: '0',
      },
      onLine: (line) => lines.push(line),
    }).ended;
    if (code !== 0)
      throw new Error(`No release can be built from ${backup.dir}:\n${lines.join('\n')}`);
    return checkEvents(backup, data_dir);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What an inbox holds, for a person. */
export const tellRows = ({ list: { rows } }: Backup): string =>
  `submissions: ${rows.submissions}, published: ${rows.publications}, decisions: ${rows.decisions}, pictures: ${rows.uploads}`;

function checkRows({ dir, list }: Backup, path: string): void {
  const inbox = openInbox(path);
  try {
    if (JSON.stringify(countRows(inbox)) !== JSON.stringify(list.rows))
      throw new Error(`inbox.db in ${dir} has not the rows that its list says. Take another one`);
  } finally {
    inbox.close();
  }
}

function checkEvents({ dir, list }: Backup, data_dir: string): Proved {
  const layout = toLayout(data_dir);
  const { facts } = toReleasePaths(join(layout.releases_dir, readCurrent(layout) ?? ''));
  const { events, occurrences } = readReleaseFacts(facts);
  if (list.events !== null && events < list.events * LEAST_SHARE)
    throw new Error(
      `The release from ${dir} has ${events} events, and the one that served when it was made had ${list.events}. Look what is missing in its content`,
    );
  return { events, occurrences };
}

/** Those that the pages were made with. */
function readSettings({ dir, list }: Backup): Readonly<Record<string, string>> {
  if (!list.files.some(({ path }) => path === PARTS.settings)) return {};
  const text: unknown = JSON.parse(readFileSync(join(dir, PARTS.settings), 'utf8'));
  return v.parse(v.record(v.string(), v.string()), text);
}
