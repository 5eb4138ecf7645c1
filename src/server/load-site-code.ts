// Site code: loads the built Astro code, which renders a page by its URL, and its asset files.
import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import type { Config } from '../config.ts';
import type { HttpResponse } from '../http/message.ts';
import type { LogLine } from '../releases/build-log.ts';
import {
  buildSiteCode,
  digestSourceCode,
  digestRenderer,
  listFilesRecursively,
  type SiteCode,
} from '../releases/site-code.ts';
import type { PageContext } from '../site/page-context.ts';
import type { VisitorRequest } from '../site/visitor-request.ts';

/**
 * Renders the page at a percent-encoded path with query; form pages also get the visitor's request.
 */
export type RenderPage = (
  url: string,
  page_context: PageContext,
  visit?: VisitorRequest,
) => Promise<HttpResponse>;

export interface LoadedCode {
  /** Digest of the code and of the settings that its pages contain. */
  readonly renderer_digest: string;
  readonly render: RenderPage;
  /** Loads all pages now instead of on first use, because a later build may remove the folder. */
  readonly loadAll: () => Promise<void>;
  /** Hashes of the inline styles of its pages, for `style-src`. */
  readonly style_hashes: readonly string[];
  /** Asset files by URL path, e.g. `/_astro/a1b2.css`, `/favicon.svg`. */
  readonly assets: ReadonlyMap<string, string>;
}

/** Loads the code of the current sources; builds it first if needed. */
export async function loadCurrentCode(config: Config, log: LogLine): Promise<LoadedCode> {
  const digest = digestSourceCode();
  return loadSiteCode(await buildSiteCode(config, digest, log), digestRenderer(config, digest));
}

/** Loads built code. @throws Error if it does not render pages. */
export async function loadSiteCode(
  { entry, client }: SiteCode,
  renderer_digest: string,
): Promise<LoadedCode> {
  const module: unknown = await import(pathToFileURL(entry).href);
  const exported = typeof module === 'object' ? module : null;
  const render = exported !== null && 'render' in exported ? exported.render : null;
  if (typeof render !== 'function')
    throw new Error('The site cannot render pages: it was not built with src/render.ts');
  const hashes = exported !== null && 'STYLE_HASHES' in exported ? exported.STYLE_HASHES : [];
  return {
    renderer_digest,
    style_hashes: v.parse(v.array(v.string()), hashes),
    loadAll: async () => {
      const chunks = readdirSync(dirname(entry), { recursive: true, encoding: 'utf8' });
      for (const name of chunks)
        if (name.endsWith('.mjs')) await import(pathToFileURL(join(dirname(entry), name)).href);
    },
    assets: new Map(
      listFilesRecursively(client).map((path) => [`/${relative(client, path)}`, path]),
    ),
    render: async (url, page_context, visit) => {
      // The request contains no data of the visitor, so a page depends on its URL only.
      const request = new Request(new URL(url, page_context.site.url));
      const response: unknown = await render(request, {
        state: page_context,
        visit: visit ?? null,
      });
      if (!(response instanceof Response)) throw new Error('The site did not return a Response');
      const { status, headers } = response;
      const body = Buffer.from(await response.arrayBuffer());
      return { status, headers: Object.fromEntries(headers), body };
    },
  };
}
