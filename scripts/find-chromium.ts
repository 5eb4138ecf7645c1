// The browser of the browser tests: the one that CHROMIUM_PATH names, one that is there, or Debian's,
// installed.
import { chromium } from 'playwright';
import { toChildEnv } from '../src/config.ts';
import { findOrInstall, isProgram } from './debian-programs.ts';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a Chromium. Throws with what to do where there is none and none can be installed. */
export async function findChromium(say: (line: string) => void): Promise<string> {
  const named = toChildEnv({}).CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (!isProgram(named)) throw new Error(`CHROMIUM_PATH: '${named}' is not a program`);
    return named;
  }
  return findOrInstall(
    {
      what: 'Chromium',
      find: async () => [chromium.executablePath(), ...PLACES].find(isProgram) ?? null,
      packages: ['chromium', 'fonts-liberation'],
      instead: 'set CHROMIUM_PATH to a Chromium or Chrome that you have',
    },
    say,
  );
}
