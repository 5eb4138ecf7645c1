// What a page is made of, as one short text: the same digest, the same page by the same code.
import { createHash } from 'node:crypto';
import { resolvePath } from './answer.ts';
import type { SiteState } from './state.ts';

const MARKDOWN_ENDING = '.md';
/** The path of a page by its own or that of its Markdown; of what is neither, itself. */
export const toPageOf = (path: string): string =>
  path.endsWith(MARKDOWN_ENDING) ? path.slice(0, -MARKDOWN_ENDING.length) : path;

/** A map as a list, and those in it. */
const toLists = (value: unknown): unknown =>
  value instanceof Map ? [...value].map(([key, one]) => [key, toLists(one)]) : value;

/**
 * The values that a page is given, as text. Only what a page is given first may be a map: further down
 * it would be missed, as a function would be anywhere (tests/site/answer-digest.test.ts).
 */
const toText = (page: object): string =>
  JSON.stringify(Object.entries(page).map(([name, value]) => [name, toLists(value)]));

interface Digested {
  readonly state: SiteState;
  readonly page: string;
  readonly digest: string | null;
}
/** A page comes right before its Markdown: one digest is enough for both. */
let last: Digested | null = null;

/**
 * The digest of the values that the page at a path is rendered from, and its Markdown, sha-256 in
 * base64url, 22 characters; null where the path is no page of the snapshot, so that only its bytes
 * can tell. What a document says beside the answer is the taxonomy's; of the instant both say only
 * what the answer says.
 */
export function digestAnswer(state: SiteState, path: string): string | null {
  const page = toPageOf(path);
  if (last?.state !== state || last.page !== page)
    last = { state, page, digest: digestPage(state, page) };
  return last.digest;
}

function digestPage(state: SiteState, page: string): string | null {
  const result = resolvePath(state, page);
  if (result === null) return null;
  return createHash('sha256')
    .update(toTaxonomyText(state))
    .update(result.kind)
    .update('page' in result ? toText(result.page) : '')
    .digest('base64url')
    .slice(0, 22);
}

const taxonomies = new WeakMap<SiteState['snapshot'], string>();

function toTaxonomyText({ snapshot }: SiteState): string {
  const text = taxonomies.get(snapshot) ?? JSON.stringify(snapshot.taxonomy);
  taxonomies.set(snapshot, text);
  return text;
}
