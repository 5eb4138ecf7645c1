// What the doctor sees of the service: its release, its inbox, whether it answers, here and at its public
// address, whether mail can be sent, and when the last backup was made.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { readBackupRecord } from '../../backup/record.ts';
import type { Config } from '../../config.ts';
import { STATUS_PATH } from '../../i18n/paths.ts';
import { checkMailServer } from '../../mail/server.ts';
import { inspectRelease } from '../../releases/check-release.ts';
import { readCurrent, toLayout } from '../../releases/layout.ts';
import { listChangedSettings } from '../../releases/made-for.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

const TIMEOUT_MS = 5_000;
const DAY_MS = 86_400_000;
/** A nightly one and a day of grace. */
const OLD_BACKUP_MS = 2 * DAY_MS;

/** Whether there is a release that can serve, and whether it is of this time. */
export async function checkRelease(config: Config, now_ms: number): Promise<Finding> {
  const layout = toLayout(config.data_dir);
  const id = readCurrent(layout);
  if (id === null) return note('release', 'there is none yet: npm start builds the first');
  const { facts, issue } = await inspectRelease(layout, id);
  if (facts === null) return wrong('release', `${id} cannot serve (${issue}). npm run release`);
  if (facts.generated_ms > now_ms + TIMEOUT_MS)
    return wrong('release', `${id} is of ${facts.generated_at}, which is to come. Mend the clock`);
  return ok('release', `${id}, ${facts.events} events, sound`);
}

/** Whether the address is one that readers can use, and the one that the folder was made for. */
export function checkAddress(config: Config): Finding {
  const changed = listChangedSettings(config, toLayout(config.data_dir));
  if (changed.length > 0)
    return wrong(
      'SITE_URL',
      `${changed.join('; ')}. Set as it was, or: npm run release -- --new-settings`,
    );
  const { protocol, hostname } = new URL(config.site_url);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    return note(
      'SITE_URL',
      `${config.site_url}: a trial. Set the public address before others come`,
    );
  return protocol === 'https:'
    ? ok('SITE_URL', config.site_url)
    : wrong('SITE_URL', `${config.site_url} is not https: passwords go over an open line`);
}

const StatusSchema = v.object({
  release: v.string(),
  attention: v.array(v.string()),
  forwarded_by: v.number(),
});
type Status = v.InferOutput<typeof StatusSchema>;

/** What it says of itself; throws with the reason where it does not answer. */
async function readStatus(origin: string): Promise<Status> {
  const answer = await fetch(`${origin}${STATUS_PATH}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'manual',
  });
  if (answer.status !== 200) throw new Error(`it answers ${answer.status}`);
  return v.parse(StatusSchema, await answer.json());
}

const toReason = (thrown: unknown): string =>
  thrown instanceof Error
    ? thrown.cause instanceof Error
      ? thrown.cause.message
      : thrown.message
    : String(thrown);

/** The service here, what it says of itself, and the way from outside through the proxies. */
export async function checkAnswers(config: Config): Promise<Finding[]> {
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
  const here = await readStatus(origin).catch(toReason);
  if (typeof here === 'string')
    return [note('service', `nothing answers at ${origin} (${here}). npm start starts it`)];
  const own = here.attention.map((line) => wrong('service', line));
  return [
    ...(own.length > 0 ? own : [ok('service', `answers at ${origin}; nothing wants attention`)]),
    await checkProxy(config, here),
  ];
}

async function checkProxy({ site_url, trust_proxy }: Config, here: Status): Promise<Finding> {
  const outside = await readStatus(site_url).catch(toReason);
  if (typeof outside === 'string')
    return wrong('proxy', `${site_url} is not reached from here (${outside}). Is it in front?`);
  if (outside.release !== here.release)
    return note('proxy', `${site_url} serves ${outside.release}, this ${here.release}: a cache?`);
  const { forwarded_by: count } = outside;
  if (count !== trust_proxy)
    return wrong(
      'proxy',
      `requests name ${count} ${count === 1 ? 'proxy' : 'proxies'} and TRUST_PROXY is ${trust_proxy}: ${count > trust_proxy ? 'all visitors are counted as one' : 'visitors can forge their address'}. Set TRUST_PROXY=${count}`,
    );
  return ok('proxy', `${site_url} leads here, through ${count}`);
}

/** Whether the mail server takes us; nothing is sent. */
export async function checkMail({ mail }: Config): Promise<Finding> {
  if (mail === null) return ok('mail', 'SMTP_URL is not set: nothing is mailed');
  const issue = await checkMailServer(mail);
  return issue === null
    ? ok('mail', 'the server takes us')
    : wrong('mail', `the server of SMTP_URL does not take us: ${issue}`);
}

/** When the last backup was made. */
export function checkBackup({ data_dir }: Config, now_ms: number): Finding {
  if (!existsSync(join(data_dir, 'inbox.db'))) return ok('backup', 'there is nothing to lose yet');
  const { made_ms } = readBackupRecord(data_dir);
  if (made_ms === null)
    return wrong(
      'backup',
      'none was ever made of inbox.db, which nothing can build again. npm run backup -- --help',
    );
  const days = Math.max(0, Math.floor((now_ms - made_ms) / DAY_MS));
  return now_ms - made_ms > OLD_BACKUP_MS
    ? wrong('backup', `the last one is ${days} days old. See why: npm run backup`)
    : ok('backup', `the last one is ${days === 0 ? 'of the last 24 hours' : 'a day old'}`);
}
