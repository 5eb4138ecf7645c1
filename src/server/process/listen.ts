// Taking an address, or saying clearly why it cannot be had; and giving it up well: no new
// connections, what is in flight finishes, nothing waits longer than five seconds.
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import type { Config } from '../../config.ts';

interface Address extends Pick<Config, 'host' | 'port'> {
  /** The setting of its port, where that is not PORT. */
  readonly setting?: 'PORT' | 'METRICS_PORT';
}

const LONGEST_MS = 5000;
/** Connections that wait to be let in: beyond them a visitor amid a crowd tries again a second later. */
const BACKLOG = 4096;

/** Listens; throws one sentence that says what to do where it cannot. */
export async function listen(server: Server, address: Address): Promise<void> {
  const { host, port } = address;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(toListenError(error, address)));
    server.listen({ host, port, backlog: BACKLOG }, resolve);
  });
}

/** Throws where the address cannot be had, so that no build is waited for in vain. */
export async function checkAddress(address: Address): Promise<void> {
  const server = createServer();
  await listen(server, address);
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

function toListenError(error: Error, { host, port, setting = 'PORT' }: Address): Error {
  const code = 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE')
    return new Error(
      `Port ${port} on ${host} is in use. End what uses it, or choose another: ${setting}=${port + 1} npm start`,
    );
  if (code === 'EACCES')
    return new Error(
      `Port ${port} needs more rights than this user has. Choose one above 1023: ${setting}=${setting === 'PORT' ? 4321 : 9464} npm start`,
    );
  return new Error(
    `${host}:${port} cannot be listened on (${error.message}). Set ${setting.replace('PORT', 'HOST')} and ${setting}`,
  );
}

/** Closes a server; resolves when its last connection has ended, or was ended. */
export async function drain(server: HttpServer): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), LONGEST_MS);
  await closed;
  clearTimeout(timer);
}

/** Runs `end` once, at the first SIGTERM or SIGINT. */
export function onceTerminated(end: () => void): void {
  let is_ending = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!is_ending) end();
      is_ending = true;
    });
  }
}

const PARENT_POLL_MS = 250;

/**
 * Where npm started this process, ends it as SIGTERM does once npm is gone: what is killed outright passes
 * nothing on, and a service that nobody can name any more keeps its port.
 */
export function endWithNpm({ is_npm_start }: Pick<Config, 'is_npm_start'>): void {
  if (!is_npm_start) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_POLL_MS);
  timer.unref();
}
