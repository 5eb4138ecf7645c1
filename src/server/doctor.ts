// The doctor: what is wrong with the machine and the service, and what to do; and its letter to whoever runs it.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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
  readonly about: string;
  /** `note`: worth knowing, may be meant. */
  readonly level: 'ok' | 'note' | 'WRONG';
  readonly says: string;
}

type Check = (config: Config, now_ms: number) => Finding | Promise<Finding>;
const ok = (about: string, says: string): Finding => ({ about, level: 'ok', says });
const note = (about: string, says: string): Finding => ({ about, level: 'note', says });
const wrong = (about: string, says: string): Finding => ({ about, level: 'WRONG', says });

const TIMEOUT_MS = 5_000;
const DAY_MS = 86_400_000;

const checkSettings: Check = ({ env_file, site_url, clock_start }) => {
  const path = env_file ?? join(PROJECT_DIR, '.env');
  const names = existsSync(path) ? Object.keys(parseEnv(readFileSync(path, 'utf8'))) : [];
  const unknown = names.filter((name) => !SETTING_NAMES.includes(name));
  if (unknown.length > 0)
    return wrong('settings', `${unknown.join(', ')} in ${path}: no settings; see the README`);
  const secret = names.find((name) => /^(SMTP|VALKEY|DATABASE)_URL$/.test(name));
  if (secret && (statSync(path).mode & 0o007) !== 0)
    return wrong('settings', `others may read ${path}, with ${secret}. Run: chmod 600 ${path}`);
  if (clock_start !== null)
    return wrong('settings', 'CLOCK_START is set: this is no real time. Leave it out');
  const { protocol, hostname } = new URL(site_url);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    return note('settings', `SITE_URL is ${site_url}: a trial. Set it before others come`);
  return protocol === 'https:'
    ? ok('settings', `SITE_URL is ${site_url}; ${names.length} from ${path}`)
    : wrong('settings', `SITE_URL is ${site_url}, not https: passwords go over an open line`);
};

/** That the user who asks is the one whose files these are, and nobody else reads them. */
const checkFiles: Check = ({ data_dir, database_url }) => {
  if (database_url !== null) return ok('files', 'what is sent in lies in PostgreSQL');
  const inbox = join(data_dir, 'inbox.db');
  if (!existsSync(inbox)) return note('files', `there is no ${inbox} yet: npm start makes it`);
  for (const path of [inbox, join(data_dir, 'uploads.db')].filter(existsSync)) {
    const { uid, mode } = statSync(path);
    if (uid !== (process.getuid?.() ?? uid))
      return wrong('files', `${path} is of user ${uid}. Run commands as the service's user`);
    if ((mode & 0o077) !== 0)
      return wrong('files', `others may read what is private. Run: chmod 600 ${path}`);
  }
  return ok('files', `${data_dir} is of this user alone`);
};

const StatusSchema = v.object({ attention: v.array(v.string()), forwarded_by: v.number() });

async function readStatus(origin: string): Promise<v.InferOutput<typeof StatusSchema> | string> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(origin + STATUS_PATH, { signal, redirect: 'manual' });
    if (answer.status !== 200) return `it answers ${answer.status}`;
    return v.parse(StatusSchema, await answer.json());
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
    return cause instanceof Error ? cause.message : String(cause);
  }
}

/** The service here, what it says of itself, and the way from outside through the proxies. */
async function checkService(config: Config): Promise<readonly Finding[]> {
  const origin = localUrl(config.host, config.port);
  const status = await readStatus(origin);
  if (typeof status === 'string')
    return [note('service', `nothing answers at ${origin} (${status}). npm start starts it`)];
  const lines = status.attention.map((line) => wrong('service', line));
  const well = ok('service', `answers at ${origin}; nothing wants attention`);
  return [...(lines.length > 0 ? lines : [well]), await checkProxy(config)];
}

async function checkProxy({ site_url, trust_proxy }: Config): Promise<Finding> {
  const outside = await readStatus(site_url);
  if (typeof outside === 'string')
    return wrong('proxy', `${site_url} is not reached from here (${outside}). Is it in front?`);
  const { forwarded_by: count } = outside;
  if (count === trust_proxy) return ok('proxy', `${site_url} leads here, through ${count}`);
  const harm =
    count > trust_proxy ? 'all visitors count as one' : 'visitors can forge their address';
  return wrong(
    'proxy',
    `requests name ${count}, and TRUST_PROXY is ${trust_proxy}: ${harm}. Set TRUST_PROXY=${count}`,
  );
}

const checkMail: Check = async ({ mail }) => {
  const issue = mail && (await verifySmtpServer(mail));
  if (issue !== null) return wrong('mail', `the server of SMTP_URL does not take us: ${issue}`);
  return ok('mail', mail === null ? 'SMTP_URL is not set: none is sent' : 'the server takes us');
};

const checkBackup: Check = ({ data_dir, database_url, backup_dir }, now_ms) => {
  if (database_url === null && !existsSync(join(data_dir, 'inbox.db')))
    return ok('backup', 'there is nothing to lose yet');
  const made_ms = backup_dir === null ? null : findNewestBackupMs(backup_dir);
  if (made_ms === null)
    return wrong(
      'backup',
      'BACKUP_DIR has none of the inbox, which nothing can build again. npm run backup -- --help',
    );
  const days = Math.max(0, Math.floor((now_ms - made_ms) / DAY_MS));
  const says = `the newest in ${backup_dir} is ${days} days old`;
  // A nightly one and a day of grace.
  return days < 2 ? ok('backup', says) : wrong('backup', `${says}. See why: npm run backup`);
};

export async function runChecks(config: Config, now_ms: number): Promise<readonly Finding[]> {
  const checks = [checkSettings, checkFiles, checkMail, checkBackup];
  const found = await Promise.all(checks.map((check) => check(config, now_ms)));
  return [...(await checkService(config)), ...found];
}

/**
 * Mails where the service does not answer or wants attention: the same words once a day. Throws a sentence where it
 * cannot.
 */
export async function emailFindings(
  config: Config,
  to: string,
  findings: readonly Finding[],
  now_ms: number,
): Promise<void> {
  const { mail, site_url, data_dir } = config;
  const { name } = createSite(config);
  if (mail === null) throw new Error('SMTP_URL: must be set, or nothing can be mailed');
  const of_service = findings.filter(({ about, level }) => about === 'service' && level !== 'ok');
  // The moment of the last try and the like make no new words.
  const words = of_service.map(({ says }) => says.replace(/[\d:.+-]+/g, '#')).join('\n');
  const told = words === '' ? '' : `${toLocalDay(now_ms)}\n${words}`;
  const file = join(data_dir, 'doctor-mailed.txt');
  if (told === (existsSync(file) ? readFileSync(file, 'utf8') : '')) return;
  if (words !== '') {
    const others = findings.filter(({ about, level }) => about !== 'service' && level === 'WRONG');
    const lines = [...of_service, ...others].map(({ about, says }) => `${about}: ${says}`);
    const { kind, code } = await createSmtpClient(mail, name, null).deliver({
      lang: 'en',
      subject: `${name}: ${of_service[0]?.says ?? ''}`.slice(0, 150),
      text: [...lines, '', `${site_url}/statusz · npm run doctor`, ''].join('\n'),
      leave_url: null,
      to,
      message_id: `<doctor.${now_ms}@${new URL(site_url).hostname}>`,
      now_ms,
    });
    if (kind !== 'sent') throw new Error(`The letter was not taken (${code ?? kind}): ${lines[0]}`);
  }
  // In place: on a full disk there is no room for another one beside it.
  writeFileSync(file, told, { mode: 0o600 });
}
