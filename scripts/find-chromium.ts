// The browser of the browser tests: one that is there, or Debian's, installed.
import { chromium } from 'playwright';
import { findOrInstall, isProgram } from './debian-programs.ts';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a Chromium. Throws with what to do where there is none and none can be installed. */
export function findChromium(say: (line: string) => void): Promise<string> {
  const find = async (): Promise<string | null> =>
    [chromium.executablePath(), ...PLACES].find(isProgram) ?? null;
  return findOrInstall({ what: 'Chromium', find, packages: ['chromium', 'fonts-liberation'] }, say);
}
