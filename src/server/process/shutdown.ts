// Ending well: no new connections, what is in flight finishes, and nothing waits longer than five
// seconds.
import type { Server } from 'node:http';

const LONGEST_MS = 5000;

/** Closes a server; resolves when its last connection has ended, or was ended. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), LONGEST_MS);
  await closed;
  clearTimeout(timer);
}

/** Runs `end` once, at the first SIGTERM or SIGINT. */
export function onceTold(end: () => void): void {
  let is_told = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!is_told) end();
      is_told = true;
    });
  }
}
