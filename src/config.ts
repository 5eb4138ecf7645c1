// The only reader of the environment: every setting, its default and its rule (README,
// Configuration).
import { join, resolve } from 'node:path';
import * as v from 'valibot';

/** A text that may be left out, never empty. */
const text = (fallback: string) =>
  v.optional(v.pipe(v.string(), v.trim(), v.minLength(1, 'must not be empty')), fallback);
/** A text that may be left out, then empty. */
const absent = v.optional(v.pipe(v.string(), v.trim()), '');
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
/** Texts of a form, separated by commas. */
const listed = (is: (t: string) => boolean, message: string) =>
  v.pipe(
    absent,
    v.transform((t) => [...new Set(t.split(',').map((one) => one.trim()))].filter((one) => one)),
    v.everyItem(is, message),
    v.readonly(),
  );
const isWeb = (t: string): boolean => URL.canParse(t) && /^https?:$/.test(new URL(t).protocol);
const isTiles = (t: string): boolean => ['{z}', '{x}', '{y}'].every((place) => t.includes(place));
const isEmail = (t: string): boolean => /^[^\s@<>"]+@[^\s@<>"]+$/.test(t);

const hosts = listed(
  (host) => /^[^\s/@]+:\d+$/.test(host),
  'must be hosts with their ports, separated by commas, as 127.0.0.1:8080',
);
const email = formed(isEmail, 'must be one e-mail address');
/** What is given never stands in a message, for it may hold a password (toGiven). */
const server = (schemes: RegExp, names: string) =>
  formed(
    (t) => schemes.test(t) && URL.canParse(t),
    `must be ${names}, with USER:PASSWORD@ before the host where it asks for them`,
  );

const EnvSchema = v.object({
  HOST: text('127.0.0.1'),
  PORT: integer(4321, 0, 65_535),
  SITE_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(isWeb, 'must be an address that begins with https:// or http://'),
      v.check(
        (t) => !URL.canParse(t) || new URL(t).pathname === '/',
        'must have no path: the service lives at the root of its host',
      ),
      v.transform((t) => new URL(t).origin),
    ),
  ),
  SITE_NAME: text('Hoy Cancún'),
  CONTENT_DIR: text('./content'),
  DATA_DIR: text('./data'),
  BUNDLES_DIR: absent,
  CLOCK_START: v.pipe(
    formed(
      (t) => /(Z|[+-]\d{2}:\d{2})$/.test(t),
      'must be an instant with an offset, as 2026-11-20T23:59:30-05:00',
    ),
    v.check(
      (t) => t === '' || !Number.isNaN(Date.parse(t)),
      'must be an instant that exists, as 2026-11-20T23:59:30-05:00',
    ),
  ),
  REBUILD_HOURS: integer(6, 0, 24),
  TRUST_PROXY: integer(0, 0, 10),
  RATE_LIMIT: integer(60, 1, 1_000_000),
  RATE_LIMIT_KEY: integer(600, 1, 1_000_000),
  SERVERS: integer(1, 1, 16),
  VALKEY_URL: server(/^rediss?:\/\/[^/]/, 'redis://HOST:PORT or rediss://HOST:PORT'),
  CONTACT_EMAIL: email,
  PICTURES: integer(1, 0, 1),
  PICTURES_ALLOW: hosts,
  CALENDARS_ALLOW: hosts,
  TILES_URL: v.pipe(
    formed(isWeb, 'must be an address that begins with https:// or http://'),
    v.check(
      (t) => !isWeb(t) || isTiles(t) || /\.json$/.test(new URL(t).pathname),
      'must have {z}, {x} and {y} in it, or be the address of a style that ends with .json',
    ),
  ),
  TILES_ATTRIBUTION: absent,
  TILES_ALLOW: listed(
    (origin) => isWeb(origin) && new URL(origin).origin === origin,
    'must be origins without a path, separated by commas, as https://fonts.example',
  ),
  SMTP_URL: server(/^smtps?:\/\/[^/]/, 'smtp://HOST:PORT or smtps://HOST:PORT'),
  MAIL_FROM: email,
  MAIL_EDITORS: v.pipe(
    listed(
      isEmail,
      'must be e-mail addresses, separated by commas, as ana@hoy.example,eva@hoy.example',
    ),
    v.maxLength(20, 'must be at most 20 addresses'),
  ),
  MAIL_HOUR: integer(8, 0, 23),
  BACKUP_DIR: absent,
  BACKUP_HOURS: integer(24, 0, 168),
  METRICS_HOST: text('127.0.0.1'),
  METRICS_PORT: integer(0, 0, 65_535),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['debug', 'info', 'warn', 'error', 'silent'],
      'must be debug, info, warn, error or silent',
    ),
    'info',
  ),
  // Set by npm for what it starts.
  npm_lifecycle_event: absent,
  // Set by the release builder for the site's build only.
  SNAPSHOT_PATH: absent,
  OUT_DIR: absent,
  // Set by the first server for the others on its port.
  SERVER_INDEX: integer(0, 0, 15),
});

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = ['ENV_FILE', ...Object.keys(EnvSchema.entries)];

