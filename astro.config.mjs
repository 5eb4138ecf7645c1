// How Astro builds the site's bundle: every page rendered when it is asked for, by a function that a
// release calls for the pages it has ready, and the front server for the rest.
import { join } from 'node:path';
import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
import { readConfig } from './src/config.ts';

const config = readConfig();
/** Beside what is built: where the service runs, nobody may write into the project's folder. */
const cache_dir = config.out_dir === null ? null : join(config.out_dir, '..', 'cache');

/**
 * Astro's adapter for Node, but for the entrypoint of the built site: the front server has sockets
 * already and wants a Response for a Request (src/render.ts).
 */
function nodeWithoutSockets() {
  const adapter = node({ mode: 'middleware' });
  const done = adapter.hooks['astro:config:done'];
  return {
    ...adapter,
    hooks: {
      ...adapter.hooks,
      'astro:config:done': (options) =>
        done({
          ...options,
          setAdapter: (settings) =>
            options.setAdapter({
              ...settings,
              serverEntrypoint: new URL('./src/render.ts', import.meta.url),
            }),
        }),
    },
  };
}

export default defineConfig({
  output: 'server',
  // The front server serves files, compresses and negotiates; Astro only answers what must be
  // rendered (docs/decisions.md).
  adapter: nodeWithoutSockets(),
  ...(config.out_dir === null ? {} : { outDir: config.out_dir }),
  ...(cache_dir === null ? {} : { cacheDir: join(cache_dir, 'astro') }),
  trailingSlash: 'never',
  session: false,
  prefetch: false,
  devToolbar: { enabled: false },
  // No style or script stands inside a page, so that the content security policy needs no
  // exception.
  build: { format: 'file', concurrency: 16, inlineStylesheets: 'never' },
  vite: {
    // Where no tiles are set, nothing of the map with streets is built.
    define: { __STREETS__: String(config.tiles !== null) },
    build: { assetsInlineLimit: 0 },
    ...(cache_dir === null ? {} : { cacheDir: join(cache_dir, 'vite') }),
  },
});
