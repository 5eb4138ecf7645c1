// Taking an address, beside servers of the same service, or saying clearly why it cannot be had; and giving it
// up well: no new connections, what is in flight finishes, nothing waits longer than five seconds.
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import type { Config } from '../../config.ts';

interface Address extends Pick<Config, 'host' | 'port'> {
  readonly setting?: 'PORT' | 'METRICS_PORT';
}

const LONGEST_MS = 5000;
/** Connections that wait to be let in: beyond them a visitor amid a crowd tries again a second later. */
const BACKLOG = 4096;
/** Elsewhere a port is one process's: the system would give all connections to one, or refuse. */
export const CAN_SHARE_PORT = process.platform === 'linux';

/** Listens; throws one sentence that says what to do where it cannot. */
export const listen = (
  server: Server,
  address: Address,
  reusePort = CAN_SHARE_PORT,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const { host, port } = address;
    server.once('error', (error) => reject(toListenError(error, address)));
    server.listen({ host, port, backlog: BACKLOG, reusePort }, resolve);
  });

/** Throws where the address cannot be had, so that no build is waited for in vain. */
export async function assertAddressFree(address: Address): Promise<void> {
  const probe = createServer();
  await listen(probe, address, false);
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

const ANY_HOST: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function localUrl(host: string, port: number): string {
  const name = ANY_HOST[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
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

/**
 * Closes a server; resolves when its last connection has ended, or was ended. What the system has let in for it and
 * it has not seen goes to another on its port where net.ipv4.tcp_migrate_req is 1, and is reset elsewhere.
 */
export async function drainServer(server: HttpServer): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), LONGEST_MS);
  await closed;
  clearTimeout(timer);
}

export function onTermination(end: () => void): void {
  let is_ending = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (!is_ending) end();
      is_ending = true;
    });
}
