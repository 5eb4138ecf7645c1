// The body of a request: whole up to a limit, or in the chunks in which it comes.
import type { IncomingMessage } from 'node:http';
import type { Site } from '../../domain/site.ts';
import { handleClientError } from './client-error.ts';

/** A body that is read whole is there within this time. */
const BODY_TIMEOUT_MS = 30_000;

/**
 * The body up to `max_bytes` and the chunk that passes them; node drops the rest. Of an aborted body,
 * what came of it. One that does not end is answered on the bare socket.
 */
export function readBody(request: IncomingMessage, max_bytes: number, site: Site): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => {
      const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      handleClientError(late, request.socket, site);
    }, BODY_TIMEOUT_MS);
    const end = (): void => {
      clearTimeout(timer);
      request.off('data', take);
      resolve(Buffer.concat(chunks));
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > max_bytes) end();
    };
    request.on('data', take);
    request.once('end', end);
    request.once('close', end);
  });
}

/** The chunks of a body. Whoever stops asking for more can still respond. */
export const streamBody = (request: IncomingMessage): AsyncIterator<Uint8Array> =>
  request.iterator({ destroyOnReturn: false });
