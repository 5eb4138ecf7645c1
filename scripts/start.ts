// npm start: serves the site, and builds the first release and scheduled ones.
import { fileURLToPath } from 'node:url';
import { runProcesses } from '../src/server/process/run-processes.ts';
import { runScript } from './commands.ts';

const HELP = `npm start

Serves the site, the API and the calendars at HOST and PORT (http://localhost:4321). Builds the first release if there is none, and a
new one every REBUILD_HOURS hours, counted from local midnight. Stop it with Ctrl+C. The README lists the settings.
`;

/** Script that each child process runs, with the name of a command as its argument. */
const RUN_SCRIPT = fileURLToPath(new URL('./run.mjs', import.meta.url));

await runScript(HELP, ({ config }) => runProcesses(config, RUN_SCRIPT));
