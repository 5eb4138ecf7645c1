// Prism's proxy, which holds every answer against the description of the API: there, or fetched from
// npm. It is no dependency: 200 packages, 74 MB, one of which reports each installation to its maker,
// are for nobody who only wants to serve (docs/decisions.md).
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGE = '@stoplight/prism-cli';
const VERSION = '5.16.0';
const FOLDER = resolve(import.meta.dirname, '../node_modules/.cache', `prism-${VERSION}`);
const PROGRAM = join(FOLDER, 'node_modules', PACKAGE, 'dist/index.js');

/** The path of the program, for Node to run. Throws with what to do where it cannot be fetched. */
export async function findPrism(say: (line: string) => void): Promise<string> {
  if (existsSync(PROGRAM)) return PROGRAM;
  say(`No Prism found. Fetching ${PACKAGE} ${VERSION} from npm, 74 MB, into node_modules/.cache …`);
  try {
    // Nothing of it runs while it is installed.
    const how = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', '--prefix', FOLDER, ...how, `${PACKAGE}@${VERSION}`]);
  } catch (cause) {
    throw new Error(
      `The tests need Prism, and npm could not fetch ${PACKAGE}@${VERSION}. See that npm reaches its registry, or run single parts of the tests: npx vitest run --project unit`,
      { cause },
    );
  }
  return PROGRAM;
}
