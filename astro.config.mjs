// Astro configuration: builds the site's bundle as a render function, which a release calls for its warm-up
// and the front server for all other pages.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
import { loadConfig } from './src/config.ts';

const config = loadConfig();
/** Next to the build output: in production, the project folder is read-only. */
const cache_dir = config.out_dir === null ? null : join(config.out_dir, '..', 'cache');

/**
 * Astro's Node adapter with another entrypoint: the front server needs a Response for a Request
 * (src/render.ts).
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
/** Code that needs the bundler: components, modules that import styles, and minified browser scripts. */
const BUNDLED = ['components/', 'pages/', 'browser/', 'render.ts', 'site/worker.ts'].map((path) =>
  join(SRC, path),
);

/**
 * Keeps all other code out of the bundle: the rendering process has already loaded it and must not load it
 * twice.
 */
const externalizeOwnCode = {
  name: 'externalize-own-code',
  enforce: 'pre',
  apply: 'build',
  applyToEnvironment: ({ config: { consumer } }) => consumer === 'server',
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.') || !source.endsWith('.ts')) return null;
    const path = join(dirname(importer), source);
    const is_external = path.startsWith(SRC) && !BUNDLED.some((prefix) => path.startsWith(prefix));
    return is_external ? { id: path, external: 'absolute' } : null;
  },
};

export default defineConfig({
  output: 'server',
  // The front server serves files, compresses and negotiates; Astro only renders pages (docs/decisions.md).
  adapter: nodeWithoutSockets(),
  ...(config.out_dir === null ? {} : { outDir: config.out_dir }),
  ...(cache_dir === null ? {} : { cacheDir: join(cache_dir, 'astro') }),
  trailingSlash: 'never',
  session: false,
  prefetch: false,
  devToolbar: { enabled: false },
  // No inline styles or scripts, so that the content security policy needs no exception.
  build: { format: 'file', concurrency: 16, inlineStylesheets: 'never' },
  vite: {
    plugins: [externalizeOwnCode],
    build: { assetsInlineLimit: 0 },
    ...(cache_dir === null ? {} : { cacheDir: join(cache_dir, 'vite') }),
  },
});
