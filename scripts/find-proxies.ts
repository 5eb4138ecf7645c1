// The web servers that the tests put in front of the service: nginx and Caddy, there or installed.
import { findOrInstall, isProgram } from './debian-programs.ts';

/** By their whole paths: /usr/sbin is not on everybody's PATH. */
export const PROXIES = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy' } as const;

/**
 * The paths of the programs. Throws with what to do where they are missing and cannot be installed.
 */
export const findProxies = (say: (line: string) => void): Promise<typeof PROXIES> =>
  findOrInstall(
    {
      what: 'web servers to put in front',
      find: async () => (Object.values(PROXIES).every(isProgram) ? PROXIES : null),
      packages: ['nginx', 'caddy'],
      instead: 'run single parts of the tests: npx vitest run --project unit',
    },
    say,
  );
