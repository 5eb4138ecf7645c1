// An HTTP request and its response as plain values, without sockets; what carries JSON, and the media type
// of a file.
import { basename, extname } from 'node:path';

export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** The path as sent, still percent-encoded. */
  readonly path: string;
  /** What follows the question mark, as sent; empty where there is none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A response before it is encoded (representation.ts). */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null where there is none (304, 204). */
  readonly body: Buffer | string | null;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export const toJsonResponse = (
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
  '.geojson': 'application/geo+json; charset=utf-8',
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

/** The type of a file; an unknown ending is bytes and nothing more. */
export const toContentType = (file: string): string =>
  NAMED[basename(file)] ?? TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