export type Config = ReturnType<typeof readConfig>;
/** How mail is sent. */
export type MailSettings = NonNullable<Config['mail']>;

/**
 * The settings of an environment, frozen. Throws one Error that names every wrong variable and what
 * is accepted.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const known = Object.keys(EnvSchema.entries).map((name) => [name, env[name] || undefined]);
  const result = v.safeParse(EnvSchema, Object.fromEntries(known));
  if (!result.success) {
    const issues = result.issues.map(
      (issue) => `${v.getDotPath(issue)}: ${issue.message}${toGiven(issue)}`,
    );
    throw new Error(
      `The environment has ${issues.length === 1 ? 'a wrong setting' : 'wrong settings'}:\n  ${issues.join('\n  ')}`,
    );
  }
  const e = result.output;
  /** `{base_url}` without a slash at its end. */
  const site_url = e.SITE_URL ?? `http://localhost:${e.PORT}`;
  checkTiles(e, site_url);
  checkMail(e);
  return Object.freeze({
    host: e.HOST,
    port: e.PORT,
    site_url,
    site_name: e.SITE_NAME,
    content_dir: resolve(e.CONTENT_DIR),
    data_dir: resolve(e.DATA_DIR),
    /** Where the built code of the pages is kept. */
    bundles_dir: resolve(e.BUNDLES_DIR || join(e.DATA_DIR, 'bundles')),
    /** An ISO instant at which the clock starts; null for the real time. */
    clock_start: e.CLOCK_START || null,
    /** 0 = never by itself. */
    rebuild_hours: e.REBUILD_HOURS,
    trust_proxy: e.TRUST_PROXY,
    rate_limit: e.RATE_LIMIT,
    rate_limit_key: e.RATE_LIMIT_KEY,
    /** Server processes on the same port. */
    servers: e.SERVERS,
    /** Where they count together; null where each counts for itself. Secret. */
    valkey_url: e.VALKEY_URL || null,
    contact_email: e.CONTACT_EMAIL || null,
    /** Whether a release fetches the pictures of its events. */
    pictures: e.PICTURES === 1,
    /** `host:port` of servers that may be private. */
    pictures_allow: e.PICTURES_ALLOW,
    calendars_allow: e.CALENDARS_ALLOW,
    /** The map with streets: its tiles or a style, whose map it is, further origins that a style loads from. */
    tiles:
      e.TILES_URL === ''
        ? null
        : { url: e.TILES_URL, attribution: e.TILES_ATTRIBUTION, allow: e.TILES_ALLOW },
    /** Who writes, by which server (secret), and whom it tells once a day from an hour of Cancún on what waits. */
    mail:
      e.SMTP_URL === ''
        ? null
        : { smtp_url: e.SMTP_URL, from: e.MAIL_FROM, editors: e.MAIL_EDITORS, hour: e.MAIL_HOUR },
    backup_dir: e.BACKUP_DIR ? resolve(e.BACKUP_DIR) : null,
    /** How old the newest backup may be before the service makes one; 0 = it makes none. */
    backup_hours: e.BACKUP_HOURS,
    /** Where /metrics is served. */
    metrics:
      e.METRICS_PORT === 0
        ? null
        : ({ host: e.METRICS_HOST, port: e.METRICS_PORT, setting: 'METRICS_PORT' } as const),
    log_level: e.LOG_LEVEL,
    /** The file of settings that ENV_FILE names; empty for none, null for the usual one. */
    env_file: env.ENV_FILE ?? null,
    is_npm_start: e.npm_lifecycle_event === 'start',
    /** The snapshot that the site is built from; null outside a build of the site. */
    snapshot_path: e.SNAPSHOT_PATH ? resolve(e.SNAPSHOT_PATH) : null,
    /** Where the site is built to; null for Astro's own default. */
    out_dir: e.OUT_DIR ? resolve(e.OUT_DIR) : null,
    /** Which of the servers on its port it is, from 0. */
    server_index: e.SERVER_INDEX,
  });
}

