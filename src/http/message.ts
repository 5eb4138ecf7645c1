// HTTP messages: represent requests and responses as plain values without sockets, with helpers for
// paths, JSON responses and media types (contract 7.3, 7.7).
import { basename, extname } from 'node:path';

export interface HttpRequest {
  readonly method: string;
  /** The path as sent, still percent-encoded. */
  readonly path: string;
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | null;
}

/** Longer path-and-query strings are rejected with 414. */
export const MAX_URL_LENGTH = 8192;

/** Percent-decodes a path. @returns null if it is malformed or contains control characters. */
export function decodePath(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected
    return /[\u0000-\u001f\u007f]/.test(decoded) ? null : decoded;
  } catch {
    return null;
  }
}

/**
 * Removes repeated slashes, backslashes and a trailing slash, so that a path never begins with
 * `//host`.
 */
export const canonicalizePath = (path: string): string =>
  `/${path
    .split(/[/\\]+/)
    .filter((part) => part !== '')
    .join('/')}`;

export const JSON_TYPE = 'application/json; charset=utf-8';

export const createJsonResponse = (
  status: number,
  value: unknown,
  headers: HttpResponse['headers'] = {},
): HttpResponse => ({
  status,
  headers: { 'content-type': JSON_TYPE, ...headers },
  body: JSON.stringify(value),
});

const TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.ics': 'text/calendar; charset=utf-8',
  '.atom': 'application/atom+xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.jsonl': 'application/jsonl; charset=utf-8',
  '.sqlite': 'application/vnd.sqlite3',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Media types of files with a well-known name (llmstxt.org; sha256sum). */
const TYPES_BY_NAME: Readonly<Record<string, string>> = {
  'llms.txt': 'text/markdown; charset=utf-8',
  SHA256SUMS: 'text/plain; charset=utf-8',
};

export const contentTypeOf = (file: string): string =>
  TYPES_BY_NAME[basename(file)] ??
  TYPES_BY_EXTENSION[extname(file).toLowerCase()] ??
  'application/octet-stream';
