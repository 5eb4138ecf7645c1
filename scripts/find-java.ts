// The Java that runs the Nu checker: there, or Debian's, installed.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findOrInstall } from './debian-programs.ts';

const run = promisify(execFile);

/** Its name where it runs. Throws with what to do where there is none and none can be installed. */
export const findJava = (say: (line: string) => void): Promise<string> =>
  findOrInstall(
    {
      what: 'Java',
      find: () =>
        run('java', ['-version']).then(
          () => 'java',
          () => null,
        ),
      packages: ['default-jre-headless'],
      instead: 'put a Java of 17 or later on the PATH',
    },
    say,
  );
