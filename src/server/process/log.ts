// The log: one JSON object a line on stdout, without anything that says who sent a request, and
// nothing secret.
import { type Logger, pino } from 'pino';
import type { Config } from '../../config.ts';
import { LANGS } from '../../domain/lang.ts';
import { decodePath, toCanonicalPath } from '../../http/address.ts';
import { toStatusPath, toUploadPath } from '../../i18n/paths.ts';

/** A logger of the level that the configuration names. */
export function createLog(config: Pick<Config, 'log_level'>): Logger {
  return pino({
    level: config.log_level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}

const MAX_PATH_LENGTH = 200;
const SECRET = [...LANGS.map((lang) => toStatusPath('', lang)), toUploadPath('')];

/** The path of an address without its query; the secret part of one is cut off. */
export function toLoggedPath(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  // Secret in any spelling: encoded, with doubled slashes, in capitals.
  const plain = toCanonicalPath(decodePath(path) ?? path).toLowerCase();
  const secret = SECRET.find((start) => plain.startsWith(start));
  return secret ?? path.slice(0, MAX_PATH_LENGTH);
}
