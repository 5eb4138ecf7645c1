// The body of a request, no further than anybody needs it.
import type { IncomingMessage } from 'node:http';

/**
 * What was sent, up to `max_bytes` and the chunk that passes them; node drops the rest. An aborted
 * body is what came of it.
 */
export function readBody(request: IncomingMessage, max_bytes: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (): void => {
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
