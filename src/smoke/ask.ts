// One question to a release, sent over HTTP, and whether the answer is right.
import { request } from 'node:http';
import type { SmokeTest } from './smoke-tests.ts';

const RESPONSE_TIMEOUT_MS = 20_000;

/**
 * Asks it on a port of the loopback, under the site's own name; why the answer is wrong, or null.
 */
export async function findIssue(
  request: SmokeTest,
  port: number,
  host: string,
): Promise<string | null> {
  const shown = request.body === null ? request.path : `${request.path} ${request.body}`;
  try {
    const reply = await send(request, port, host);
    if (reply.status !== request.status)
      return `${shown} answers ${reply.status} instead of ${request.status}`;
    if (!reply.type.startsWith(request.type))
      return `${shown} is ${reply.type} instead of ${request.type}`;
    const said = toWords(toPlain(reply));
    const missing = request.holds.find((words) => !said.includes(toWords(words)));
    return missing === undefined ? null : `${shown} does not say '${missing}'`;
  } catch (thrown) {
    return `${shown} is not answered: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

/** Without what its form adds to words: folded lines, tags, entities. */
const toPlain = ({ type, text }: Reply): string =>
  type.startsWith('text/html')
    ? text.replace(/<[^>]*>/g, ' ').replace(/&#?\w+;/g, ' ')
    : text.replace(/\r\n /g, '');
const toWords = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

function send(
  { method, path, headers, body }: SmokeTest,
  port: number,
  host: string,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { host, ...headers },
        timeout: RESPONSE_TIMEOUT_MS,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    sent.on('timeout', () =>
      sent.destroy(new Error(`no answer within ${RESPONSE_TIMEOUT_MS / 1000} s`)),
    );
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}
