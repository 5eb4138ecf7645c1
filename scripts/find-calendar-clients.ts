// The calendar programs of the interoperability tests: khal, vdirsyncer and two parsers in Python,
// there or installed.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findOrInstall, isProgram } from './debian-programs.ts';

const run = promisify(execFile);

/** Debian's own, by their whole path: another Python on the PATH does not have its packages. */
const CLIENTS = {
  python: '/usr/bin/python3',
  khal: '/usr/bin/khal',
  vdirsyncer: '/usr/bin/vdirsyncer',
} as const;
const PACKAGES = ['khal', 'vdirsyncer', 'python3-vobject', 'python3-icalendar'];

async function find(): Promise<typeof CLIENTS | null> {
  if (!Object.values(CLIENTS).every(isProgram)) return null;
  return run(CLIENTS.python, ['-c', 'import icalendar, vobject']).then(
    () => CLIENTS,
    () => null,
  );
}

/**
 * The paths of the programs. Throws with what to do where they are missing and cannot be installed.
 */
export const findCalendarClients = (say: (line: string) => void): Promise<typeof CLIENTS> =>
  findOrInstall(
    {
      what: 'calendar programs',
      find,
      packages: PACKAGES,
      instead: 'run single parts of the tests: npx vitest run --project unit',
    },
    say,
  );
