// The only reader of the environment: every setting, its default and its rule (README,
// Configuration).
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';

const text = (fallback: string) =>
  v.optional(v.pipe(v.string(), v.trim(), v.minLength(1, 'must not be empty')), fallback);
const absent = v.optional(v.pipe(v.string(), v.trim()), '');
const orNull = v.transform((t: string) => t || null);
const path = (fallback: string) =>
  v.pipe(
    text(fallback),
    v.transform((t) => resolve(t)),
  );
const pathOrNull = v.pipe(
  absent,
  v.transform((t) => (t === '' ? null : resolve(t))),
);
const integer = (fallback: number, min: number, max: number) =>
  v.pipe(
    v.optional(v.string(), String(fallback)),
    v.regex(/^\d+$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(min, `must be ${min} or more`),
    v.maxValue(max, `must be ${max} or less`),
  );
/** A text that may be left out, and is of its form where it is not. */
const formed = (is: (t: string) => boolean, message: string) =>
  v.pipe(
    absent,
    v.check((t) => t === '' || is(t), message),
  );
const listed = (is: (t: string) => boolean, message: string) =>
  v.pipe(
    absent,
    v.transform((t) => [...new Set(t.split(',').map((one) => one.trim()))].filter((one) => one)),
    v.everyItem(is, message),
    v.readonly(),
  );
const isWeb = (t: string): boolean => URL.canParse(t) && /^https?:$/.test(new URL(t).protocol);
const isEmail = (t: string): boolean => /^[^\s@<>"]+@[^\s@<>"]+$/.test(t);

const hosts = listed(
  (host) => /^[^\s/@]+:\d+$/.test(host),
  'must be hosts with their ports, separated by commas, as 127.0.0.1:8080',
);
const email = formed(isEmail, 'must be one e-mail address');
/** What is given never stands in a message, for it may hold a password (toSentence). */
const server = (schemes: RegExp, names: string) =>
  formed(
    (t) => schemes.test(t) && URL.canParse(t),
    `must be ${names}, with USER:PASSWORD@ before the host where it asks for them`,
  );

const SettingsSchema = v.object({
  host: text('127.0.0.1'),
  port: integer(4321, 0, 65_535),
  site_url: v.pipe(
    formed(isWeb, 'must be an address that begins with https:// or http://'),
    v.check(
      (t) => !isWeb(t) || new URL(t).pathname === '/',
      'must have no path: the service lives at the root of its host',
    ),
  ),
  /** Null for the town's. */
  site_name: v.pipe(absent, orNull),
  content_dir: path('./content'),
  data_dir: path('./data'),
  bundles_dir: absent,
  /** An ISO instant at which the clock starts; null for the real time. */
  clock_start: v.pipe(
    formed(
      (t) => /(Z|[+-]\d{2}:\d{2})$/.test(t) && !Number.isNaN(Date.parse(t)),
      'must be an instant with an offset, as 2026-11-20T23:59:30+01:00',
    ),
    orNull,
  ),
  /** 0 = never by itself. */
  rebuild_hours: integer(6, 0, 24),
  trust_proxy: integer(0, 0, 10),
  rate_limit: integer(60, 1, 1_000_000),
  rate_limit_key: integer(600, 1, 1_000_000),
  servers: integer(1, 1, 16),
  /** Where they count together; null where each counts for itself. Secret. */
  valkey_url: v.pipe(
    server(/^rediss?:\/\/[^/]/, 'redis://HOST:PORT or rediss://HOST:PORT'),
    orNull,
  ),
  /** Where what is sent in is kept; null for files in DATA_DIR. Secret. */
  database_url: v.pipe(server(/^postgres(ql)?:\/\/[^/]/, 'postgres://HOST:PORT/NAME'), orNull),
  contact_email: v.pipe(email, orNull),
  pictures: integer(1, 0, 1),
  follow: integer(0, 0, 1),
  /** `host:port` of servers that may be private. */
  pictures_allow: hosts,
  calendars_allow: hosts,
  /** The operator's model for texts of flyers; null for none. Secret. */
  draft_model_url: v.pipe(
    formed(isWeb, 'must be an address that begins with https:// or http://'),
    orNull,
  ),
  smtp_url: server(/^smtps?:\/\/[^/]/, 'smtp://HOST:PORT or smtps://HOST:PORT'),
  mail_from: email,
  mail_editors: v.pipe(
    listed(
      isEmail,
      'must be e-mail addresses, separated by commas, as ana@hoy.example,eva@hoy.example',
    ),
    v.maxLength(20, 'must be at most 20 addresses'),
  ),
  mail_hour: integer(8, 0, 23),
  backup_dir: pathOrNull,
  /** How old the newest backup may be before the service makes one; 0 = it makes none. */
  backup_hours: integer(24, 0, 168),
  metrics_host: text('127.0.0.1'),
  metrics_port: integer(0, 0, 65_535),
  log_level: v.optional(
    v.picklist(
      ['debug', 'info', 'warn', 'error', 'silent'],
      'must be debug, info, warn, error or silent',
    ),
    'info',
  ),
  // Set by the release builder for the site's build only.
  /** The snapshot that the site is built from; null outside a build of the site. */
  snapshot_path: pathOrNull,
  /** Where the site is built to; null for Astro's own default. */
  out_dir: pathOrNull,
  /** Which of the servers on its port it is, from 0; set by the first for the others. */
  server_index: integer(0, 0, 15),
});
type Settings = v.InferOutput<typeof SettingsSchema>;

export const SETTING_NAMES: readonly string[] = [
  'env_file',
  ...Object.keys(SettingsSchema.entries),
].map((name) => name.toUpperCase());

export type Config = ReturnType<typeof loadConfig>;
export type MailSettings = NonNullable<Config['mail']>;

/**
 * The settings of an environment, frozen. Throws one Error that names every wrong variable and what
 * is accepted.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const given = Object.keys(SettingsSchema.entries).map((name) => [
    name,
    env[name.toUpperCase()] || undefined,
  ]);
  const result = v.safeParse(SettingsSchema, Object.fromEntries(given));
  if (!result.success) refuse(result.issues.map(toSentence));
  const settings = result.output;
  const { port, data_dir, bundles_dir, metrics_host, metrics_port } = settings;
  /** `{base_url}` without a slash at its end. */
  const site_url = settings.site_url
    ? new URL(settings.site_url).origin
    : `http://localhost:${port}`;
  return Object.freeze({
    ...settings,
    site_url,
    pictures: settings.pictures === 1,
    follow: settings.follow === 1,
    bundles_dir: resolve(bundles_dir || join(data_dir, 'bundles')),
    mail: toMail(settings),
    metrics:
      metrics_port === 0
        ? null
        : ({ host: metrics_host, port: metrics_port, setting: 'METRICS_PORT' } as const),
    /** The file of settings that ENV_FILE names; empty for none, null for the usual one. */
    env_file: env.ENV_FILE ?? null,
  });
}

