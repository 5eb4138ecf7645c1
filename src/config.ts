// Configuration: reads and validates all settings from the environment, the only module that does
// (README, Configuration).
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';

/** Schema of a text with a default. */
const textWithDefault = (fallback: string) =>
  v.optional(v.pipe(v.string(), v.trim(), v.minLength(1, 'must not be empty')), fallback);
/** Schema of a text; empty if it is missing. */
const optionalText = v.optional(v.pipe(v.string(), v.trim()), '');
const emptyToNull = v.transform((t: string) => t || null);
/** Schema of a path, resolved to an absolute one. */
const path = (fallback: string) =>
  v.pipe(
    textWithDefault(fallback),
    v.transform((t) => resolve(t)),
  );
const pathOrNull = v.pipe(
  optionalText,
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
/** Schema of an optional text that must satisfy a condition. */
const optionalMatching = (isValid: (t: string) => boolean, message: string) =>
  v.pipe(
    optionalText,
    v.check((t) => t === '' || isValid(t), message),
  );
/** Schema of a list of distinct values separated by commas; empty if it is missing. */
const commaSeparated = (isValid: (t: string) => boolean, message: string) =>
  v.pipe(
    optionalText,
    v.transform((t) =>
      [...new Set(t.split(',').map((item) => item.trim()))].filter((item) => item),
    ),
    v.everyItem(isValid, message),
    v.readonly(),
  );
const isWebUrl = (t: string): boolean => URL.canParse(t) && /^https?:$/.test(new URL(t).protocol);
const isEmail = (t: string): boolean => /^[^\s@<>"]+@[^\s@<>"]+$/.test(t);

const hosts = commaSeparated(
  (host) => /^[^\s/@]+:\d+$/.test(host),
  'must be hosts with ports, separated by commas, such as 127.0.0.1:8080',
);
const email = optionalMatching(isEmail, 'must be one e-mail address');
/**
 * Schema of a server URL. Its value never appears in a message, as it may contain a password
 * (formatSettingIssue).
 */
const server = (schemes: RegExp, forms: string) =>
  optionalMatching(
    (t) => schemes.test(t) && URL.canParse(t),
    `must be ${forms}, with USER:PASSWORD@ before the host if the server requires them`,
  );

/** All settings. A name in capitals is the environment variable; README describes each. */
const SettingsSchema = v.object({
  host: textWithDefault('127.0.0.1'),
  port: integer(4321, 0, 65_535),
  site_url: v.pipe(
    optionalMatching(isWebUrl, 'must be a URL that begins with https:// or http://'),
    v.check(
      (t) => !isWebUrl(t) || new URL(t).pathname === '/',
      'must not have a path: the service runs at the root of its host',
    ),
  ),
  /** Null for the town's name. */
  site_name: v.pipe(optionalText, emptyToNull),
  content_dir: path('./content'),
  data_dir: path('./data'),
  /** Empty for DATA_DIR/bundles. */
  bundles_dir: optionalText,
  /** Size of the cached pages in DATA_DIR; 0 = none. */
  page_cache_mb: integer(256, 0, 1_000_000),
  /** An ISO instant at which the clock starts; null for the real time. */
  clock_start: v.pipe(
    optionalMatching(
      (t) => /(Z|[+-]\d{2}:\d{2})$/.test(t) && !Number.isNaN(Date.parse(t)),
      'must be a time with an offset, such as 2026-11-20T23:59:30+01:00',
    ),
    emptyToNull,
  ),
  /** 0 = no scheduled builds. */
  rebuild_hours: integer(6, 0, 24),
  /** Number of proxies in front, each of which appends the client's address to X-Forwarded-For. */
  trust_proxy: integer(0, 0, 10),
  /** Requests per minute and address. */
  rate_limit: integer(60, 1, 1_000_000),
  /** Requests per minute and API key. */
  rate_limit_key: integer(600, 1, 1_000_000),
  /** Number of processes that share the port. */
  servers: integer(1, 1, 16),
  /**
   * Valkey server for rate limits shared by all servers; null if each server counts alone. Secret.
   */
  valkey_url: v.pipe(
    server(/^rediss?:\/\/[^/]/, 'redis://HOST:PORT or rediss://HOST:PORT'),
    emptyToNull,
  ),
  /** PostgreSQL database of the inbox; null for SQLite files in DATA_DIR. Secret. */
  database_url: v.pipe(server(/^postgres(ql)?:\/\/[^/]/, 'postgres://HOST:PORT/NAME'), emptyToNull),
  contact_email: v.pipe(email, emptyToNull),
  /** 1 = fetch and store event pictures. */
  pictures: integer(1, 0, 1),
  /** 1 = poll the followed sources. */
  follow: integer(0, 0, 1),
  /** `host:port` of servers that may be fetched from although they are private. */
  pictures_allow: hosts,
  calendars_allow: hosts,
  /** The operator's model for flyer texts, if any. Secret. */
  draft_model_url: v.pipe(
    optionalMatching(isWebUrl, 'must be a URL that begins with https:// or http://'),
    emptyToNull,
  ),
  /** Mail server; empty for no email. Secret. */
  smtp_url: server(/^smtps?:\/\/[^/]/, 'smtp://HOST:PORT or smtps://HOST:PORT'),
  mail_from: email,
  /** Recipients of the daily review email. */
  mail_editors: v.pipe(
    commaSeparated(
      isEmail,
      'must be e-mail addresses, separated by commas, such as ana@hoy.example,eva@hoy.example',
    ),
    v.maxLength(20, 'must be at most 20 addresses'),
  ),
  /** Local hour of the daily review email. */
  mail_hour: integer(8, 0, 23),
  backup_dir: pathOrNull,
  /** Age of the newest backup at which the service creates another; 0 = never. */
  backup_hours: integer(24, 0, 168),
  metrics_host: textWithDefault('127.0.0.1'),
  /** 0 = no metrics. */
  metrics_port: integer(0, 0, 65_535),
  log_level: v.optional(
    v.picklist(
      ['debug', 'info', 'warn', 'error', 'silent'],
      'must be debug, info, warn, error or silent',
    ),
    'info',
  ),
  // The release builder sets the next two, only for the site's build.
  /** Snapshot of the site's build; null outside of one. */
  snapshot_path: pathOrNull,
  /** Output folder of the site's build; null for Astro's default. */
  out_dir: pathOrNull,
  /**
   * Index among the server processes on the same port, from 0; process 0 sets it for the others.
   */
  server_index: integer(0, 0, 15),
});
type Settings = v.InferOutput<typeof SettingsSchema>;

/** Names of all environment variables. */
export const SETTING_NAMES: readonly string[] = [
  'env_file',
  ...Object.keys(SettingsSchema.entries),
].map((name) => name.toUpperCase());

export type Config = ReturnType<typeof loadConfig>;
export type MailSettings = NonNullable<Config['mail']>;

/**
 * Loads the settings from an environment, frozen.
 * @throws one Error that lists all invalid variables with the accepted values.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const values = Object.keys(SettingsSchema.entries).map((name) => [
    name,
    env[name.toUpperCase()] || undefined,
  ]);
  const result = v.safeParse(SettingsSchema, Object.fromEntries(values));
  if (!result.success) throwInvalid(result.issues.map(formatSettingIssue));
  const settings = result.output;
  const { port, data_dir, bundles_dir, metrics_host, metrics_port } = settings;
  /** `{base_url}` without a trailing slash. */
  const site_url = settings.site_url
    ? new URL(settings.site_url).origin
    : `http://localhost:${port}`;
  return Object.freeze({
    ...settings,
    site_url,
    pictures: settings.pictures === 1,
    follow: settings.follow === 1,
    bundles_dir: resolve(bundles_dir || join(data_dir, 'bundles')),
    mail: buildMailSettings(settings),
    metrics:
      metrics_port === 0
        ? null
        : ({ host: metrics_host, port: metrics_port, setting: 'METRICS_PORT' } as const),
    /** Settings file from ENV_FILE; empty for none, null for the default one. */
    env_file: env.ENV_FILE ?? null,
  });
}

