// The content type of a file by its name, and the address it answers.
import { basename, extname } from 'node:path';

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
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** A Markdown file under the name that its readers look for (llmstxt.org). */
const NAMED: Readonly<Record<string, string>> = { 'llms.txt': 'text/markdown; charset=utf-8' };

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
