// npm run export: the release that serves as plain files, for a static host.
import { resolve } from 'node:path';
import { formatDuration } from '../src/releases/build-log.ts';
import { exportSite } from '../src/server/static-export.ts';
import { runScript, say } from './commands.ts';

const HELP = `npm run export -- DIR

Writes what the release that serves answers right now into a folder, as plain files: pages, Markdown, feeds, calendars, public data and pictures,
with _headers as Netlify and Cloudflare Pages read them. An older export in DIR is replaced in one piece; anything else is left alone.
Forms, filters, the API and MCP need a server: links to them lead to the service at SITE_URL.
`;

await runScript(HELP, async ({ config, now_ms, words }) => {
  const dir = resolve(words[0] ?? '');
  const begun_ms = performance.now();
  const files = await exportSite(config, now_ms, dir, say);
  say(
    `Done in ${formatDuration(performance.now() - begun_ms)}: ${files} files in ${dir}. Next: give that folder to a static host (docs/operations.md, A copy of plain files)`,
  );
});