/** Formats an issue with the given value, unless it may be a secret. */
function formatSettingIssue(issue: v.BaseIssue<unknown>): string {
  const name = v.getDotPath(issue)?.toUpperCase() ?? '';
  const is_secret = /^(SMTP|VALKEY|DATABASE|DRAFT_MODEL)_URL$/.test(name);
  return `${name}: ${issue.message}${is_secret ? '' : ` (got '${String(issue.input)}')`}`;
}

/** Throws one error with a line for each invalid setting. */
function throwInvalid(messages: readonly string[]): never {
  throw new Error(`Invalid settings:\n  ${messages.join('\n  ')}`);
}

/**
 * Builds the mail settings: server (secret), sender, and the editors who receive the daily digest,
 * with its local hour.
 */
function buildMailSettings({
  smtp_url,
  mail_from: from,
  mail_editors: editors,
  mail_hour: hour,
}: Settings) {
  if (smtp_url === '' && (from !== '' || editors.length > 0))
    throwInvalid(['SMTP_URL: missing, but MAIL_FROM or MAIL_EDITORS is set. Set it or omit both']);
  if (smtp_url !== '' && from === '')
    throwInvalid(['MAIL_FROM: missing. Set the sender address, such as agenda@hoy.example']);
  return smtp_url === '' ? null : { smtp_url, from, editors, hour };
}

/** Returns the environment for a child process: the current one with additions. */
export function childEnv(
  additions: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { ...process.env, ...additions };
}

/**
 * Loads the settings file from ENV_FILE, or else `default_file`, into the environment; variables
 * already set keep their value. The default file is optional.
 * @throws Error if ENV_FILE names a file that does not exist.
 */
export function loadEnvFile(default_file: string): void {
  const { ENV_FILE: file = default_file } = process.env;
  if (file === '' || (file === default_file && !existsSync(file))) return;
  if (!existsSync(file))
    throw new Error(
      `ENV_FILE: ${file} does not exist. Set the path of the settings file, or omit it`,
    );
  process.loadEnvFile(file);
}

let fallback_town = '';
/**
 * Sets the town folder to use if CONTENT_DIR has no town yet, for commands that create or restore
 * one.
 */
export function setFallbackTown(folder: string): void {
  fallback_town = folder;
}

/** Returns CONTENT_DIR, or the fallback town if it has no town.yml. */
export function townDir(): string {
  const { content_dir } = loadConfig();
  return fallback_town === '' || existsSync(join(content_dir, 'town.yml'))
    ? content_dir
    : fallback_town;
}
