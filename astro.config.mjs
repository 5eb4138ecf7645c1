// How Astro builds the site's bundle: every page rendered when it is asked for, by a function that a
// release calls for the pages it has ready, and the front server for the rest.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
import { loadConfig } from './src/config.ts';

const config = loadConfig();
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

const SRC = fileURLToPath(new URL('./src/', import.meta.url));
/** What only a bundler understands, components and what names their styles; and what is sent as text, made small. */
const BUNDLED = ['components/', 'pages/', 'browser/', 'render.ts', 'site/worker.ts'].map((path) =>
  join(SRC, path),
);

/**
 * Leaves all other code outside of what is built: who renders has loaded it already, as it is, and must not load
 * it a second time.
 */
const ourCodeAsItIs = {
  name: 'our-code-as-it-is',
  enforce: 'pre',
  apply: 'build',
  applyToEnvironment: ({ config: { consumer } }) => consumer === 'server',
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.') || !source.endsWith('.ts')) return null;
    const path = join(dirname(importer), source);
    const is_ours = path.startsWith(SRC) && !BUNDLED.some((one) => path.startsWith(one));
    return is_ours ? { id: path, external: 'absolute' } : null;
  },
};

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
    plugins: [ourCodeAsItIs],
    build: { assetsInlineLimit: 0 },
    ...(cache_dir === null ? {} : { cacheDir: join(cache_dir, 'vite') }),
  },
});
