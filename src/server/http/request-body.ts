// The body of a request: whole up to a limit, or in the chunks in which it comes.
import type { IncomingMessage } from 'node:http';
import type { Site } from '../../domain/site.ts';
import { handleClientError } from './client-error.ts';

/** A body that is read whole is there within this time. */
const BODY_TIMEOUT_MS = 30_000;

/** Thrown where a request ended before its end was there: nobody waits for an answer, and nothing is done. */
export class RequestCutOff extends Error {}

/**
 * The body up to `max_bytes` and the chunk that passes them; node drops the rest. One that does not come
 * in time is answered on the bare socket. Throws RequestCutOff where its end does not come.
 */
export function readBody(request: IncomingMessage, max_bytes: number, site: Site): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => {
      const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      handleClientError(late, request.socket, site);
      cut();
    }, BODY_TIMEOUT_MS);
    const stop = (): void => {
      clearTimeout(timer);
      request.off('data', take);
    };
    const cut = (): void => {
      stop();
      reject(new RequestCutOff('The request was cut off'));
    };
    const end = (): void => {
      stop();
      resolve(Buffer.concat(chunks));
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > max_bytes) end();
    };
    request.on('data', take);
    request.once('end', end);
    // Also after its end, where nothing is left to be decided.
    request.once('close', cut);
  });
}

/**
 * The chunks of a body. Whoever stops asking for more can still respond. Throws RequestCutOff where its
 * end does not come.
 */
export async function* streamBody(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch {
    throw new RequestCutOff('The request was cut off');
  }
}
