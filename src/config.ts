// The only reader of the environment: every setting, its default and its rule (README,
// Configuration).
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import {
  absent,
  email,
  emails,
  hosts,
  instant,
  integer,
  isTiles,
  origins,
  smtp,
  text,
  tiles,
} from './config/setting-rules.ts';

const EnvSchema = v.object({
  HOST: text('127.0.0.1'),
  PORT: integer(4321, 0, 65_535),
  SITE_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (t) => URL.canParse(t) && /^https?:$/.test(new URL(t).protocol),
        'must be an address that begins with https:// or http://',
      ),
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
  CLOCK_START: instant,
  REBUILD_HOURS: integer(6, 0, 24),
  TRUST_PROXY: integer(0, 0, 10),
  RATE_LIMIT: integer(60, 1, 1_000_000),
  RATE_LIMIT_KEY: integer(600, 1, 1_000_000),
  WORKERS: integer(availableParallelism(), 1, 64),
  CONTACT_EMAIL: email,
  PICTURES: integer(1, 0, 1),
  PICTURES_ALLOW: hosts,
  CALENDARS_ALLOW: hosts,
  TILES_URL: tiles,
  TILES_ATTRIBUTION: absent,
  TILES_ALLOW: origins,
  SMTP_URL: smtp,
  MAIL_FROM: email,
  MAIL_EDITORS: emails,
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
  // Set by the primary process for its workers only, so that all show the same time to the
  // millisecond.
  SERVICE: absent,
  CLOCK_OFFSET_MS: v.optional(
    v.pipe(v.string(), v.regex(/^-?\d+$/, 'must be a whole number'), v.transform(Number)),
  ),
});

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = ['ENV_FILE', ...Object.keys(EnvSchema.entries)];

/** Where the map with streets comes from. */
export interface TileSettings {
  /** `https://…/{z}/{x}/{y}.png`, or the address of a style in JSON. */
  readonly url: string;
  /** Whose map it is, plain text; may be empty for a style, which says it itself. */
  readonly attribution: string;
  /** Further origins that a style loads from. */
  readonly allow: readonly string[];
}

/** How mail is sent. */
export interface MailSettings {
  /** `smtp://` or `smtps://`, with what the server asks for. Secret. */
  readonly smtp_url: string;
  /** Who writes. */
  readonly from: string;
  /** Who is written to about what waits. */
  readonly editors: readonly string[];
  /** The hour in Cancún from which they are told once a day. */
  readonly hour: number;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  /** `{base_url}` without a slash at its end. */
  readonly site_url: string;
  readonly site_name: string;
  readonly content_dir: string;
  readonly data_dir: string;
  /** Where the built code of the pages is kept. */
  readonly bundles_dir: string;
  /** An ISO instant at which the clock starts, or null for the real time. */
  readonly clock_start: string | null;
  /** 0 = never by itself. */
  readonly rebuild_hours: number;
  readonly trust_proxy: number;
  readonly rate_limit: number;
  readonly rate_limit_key: number;
  readonly workers: number;
  readonly contact_email: string | null;
  /** Whether a release fetches the pictures of its events. */
  readonly pictures: boolean;
  /** `host:port` of picture servers that may be private. */
  readonly pictures_allow: readonly string[];
  /** `host:port` of calendar servers that may be private. */
  readonly calendars_allow: readonly string[];
  /** The map with streets; null where there is none. */
  readonly tiles: TileSettings | null;
  /** Null where nothing is mailed. */
  readonly mail: MailSettings | null;
  /** Where backups lie; null where none is named. */
  readonly backup_dir: string | null;
  /** How old the newest may be before the service makes one; 0 = it makes none. */
  readonly backup_hours: number;
  /** Where /metrics is served; null where nothing is measured. */
  readonly metrics: {
    readonly host: string;
    readonly port: number;
    readonly setting: 'METRICS_PORT';
  } | null;
  readonly log_level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** The file of settings that ENV_FILE names; empty for none, null for the usual one. */
  readonly env_file: string | null;
  /** Whether npm start began this process. */
  readonly is_npm_start: boolean;
  /** The snapshot that the site is built from; null outside a release build. */
  readonly snapshot_path: string | null;
  /** Where the site is built to; null for Astro's own default. */
  readonly out_dir: string | null;
  /** The name of the service that a worker belongs to; null outside a worker. */
  readonly service: string | null;
  /** How far a worker's clock stands from the real time; null outside a worker. */
  readonly clock_offset_ms: number | null;
}

/**
 * The settings of an environment, frozen. Throws one Error that names every wrong variable and what
 * is accepted.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const known = Object.fromEntries(
    Object.keys(EnvSchema.entries).map((name) => [name, env[name] || undefined]),
  );
  const result = v.safeParse(EnvSchema, known);
  if (!result.success) {
    const issues = result.issues.map(
      (issue) => `${v.getDotPath(issue)}: ${issue.message}${toGiven(issue)}`,
    );
    throw new Error(
      `The environment has ${issues.length === 1 ? 'a wrong setting' : 'wrong settings'}:\n  ${issues.join('\n  ')}`,
    );
  }
  const e = result.output;
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
    bundles_dir: resolve(e.BUNDLES_DIR || join(e.DATA_DIR, 'bundles')),
    clock_start: e.CLOCK_START || null,
    rebuild_hours: e.REBUILD_HOURS,
    trust_proxy: e.TRUST_PROXY,
    rate_limit: e.RATE_LIMIT,
    rate_limit_key: e.RATE_LIMIT_KEY,
    workers: e.WORKERS,
    contact_email: e.CONTACT_EMAIL || null,
    pictures: e.PICTURES === 1,
    pictures_allow: e.PICTURES_ALLOW,
    calendars_allow: e.CALENDARS_ALLOW,
    tiles:
      e.TILES_URL === ''
        ? null
        : { url: e.TILES_URL, attribution: e.TILES_ATTRIBUTION, allow: e.TILES_ALLOW },
    mail:
      e.SMTP_URL === ''
        ? null
        : { smtp_url: e.SMTP_URL, from: e.MAIL_FROM, editors: e.MAIL_EDITORS, hour: e.MAIL_HOUR },
    backup_dir: e.BACKUP_DIR ? resolve(e.BACKUP_DIR) : null,
    backup_hours: e.BACKUP_HOURS,
    metrics: e.METRICS_PORT === 0 ? null : toMetrics(e.METRICS_HOST, e.METRICS_PORT),
    log_level: e.LOG_LEVEL,
    env_file: env.ENV_FILE ?? null,
    is_npm_start: e.npm_lifecycle_event === 'start',
    snapshot_path: e.SNAPSHOT_PATH ? resolve(e.SNAPSHOT_PATH) : null,
    out_dir: e.OUT_DIR ? resolve(e.OUT_DIR) : null,
    service: e.SERVICE || null,
    clock_offset_ms: e.CLOCK_OFFSET_MS ?? null,
  });
}

const toMetrics = (host: string, port: number): Config['metrics'] => ({
  ...{ host, port },
  setting: 'METRICS_PORT',
});

/** What was given, but where it may be a secret. */
const toGiven = (issue: v.BaseIssue<unknown>): string =>
  v.getDotPath(issue) === 'SMTP_URL' ? '' : ` (it is '${String(issue.input)}')`;

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
