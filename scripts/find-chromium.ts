// The browser of the browser tests: one that is there, or Debian's, installed.
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { promisify } from 'node:util';
import { chromium } from 'playwright';

const run = promisify(execFile);
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a Chromium. Throws with what to do where there is none and none can be installed. */
export async function findChromium(say: (line: string) => void): Promise<string> {
  const found = [chromium.executablePath(), ...PLACES].find(isProgram);
  if (found) return found;
  say('No Chromium was found: installing it with apt-get, which takes a minute …');
  try {
    await run('apt-get', ['update', '-qq']);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation']);
  } catch (cause) {
    throw new Error('The browser tests need a Chromium, and apt-get could not install one. Install Chromium or Google Chrome, then run npm test again', { cause });
  }
  const installed = PLACES.find(isProgram);
  if (!installed) throw new Error('apt-get installed Chromium, but it is not in any of the usual places');
  return installed;
}
