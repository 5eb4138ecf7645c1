// The pages that a release renders on demand: its bundle loaded whole, called with a Request, its
// Response collected; and the styles that its pages bring along.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HttpResponse } from '../../http/message.ts';
import type { SiteState } from '../../site/state.ts';
import type { Visit } from '../../site/visit.ts';

/**
 * Renders the page at a path (percent-encoded, with its query), with `Astro.locals.state`; a form's
 * page with what its visitor brings. Throws where Astro itself fails.
 */
export type RenderPage = (url: string, state: SiteState, visit?: Visit) => Promise<HttpResponse>;

/** What a release's bundle gives. */
export interface SiteBundle {
  readonly render: RenderPage;
  /** Sources for `style-src`: the hashes of the styles that stand in its pages. */
  readonly style_hashes: readonly string[];
}

/**
 * Gives what is in a bundle; equal bundles are loaded once a process, for a loaded module is
 * never freed.
 */
export type LoadBundle = (entry_file: string, digest: string) => Promise<SiteBundle>;

/** A loader that remembers what it has loaded. */
export function createBundleLoader(): LoadBundle {
  const loaded = new Map<string, SiteBundle>();
  return async (entry_file, digest) => {
    const known = loaded.get(digest);
    if (known) return known;
    const bundle = await loadBundle(entry_file);
    loaded.set(digest, bundle);
    return bundle;
  };
}

async function loadBundle(entry_file: string): Promise<SiteBundle> {
  const entry: unknown = await import(pathToFileURL(entry_file).href);
  const exported = typeof entry === 'object' ? entry : null;
  const render = exported !== null && 'render' in exported ? exported.render : null;
  if (typeof render !== 'function')
    throw new Error('The site cannot render pages: it was not built with src/render.ts');
  // Pages are loaded now and not on first use: the folder may be pruned while an equal
  // bundle still serves.
  const chunks = readdirSync(dirname(entry_file), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.mjs'),
  );
  for (const name of chunks) await import(pathToFileURL(join(dirname(entry_file), name)).href);
  return {
    style_hashes: readStyleHashes(exported),
    render: async (url, state, visit) => {
      // Nothing of the visitor is in the request, so a page depends on its address alone.
      const request = new Request(new URL(url, state.site.url));
      return collect(await render(request, { state, visit: visit ?? null }));
    },
  };
}

/** None where a bundle, as one built before there were any, has no styles in its pages. */
const readStyleHashes = (entry: object | null): readonly string[] =>
  entry !== null && 'STYLE_HASHES' in entry && Array.isArray(entry.STYLE_HASHES)
    ? entry.STYLE_HASHES.filter((hash: unknown) => typeof hash === 'string')
    : [];

/** The response of a bundle as a value; fields that occur several times are joined with commas. */
async function collect(response: unknown): Promise<HttpResponse> {
  if (!(response instanceof Response)) throw new Error('The site gave no Response');
  return {
    status: response.status,
    headers: Object.fromEntries(
      [...new Set(response.headers.keys())].map((name) => [name, response.headers.get(name) ?? '']),
    ),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
