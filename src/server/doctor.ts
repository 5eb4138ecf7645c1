// Doctor: checks the machine and the service, proposes a fix for each problem, and can email the
// operator.
import { existsSync, readFileSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import * as v from 'valibot';
import { findNewestBackupMs } from '../backup/backups.ts';
import { type Config, SETTING_NAMES } from '../config.ts';
import { toLocalDay } from '../domain/local-time.ts';
import { STATUS_PATH } from '../i18n/paths.ts';
import { createSite } from '../domain/site.ts';
import { verifySmtpServer, createSmtpClient } from '../mail/smtp-client.ts';
import { PROJECT_DIR } from '../releases/snapshots.ts';
import { localUrl } from './process/listen.ts';

export interface Finding {
  /** The checked area, e.g. `settings` or `proxy`. */
  readonly subject: string;
  /** `note`: worth knowing, but may be intended. */
  readonly level: 'ok' | 'note' | 'WRONG';
  readonly message: string;
}

type Check = (config: Config, now_ms: number) => Finding | Promise<Finding>;
const ok = (subject: string, message: string): Finding => ({ subject, level: 'ok', message });
const note = (subject: string, message: string): Finding => ({ subject, level: 'note', message });
const wrong = (subject: string, message: string): Finding => ({ subject, level: 'WRONG', message });

const STATUS_TIMEOUT_MS = 5_000;
const DAY_MS = 86_400_000;

const checkSettings: Check = ({ env_file, site_url, clock_start }) => {
  const path = env_file ?? join(PROJECT_DIR, '.env');
  const names = existsSync(path) ? Object.keys(parseEnv(readFileSync(path, 'utf8'))) : [];
  const unknown = names.filter((name) => !SETTING_NAMES.includes(name));
  if (unknown.length > 0)
    return wrong('settings', `unknown settings in ${path}: ${unknown.join(', ')}. See the README`);
  const secret = names.find((name) => /^(SMTP|VALKEY|DATABASE)_URL$/.test(name));
  if (secret && (statSync(path).mode & 0o007) !== 0)
    return wrong(
      'settings',
      `${path} contains ${secret} and is readable by other users. Run: chmod 600 ${path}`,
    );
  if (clock_start !== null)
    return wrong(
      'settings',
      'CLOCK_START is set, so the service does not use the real time. Remove it',
    );
  const { protocol, hostname } = new URL(site_url);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    return note('settings', `SITE_URL is ${site_url}, a local address. Set it before going live`);
  return protocol === 'https:'
    ? ok('settings', `SITE_URL is ${site_url}; ${names.length} settings in ${path}`)
    : wrong('settings', `SITE_URL is ${site_url}, not https: passwords are sent unencrypted`);
};

/** Network file systems by the type that statfs returns (Linux, include/uapi/linux/magic.h). */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
]);

/** Checks that SQLite's write-ahead log works in a folder: its machines must share memory. */
export function checkFileSystem(folder: string, type = statfsSync(folder).type): Finding | null {
  const name = NETWORK_FILE_SYSTEMS.get(type);
  if (name === undefined) return null;
  return wrong(
    'files',
    `${folder} is on a network disk (${name}), where SQLite's write-ahead log may lose submissions. Move DATA_DIR to a local disk, or set DATABASE_URL`,
  );
}

/**
 * Checks that the databases are on a local disk and belong to the current user, and that no other
 * user can read them.
 */
const checkFiles: Check = ({ data_dir, database_url }) => {
  if (database_url !== null) return ok('files', 'submissions are stored in PostgreSQL');
  const inbox = join(data_dir, 'inbox.db');
  if (!existsSync(inbox)) return note('files', `${inbox} does not exist yet: npm start creates it`);
  const network_disk = checkFileSystem(data_dir);
  if (network_disk !== null) return network_disk;
  for (const path of [inbox, join(data_dir, 'uploads.db')].filter(existsSync)) {
    const { uid, mode } = statSync(path);
    if (uid !== (process.getuid?.() ?? uid))
      return wrong('files', `${path} belongs to user ${uid}. Run commands as the service's user`);
    if ((mode & 0o077) !== 0)
      return wrong(
        'files',
        `${path} is private, but readable by other users. Run: chmod 600 ${path}`,
      );
  }
  return ok('files', `${data_dir} is readable by this user only`);
};

/**
 * Parts of /statusz: `attention` lists problems, `forwarded_by` is the number of proxies of the
 * request.
 */
const StatusSchema = v.object({ attention: v.array(v.string()), forwarded_by: v.number() });

/** Advice about a line of `attention`, by its first word. The other lines contain theirs. */
const ADVICE: Readonly<Record<string, string>> = {
  backup: 'Run npm run backup to see why',
  build: 'Run npm run release to see all of it',
  compaction: 'Run npm run editors -- compact to see why',
  content: 'Run npm run snapshot, which names what to fix',
  decision: 'Run npm run release, which publishes it or says why not',
  erasure: 'Look for "erasing expired data failed" in the log',
  limits: 'Start Valkey, or check VALKEY_URL',
  mail: 'Check SMTP_URL; the desk lists the failed emails, and the log the errors',
  maintenance: 'Look for "maintenance of the inbox failed" in the log',
  release: 'Run npm run release to see why none is built',
  sharing: 'Check DATABASE_URL, the disk and the log of this machine',
  sources: 'Run npm run sources -- pull to see why',
  switch: 'Restart the service; if it stays, run npm run release',
  'warm-up': 'Look at the load of this machine. Pages are rendered on request meanwhile',
};

