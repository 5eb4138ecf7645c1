// Running smoke tests against a server on the loopback, one after the other, and what is wrong with
// each response.
import { request } from 'node:http';
import type { SmokeTest } from './smoke-tests.ts';

const RESPONSE_TIMEOUT_MS = 20_000;

/** A response as a smoke test sees it. */
export interface SmokeResponse {
  readonly status: number;
  /** Its content type. */
  readonly type: string;
  readonly text: string;
}

/**
 * Sends each to a port of the loopback, under the site's own host name. `onIssue` gets what is
 * wrong, as sentences.
 */
export async function runSmokeTests(
  tests: readonly SmokeTest[],
  { port, host }: { readonly port: number; readonly host: string },
  onIssue: (issue: string) => void,
): Promise<void> {
  for (const test of tests) {
    const issue = await send(test, port, host).then(
      (response) => findIssue(test, response),
      (thrown: unknown) =>
        `${toShown(test)} is not answered: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
    if (issue !== null) onIssue(issue);
  }
}

/** What is wrong with a response, as a sentence; null where it is right. */
export function findIssue(test: SmokeTest, response: SmokeResponse): string | null {
  if (response.status !== test.status)
    return `${toShown(test)} answers ${response.status} instead of ${test.status}`;
  if (!response.type.startsWith(test.type))
    return `${toShown(test)} is ${response.type} instead of ${test.type}`;
  const words = toWords(toPlain(response));
  const missing = test.holds.find((held) => !words.includes(toWords(held)));
  return missing === undefined ? null : `${toShown(test)} does not say '${missing}'`;
}

const toShown = ({ path, body }: SmokeTest): string => (body === null ? path : `${path} ${body}`);

/** Without what its format adds to words: folded lines, tags, entities. */
const toPlain = ({ type, text }: SmokeResponse): string =>
  type.startsWith('text/html')
    ? text.replace(/<[^>]*>/g, ' ').replace(/&#?\w+;/g, ' ')
    : text.replace(/\r\n /g, '');
const toWords = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

function send(
  { method, path, headers, body }: SmokeTest,
  port: number,
  host: string,
): Promise<SmokeResponse> {
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
