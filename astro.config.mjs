// How Astro builds the site: static pages, one on-demand route behind them, and a handler for the
// front server.
import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
import { readConfig } from './src/config.ts';

const config = readConfig();

export default defineConfig({
  site: config.site_url,
  output: 'server',
  // The front server serves files, compresses and negotiates; Astro only answers what must be
  // rendered (docs/decisions.md).
  adapter: node({ mode: 'middleware' }),
  ...(config.out_dir === null ? {} : { outDir: config.out_dir }),
  trailingSlash: 'never',
  session: false,
  prefetch: false,
  devToolbar: { enabled: false },
  // No style or script stands inside a page, so that the content security policy needs no
  // exception.
  build: { format: 'file', concurrency: 16, inlineStylesheets: 'never' },
  vite: { build: { assetsInlineLimit: 0 } },
});