/** What was given stands in it, but where that may be a secret. */
function toSentence(issue: v.BaseIssue<unknown>): string {
  const name = v.getDotPath(issue)?.toUpperCase() ?? '';
  const is_secret = /^(SMTP|VALKEY|DATABASE|DRAFT_MODEL)_URL$/.test(name);
  return `${name}: ${issue.message}${is_secret ? '' : ` (it is '${String(issue.input)}')`}`;
}

function refuse(sentences: readonly string[]): never {
  throw new Error(`The environment has wrong settings:\n  ${sentences.join('\n  ')}`);
}

/** Who writes, by which server (secret), and whom it tells once a day from a local hour on what waits. */
function toMail({ smtp_url, mail_from: from, mail_editors: editors, mail_hour: hour }: Settings) {
  if (smtp_url === '' && (from !== '' || editors.length > 0))
    refuse(['SMTP_URL: must be set where MAIL_FROM or MAIL_EDITORS is']);
  if (smtp_url !== '' && from === '')
    refuse(['MAIL_FROM: must say which address mail comes from, as agenda@hoy.example']);
  return smtp_url === '' ? null : { smtp_url, from, editors, hour };
}

/** The environment for a child process: this one's, with settings added. */
export function childEnv(
  added: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { ...process.env, ...added };
}

/**
 * Puts the file of settings that ENV_FILE names, or else `usual`, into the environment; what is set there
 * stays. Throws where a file is named that is not there.
 */
export function loadEnvFile(usual: string): void {
  const { ENV_FILE: file = usual } = process.env;
  // Nobody needs to have one.
  if (file === '' || (file === usual && !existsSync(file))) return;
  if (!existsSync(file))
    throw new Error(`ENV_FILE: there is no ${file}. Name the file of settings, or leave it out`);
  process.loadEnvFile(file);
}

let spare_town = '';
/** For what writes a town or puts it back: the one to read where that of CONTENT_DIR is not there yet. */
export function setFallbackTown(folder: string): void {
  spare_town = folder;
}

export function townDir(): string {
  const { content_dir } = loadConfig();
  return spare_town === '' || existsSync(join(content_dir, 'town.yml')) ? content_dir : spare_town;
}
