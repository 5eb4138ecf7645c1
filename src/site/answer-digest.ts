// What a page is made of, as one short text: the same digest, the same page by the same code.
import { createHash } from 'node:crypto';
import { resolvePage } from './answer.ts';
import { parsePagePath } from './page-request.ts';
import type { SiteState } from './state.ts';

/** Maps and sets as lists; what has no form as text (a function) would be missed, so it is refused. */
function toPlain(_key: string, value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) return [...value];
  if (typeof value === 'function') throw new Error('A page was given a function: give it values');
  return value;
}

/**
 * The digest of the values that the page at a path is rendered from, sha-256 in base64url, 22
 * characters; null where the path is no page of the snapshot, so that only its bytes can tell.
 */
export function digestAnswer(state: SiteState, path: string): string | null {
  // Of a Markdown alternate the bytes themselves are as cheap.
  const request = path.endsWith('.md') ? null : parsePagePath(path, state.now_ms);
  if (request === null) return null;
  return createHash('sha256')
    .update(JSON.stringify(resolvePage(state, request), toPlain))
    .digest('base64url')
    .slice(0, 22);
}