/** What was given, but where it may be a secret. */
const toGiven = (issue: v.BaseIssue<unknown>): string =>
  ['SMTP_URL', 'VALKEY_URL'].includes(v.getDotPath(issue) ?? '')
    ? ''
    : ` (it is '${String(issue.input)}')`;

/** Throws an Error for a setting that is wrong beside another. */
function refuse(sentence: string): never {
  throw new Error(`The environment has a wrong setting:\n  ${sentence}`);
}

/** What the settings of mail ask of each other. Throws an Error that says it. */
function checkMail({
  SMTP_URL: url,
  MAIL_FROM: from,
  MAIL_EDITORS: editors,
}: v.InferOutput<typeof EnvSchema>): void {
  if (url === '' && (from !== '' || editors.length > 0))
    refuse('SMTP_URL: must be set where MAIL_FROM or MAIL_EDITORS is');
  if (url !== '' && from === '')
    refuse('MAIL_FROM: must say which address mail comes from, as agenda@hoy.example');
}

/** What the settings of the map with streets ask of each other. Throws an Error that says it. */
function checkTiles(
  { TILES_URL: url, TILES_ATTRIBUTION, TILES_ALLOW }: v.InferOutput<typeof EnvSchema>,
  site_url: string,
): void {
  if (url === '') {
    if (TILES_ATTRIBUTION !== '' || TILES_ALLOW.length > 0)
      refuse('TILES_URL: must be set where TILES_ATTRIBUTION or TILES_ALLOW is');
    return;
  }
  if (isTiles(url) && TILES_ATTRIBUTION === '')
    refuse('TILES_ATTRIBUTION: must say whose map it is, as © OpenStreetMap contributors');
  if (site_url.startsWith('https:') && [url, ...TILES_ALLOW].some((t) => t.startsWith('http:')))
    refuse('TILES_URL: must begin with https:// where SITE_URL does, as must TILES_ALLOW');
}

/** The environment for a child process: this one's, with settings added. */
export function toChildEnv(
  added: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { ...process.env, ...added };
}

/**
 * Puts the file of settings that ENV_FILE names, or else `usual`, into the environment; what is set there
 * stays. Throws where a file is named that is not there.
 */
export function loadSettings(usual: string): void {
  const { ENV_FILE } = process.env;
  if (ENV_FILE === '') return;
  try {
    process.loadEnvFile(ENV_FILE ?? usual);
  } catch (thrown) {
    const is_missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    if (!is_missing) throw thrown;
    // Nobody needs to have one.
    if (ENV_FILE !== undefined)
      throw new Error(
        `ENV_FILE: there is no ${ENV_FILE}. Name the file of settings, or leave it out`,
      );
  }
}
