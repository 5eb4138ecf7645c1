// An HTTP request and its response as plain values, without sockets; its path, what carries JSON, and the
// media type of a file (contract 7.3, 7.7).
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

/** Longer paths with their query are refused (414). */
export const MAX_URL_LENGTH = 8192;

export function decodePath(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses
    return /[\u0000-\u001f\u007f]/.test(decoded) ? null : decoded;
  } catch {
    return null;
  }
}

/** Without doubled slashes, backslashes or one at its end; never begins with two, which would name a host. */
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

const TYPES: Readonly<Record<string, string>> = {
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

/** Files under the names that their readers look for (llmstxt.org; sha256sum). */
const NAMED: Readonly<Record<string, string>> = {
  'llms.txt': 'text/markdown; charset=utf-8',
  SHA256SUMS: 'text/plain; charset=utf-8',
};

export const contentTypeOf = (file: string): string =>
  NAMED[basename(file)] ?? TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
