// Astro's handler of a release: loaded whole, called without a socket, its answer collected.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Site } from '../../domain/site.ts';
import type { HttpResponse } from '../../http/message.ts';
import type { Snapshot } from '../../snapshot/open.ts';
import type { Visit } from '../../site/visit.ts';

/** What a page is given as `Astro.locals.state`. */
export interface PageState {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
  readonly site: Site;
}

/**
 * Renders the page at a path (percent-encoded, with its query); a form's page with what its visitor
 * brings. Rises where Astro itself fails.
 */
export type RenderPage = (url: string, state: PageState, visit?: Visit) => Promise<HttpResponse>;

/**
 * Gives the renderer of a bundle; equal bundles are loaded once a process, for a loaded module is
 * never freed.
 */
export type LoadBundle = (entry_file: string, digest: string) => Promise<RenderPage>;

export function createBundleLoader(): LoadBundle {
  const loaded = new Map<string, RenderPage>();
  return async (entry_file, digest) => {
    const known = loaded.get(digest);
    if (known) return known;
    const render = await loadBundle(entry_file);
    loaded.set(digest, render);
    return render;
  };
}

async function loadBundle(entry_file: string): Promise<RenderPage> {
  const entry: unknown = await import(pathToFileURL(entry_file).href);
  const handler =
    typeof entry === 'object' && entry !== null && 'handler' in entry ? entry.handler : null;
  if (typeof handler !== 'function')
    throw new Error('The site has no handler: it was not built in middleware mode');
  // Pages are loaded now and not when first asked for: the folder may be pruned while an equal
  // bundle still serves.
  const chunks = readdirSync(dirname(entry_file), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.mjs'),
  );
  for (const name of chunks) await import(pathToFileURL(join(dirname(entry_file), name)).href);
  return async (url, state, visit) => {
    const { response, collected } = collectResponse();
    await handler(toRequest(url, state.site), response, undefined, { state, visit: visit ?? null });
    return collected();
  };
}

/**
 * As much of a node:http request as Astro reads. Nothing of the visitor is in it, so a page depends
 * on its address alone.
 */
function toRequest(url: string, site: Site): object {
  const { host, protocol } = new URL(site.url);
  const ignore = (): void => {};
  return {
    method: 'GET',
    url,
    headers: { host },
    socket: { encrypted: protocol === 'https:' },
    once: ignore,
    on: ignore,
    off: ignore,
  };
}

/** As much of a node:http response as Astro writes to. */
function collectResponse() {
  const chunks: Buffer[] = [];
  let status = 500;
  let headers: Record<string, string> = {};
  let is_broken = false;
  const ignore = (): void => {};
  const write = (chunk: unknown): boolean => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    return true;
  };
  const response = {
    headersSent: false,
    statusCode: 200,
    statusMessage: '',
    on: ignore,
    once: ignore,
    off: ignore,
    write,
    writeHead(code: number, fields: unknown) {
      response.headersSent = true;
      status = code;
      headers = toHeaders(fields);
    },
    end(chunk: unknown) {
      if (!response.headersSent) status = response.statusCode;
      write(chunk);
    },
    destroy() {
      is_broken = true;
    },
  };
  const collected = (): HttpResponse => {
    if (is_broken) throw new Error('The page broke while it was rendered');
    return { status, headers, body: Buffer.concat(chunks) };
  };
  return { response, collected };
}

function toHeaders(fields: unknown): Record<string, string> {
  if (typeof fields !== 'object' || fields === null) return {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
