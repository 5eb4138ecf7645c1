// The built code of the pages, loaded: a page is a call with its address; what belongs to pages are files.
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

/** A page by its path, percent-encoded, with its query; a form's with what its visitor brings. */
export type RenderPage = (
  url: string,
  state: PageContext,
  visit?: VisitorRequest,
) => Promise<HttpResponse>;

export interface LoadedCode {
  /** Stands for the code and the settings that stand in its pages. */
  readonly maker: string;
  readonly render: RenderPage;
  /** Loads every page now and not on first use: the folder may be removed while a server serves. */
  readonly loadAll: () => Promise<void>;
  /** Sources for `style-src`: the hashes of the styles that stand in its pages. */
  readonly style_hashes: readonly string[];
  /** Files by the address that they answer: `/_astro/a1b2.css`, `/favicon.svg`. */
  readonly assets: ReadonlyMap<string, string>;
}

export async function loadCurrentCode(config: Config, say: LogLine): Promise<LoadedCode> {
  const digest = digestSourceCode();
  return loadSiteCode(await buildSiteCode(config, digest, say), digestRenderer(config, digest));
}

export async function loadSiteCode(
  { entry, client }: SiteCode,
  maker: string,
): Promise<LoadedCode> {
  const module: unknown = await import(pathToFileURL(entry).href);
  const exported = typeof module === 'object' ? module : null;
  const render = exported !== null && 'render' in exported ? exported.render : null;
  if (typeof render !== 'function')
    throw new Error('The site cannot render pages: it was not built with src/render.ts');
  const hashes = exported !== null && 'STYLE_HASHES' in exported ? exported.STYLE_HASHES : [];
  return {
    maker,
    style_hashes: v.parse(v.array(v.string()), hashes),
    loadAll: async () => {
      const chunks = readdirSync(dirname(entry), { recursive: true, encoding: 'utf8' });
      for (const name of chunks)
        if (name.endsWith('.mjs')) await import(pathToFileURL(join(dirname(entry), name)).href);
    },
    assets: new Map(
      listFilesRecursively(client).map((path) => [`/${relative(client, path)}`, path]),
    ),
    render: async (url, state, visit) => {
      // Nothing of the visitor is in the request, so a page depends on its address alone.
      const request = new Request(new URL(url, state.site.url));
      const response: unknown = await render(request, { state, visit: visit ?? null });
      if (!(response instanceof Response)) throw new Error('The site gave no Response');
      const { status, headers } = response;
      const body = Buffer.from(await response.arrayBuffer());
      return { status, headers: Object.fromEntries(headers), body };
    },
  };
}
