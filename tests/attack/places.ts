// Services to attack: on one data folder, with the limits that they have in production.
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BuiltServer,
  findFreePort,
  type ServerSettings,
  startServer,
  toEnv,
} from '../fixtures/built-server.ts';
import { findProcesses } from '../fixtures/left-processes.ts';
import type { AskAs } from './forgeries.ts';

const PROJECT = resolve(import.meta.dirname, '..', '..');
/** Sessions are tried over http, where a cookie has no prefix. */
const SITE = 'http://127.0.0.1:4399';

/** The limits that a service has where nobody says otherwise; one proxy in front, so that each comes from anywhere. */
export const LIMITS = {
  SITE_URL: SITE,
  TRUST_PROXY: '1',
  RATE_LIMIT: '60',
  LOG_LEVEL: 'info',
} as const;

export const startBehindProxy = (settings: ServerSettings, workers: number): Promise<BuiltServer> =>
  startServer({ ...settings, env: { ...LIMITS, WORKERS: String(workers) } });

/** A service with few descriptors and little room in each file, that visitors reach directly. Throws where it ends at once. */
export async function startPoor(settings: ServerSettings, limits: string) {
  const port = await findFreePort();
  const env = toEnv(
    { ...settings, env: { ...LIMITS, TRUST_PROXY: '0', RATE_LIMIT: '100000' } },
    port,
  );
  const command = `${limits}; exec "${process.execPath}" scripts/run.mjs start`;
  const child = spawn('sh', ['-c', command], { cwd: PROJECT, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  while (!output.includes('Listo:')) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${output}`);
    await sleep(50);
  }
  return {
    port,
    pid: child.pid,
    output: () => output,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Resident megabytes and open descriptors of the largest process that works on a folder. */
export function readSize(data_dir: string): { readonly mb: number; readonly descriptors: number } {
  const sizes = findProcesses(data_dir).map((pid) => {
    try {
      const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return [Number(kb ?? 0) / 1024, readdirSync(`/proc/${pid}/fd`).length] as const;
    } catch {
      return [0, 0] as const;
    }
  });
  return {
    mb: Math.round(Math.max(0, ...sizes.map(([mb]) => mb))),
    descriptors: Math.max(0, ...sizes.map(([, descriptors]) => descriptors)),
  };
}

/** Asks under a Host of one's own; headers and body as one text. */
export const askAs: AskAs = (port, path, host) =>
  new Promise((done) => {
    const asked = request(
      { host: '127.0.0.1', port, path, headers: { host }, agent: false },
      (response) => {
        let text = JSON.stringify(response.headers);
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.once('end', () => done(text));
      },
    );
    asked.once('error', () => done(''));
    asked.end();
  });
