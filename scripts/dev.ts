// npm run dev: starts Astro's development server on a new snapshot.
import { join } from 'node:path';
import { PROJECT_DIR } from '../src/releases/snapshots.ts';
import { spawnTiedChild } from '../src/releases/child-process.ts';
import { runScript, printLine } from './commands.ts';

const HELP = `npm run dev

Builds a snapshot of CONTENT_DIR and starts Astro's development server on it, at HOST and PORT. Pages reload when code is saved;
restart it after changing content. Only the pages are served: the API, feeds and MCP need npm start.
`;

await runScript(HELP, async ({ config }) => {
  // Runs the script, which writes dev-snapshot.db.
  await import('./snapshot.ts');
  const astro = join(PROJECT_DIR, 'node_modules', 'astro', 'bin', 'astro.mjs');
  const { code } = await spawnTiedChild({
    command: [astro, 'dev', '--host', config.host, '--port', String(config.port)],
    cwd: PROJECT_DIR,
    onLine: printLine,
    timeout_ms: null,
    env: {
      SNAPSHOT_PATH: join(config.data_dir, 'dev-snapshot.db'),
      ASTRO_TELEMETRY_DISABLED: '1',
      // Keeps Astro in the foreground, also if an agent runs it.
      ASTRO_DEV_BACKGROUND: '0',
    },
  });
  process.exitCode = code ?? 1;
});
