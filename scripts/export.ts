// npm run export: writes the live release as static files.
import { resolve } from 'node:path';
import { formatDuration } from '../src/releases/build-log.ts';
import { exportSite } from '../src/server/static-export.ts';
import { runScript, printLine } from './commands.ts';

const HELP = `npm run export -- DIR

Writes the current responses of the live release to a folder: pages, Markdown, feeds, calendars, public data and pictures, with a _headers
file for Netlify and Cloudflare Pages. Replaces an older export in DIR atomically; refuses any other non-empty folder.
Forms, filters, the API and MCP need a server: links to them lead to the service at SITE_URL.
`;

await runScript(HELP, async ({ config, now_ms, positionals }) => {
  const dir = resolve(positionals[0] ?? '');
  const started_ms = performance.now();
  const files = await exportSite(config, now_ms, dir, printLine);
  printLine(
    `Done in ${formatDuration(performance.now() - started_ms)}: ${files} files in ${dir}. Next: upload that folder to a static host (docs/operations.md, A copy of plain files)`,
  );
});
