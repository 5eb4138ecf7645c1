// Saying it once where a proxy stands in front and nobody said so: all of its visitors are then counted
// as one.
import type { IncomingMessage, Server } from 'node:http';

/** Calls `tell` at the first request that names a proxy, where none is trusted; listens no longer then. */
export function onceForwarded(server: Server, trusted_proxies: number, tell: () => void): void {
  if (trusted_proxies > 0) return;
  const look = ({ headers }: IncomingMessage): void => {
    if (headers['x-forwarded-for'] === undefined) return;
    server.off('request', look);
    tell();
  };
  server.on('request', look);
}
