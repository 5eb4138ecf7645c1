// npm run export: the release that serves as plain files, for a static host.
import { resolve } from 'node:path';
import { formatDuration } from '../src/releases/progress.ts';
import { exportSite } from '../src/server/export.ts';
import { runScript, say } from './commands.ts';

const HELP = `npm run export -- DIR [--live URL]

Writes what the release that serves answers right now into a folder, as plain files: pages, Markdown, feeds, calendars, public data and pictures,
with _headers and _redirects as Netlify and Cloudflare Pages read them. An older export in DIR is replaced in one piece; anything else is left alone.
Forms, filters, the API and MCP need a server: links to them lead to the live service.
  --live URL   where that is, where it is not SITE_URL
`;

await runScript(HELP, async ({ config, now_ms, words, options }) => {
  const dir = resolve(words[0] ?? '');
  const live = options.live ?? config.site_url;
  if (!URL.canParse(live) || !/^https?:\/\/[^/]+\/?$/.test(live))
    throw new Error(
      `--live: must be an address without a path, as https://hoy.example (it is '${live}')`,
    );
  const begun_ms = performance.now();
  const live_url = new URL(live).origin;
  const { files, bytes } = await exportSite({ config, now_ms, dir, live_url, say });
  say(
    `Done in ${formatDuration(performance.now() - begun_ms)}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB in ${dir}. Next: give that folder to a static host (docs/operations.md, A copy of plain files)`,
  );
});