/** Adds the next step to a line of `attention`. */
function withAdvice(line: string): string {
  const advice = ADVICE[/^[\w-]+/.exec(line)?.[0] ?? ''];
  return advice === undefined ? line : `${line}. ${advice}`;
}

/** Fetches /statusz. @returns the reason as text if it fails. */
async function fetchStatus(origin: string): Promise<v.InferOutput<typeof StatusSchema> | string> {
  try {
    const signal = AbortSignal.timeout(STATUS_TIMEOUT_MS);
    const response = await fetch(origin + STATUS_PATH, { signal, redirect: 'manual' });
    if (response.status !== 200) return `status ${response.status}`;
    return v.parse(StatusSchema, await response.json());
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}

/**
 * Checks that the service responds, its reported problems, and the number of proxies in front of
 * it.
 */
async function checkService(config: Config): Promise<readonly Finding[]> {
  const origin = localUrl(config.host, config.port);
  const status = await fetchStatus(origin);
  if (typeof status === 'string')
    return [note('service', `no response from ${origin} (${status}). Start it with npm start`)];
  const problems = status.attention.map((line) => wrong('service', withAdvice(line)));
  const healthy = ok('service', `responds at ${origin} and reports no problems`);
  return [...(problems.length > 0 ? problems : [healthy]), await checkProxy(config)];
}

async function checkProxy({ site_url, trust_proxy }: Config): Promise<Finding> {
  const status = await fetchStatus(site_url);
  if (typeof status === 'string')
    return wrong('proxy', `${site_url} cannot be reached from here (${status}). Check the proxy`);
  const { forwarded_by: proxy_count } = status;
  if (proxy_count === trust_proxy)
    return ok('proxy', `${site_url} leads here, number of proxies: ${proxy_count}`);
  const consequence =
    proxy_count > trust_proxy ? 'all visitors count as one' : 'visitors can forge their address';
  return wrong(
    'proxy',
    `the number of proxies is ${proxy_count}, but TRUST_PROXY is ${trust_proxy}: ${consequence}. Set TRUST_PROXY=${proxy_count}`,
  );
}

const checkMail: Check = async ({ mail }) => {
  const issue = mail && (await verifySmtpServer(mail));
  if (issue !== null) return wrong('mail', `the server of SMTP_URL cannot be used: ${issue}`);
  return ok(
    'mail',
    mail === null ? 'SMTP_URL is not set: no email is sent' : 'the server accepts us',
  );
};

const checkBackup: Check = ({ data_dir, database_url, backup_dir }, now_ms) => {
  if (database_url === null && !existsSync(join(data_dir, 'inbox.db')))
    return ok('backup', 'there is nothing to back up yet');
  const newest_ms = backup_dir === null ? null : findNewestBackupMs(backup_dir);
  if (newest_ms === null)
    return wrong(
      'backup',
      'BACKUP_DIR has no backup of the inbox, which cannot be rebuilt. See npm run backup -- --help',
    );
  const days = Math.max(0, Math.floor((now_ms - newest_ms) / DAY_MS));
  const age = `the newest in ${backup_dir} is ${days} days old`;
  // Backups are nightly; allow one day of delay.
  return days < 2 ? ok('backup', age) : wrong('backup', `${age}. Find out why: npm run backup`);
};

/** Runs all checks of the machine and the service. */
export async function runChecks(config: Config, now_ms: number): Promise<readonly Finding[]> {
  const checks = [checkSettings, checkFiles, checkMail, checkBackup];
  const findings = await Promise.all(checks.map((check) => check(config, now_ms)));
  return [...(await checkService(config)), ...findings];
}

/**
 * Emails the findings if the service does not respond or reports problems; the same problems only
 * once a day.
 * @throws if the email cannot be sent.
 */
export async function emailFindings(
  config: Config,
  to: string,
  findings: readonly Finding[],
  now_ms: number,
): Promise<void> {
  const { mail, site_url, data_dir } = config;
  const { name } = createSite(config);
  if (mail === null) throw new Error('SMTP_URL: must be set to send email');
  const service_problems = findings.filter(
    ({ subject, level }) => subject === 'service' && level !== 'ok',
  );
  // Digits are masked, so that a new time or count alone does not make it a new problem.
  const masked_text = service_problems
    .map(({ message }) => message.replace(/[\d:.+-]+/g, '#'))
    .join('\n');
  const report_key = masked_text === '' ? '' : `${toLocalDay(now_ms)}\n${masked_text}`;
  const file = join(data_dir, 'doctor-mailed.txt');
  if (report_key === (existsSync(file) ? readFileSync(file, 'utf8') : '')) return;
  if (masked_text !== '') {
    const other_problems = findings.filter(
      ({ subject, level }) => subject !== 'service' && level === 'WRONG',
    );
    const lines = [...service_problems, ...other_problems].map(
      ({ subject, message }) => `${subject}: ${message}`,
    );
    const { kind, code } = await createSmtpClient(mail, name, null).deliver({
      lang: 'en',
      subject: `${name}: ${service_problems[0]?.message ?? ''}`.slice(0, 150),
      text: [...lines, '', `${site_url}/statusz · npm run doctor`, ''].join('\n'),
      unsubscribe_url: null,
      to,
      message_id: `<doctor.${now_ms}@${new URL(site_url).hostname}>`,
      now_ms,
    });
    if (kind !== 'sent')
      throw new Error(`The email was not accepted (${code ?? kind}): ${lines[0]}`);
  }
  // In place, without a temporary file: the disk may be full.
  writeFileSync(file, report_key, { mode: 0o600 });
}
