// Listening: binds a port, shared with other processes of the service, with clear errors if it is
// not available, and drains a server: no new connections, requests in flight finish within five
// seconds.
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import type { Config } from '../../config.ts';

interface Address extends Pick<Config, 'host' | 'port'> {
  readonly setting?: 'PORT' | 'METRICS_PORT';
}

/** Closes remaining connections after this time of draining. */
const DRAIN_TIMEOUT_MS = 5000;
/** Connections beyond this queue are dropped, and the client retries a second later. */
const BACKLOG = 4096;
/**
 * Only Linux balances connections between processes on one port; other systems give all to one
 * process, or fail.
 */
export const CAN_SHARE_PORT = process.platform === 'linux';

/** Starts to listen. @throws with advice for the operator if the port is not available. */
export const listen = (
  server: Server,
  address: Address,
  reusePort = CAN_SHARE_PORT,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const { host, port } = address;
    server.once('error', (error) => reject(describeListenError(error, address)));
    server.listen({ host, port, backlog: BACKLOG, reusePort }, resolve);
  });

/** Checks that the port is available before a long build. @throws if it is not. */
export async function assertAddressFree(address: Address): Promise<void> {
  const probe = createServer();
  await listen(probe, address, false);
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

const WILDCARD_HOSTS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Formats the URL at which a server can be reached from this machine. */
export function localUrl(host: string, port: number): string {
  const name = WILDCARD_HOSTS[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function describeListenError(error: Error, { host, port, setting = 'PORT' }: Address): Error {
  const code = 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE')
    return new Error(
      `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another: ${setting}=${port + 1} npm start`,
    );
  if (code === 'EACCES')
    return new Error(
      `Port ${port} needs more rights than this user has. Choose one above 1023: ${setting}=${setting === 'PORT' ? 4321 : 9464} npm start`,
    );
  return new Error(
    `Cannot listen on ${host}:${port} (${error.message}). Set ${setting.replace('PORT', 'HOST')} and ${setting}`,
  );
}

/**
 * Closes a server; resolves when its last connection is closed. Connections that the system
 * accepted but the server has not seen yet move to another process on the port if
 * net.ipv4.tcp_migrate_req is 1; otherwise they are reset.
 */
export async function drainServer(server: HttpServer): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await closed;
  clearTimeout(timer);
}

/** Calls a function once on SIGTERM or SIGINT. */
export function onTermination(stop: () => void): void {
  let is_stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (!is_stopping) stop();
      is_stopping = true;
    });
}
