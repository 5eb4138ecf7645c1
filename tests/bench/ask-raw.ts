// One answer as it is sent; a fetch of Node would unpack its body.
import { type OutgoingHttpHeaders, request } from 'node:http';

/** What is asked; a GET where nothing else is said. */
export interface Asked {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  /** Empty for none. */
  readonly coding: string;
  readonly type: string;
  readonly etag: string;
}

/** Asks; rejects where the answer is neither 200 nor 304. */
export function askRaw(
  port: number,
  { path, method = 'GET', headers, body }: Asked,
): Promise<RawAnswer> {
  return new Promise((done, fail) => {
    const sent: OutgoingHttpHeaders = { ...headers };
    request({ host: '127.0.0.1', port, path, method, headers: sent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        const {
          'content-encoding': coding = '',
          'content-type': type = '',
          etag = '',
        } = response.headers;
        if (status === 200 || status === 304)
          done({ status, bytes: Buffer.concat(chunks), coding, type, etag });
        else fail(new Error(`${path} answers ${status}`));
      });
    })
      .on('error', fail)
      .end(body);
  });
}
