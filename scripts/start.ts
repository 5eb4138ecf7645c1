// npm start: builds the first release if there is none, serves it, and rebuilds on schedule.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { run } from '../src/server/process/run.ts';

const HELP = `npm start

Serves the site, the API and the calendars at HOST and PORT (http://localhost:4321). Builds the first release if there is
none, and a new one every REBUILD_HOURS, counted from midnight in Cancún. Ends on Ctrl+C. The README lists the settings.
`;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) process.stdout.write(HELP);
else await run(readConfig(), fileURLToPath(new URL('./run.mjs', import.meta.url)));
