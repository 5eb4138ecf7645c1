// What a file of a site is: its address, its media type, the tag of its bytes.
import { hash } from 'node:crypto';
import { basename, extname } from 'node:path';

/** Characters of every tag. */
export const TAG_LENGTH = 22;

/** Stands for bytes before any coding: sha-256 in base64url, 22 characters. */
export const toTag = (bytes: Uint8Array | string): string =>
  hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH);

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
export function toContentType(file: string): string {
  return NAMED[basename(file)] ?? TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
}

/** The address of a file of site/client: pages without `.html`, `index.html` as its folder. */
export function toFileAddress(file: string): string {
  const path = `/${file}`;
  if (path.endsWith('/index.html')) return path.slice(0, -'/index.html'.length) || '/';
  return path.endsWith('.html') ? path.slice(0, -'.html'.length) : path;
}
