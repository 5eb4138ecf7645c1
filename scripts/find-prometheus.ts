// Prometheus and promtool, for the trial of the alerts: found, or Debian's.
import { findOrInstall, isProgram } from './debian-programs.ts';

const PROGRAMS = ['/usr/bin/prometheus', '/usr/local/bin/prometheus'];

/** The path of a Prometheus that has its promtool beside it; installed where there is none. */
export const findPrometheus = (say: (line: string) => void): Promise<string> =>
  findOrInstall(
    {
      what: 'Prometheus',
      find: async () =>
        PROGRAMS.find(
          (path) => isProgram(path) && isProgram(path.replace(/prometheus$/, 'promtool')),
        ) ?? null,
      packages: ['prometheus'],
      instead: 'put prometheus and promtool into /usr/local/bin',
    },
    say,
  );
