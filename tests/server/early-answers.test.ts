// What is answered before anybody looks at the request, or instead: safe like every other answer, and never a
// page of ours that is none.
import { describe, expect, test } from 'vitest';
import { parseReply } from '../fixtures/bare-connection.ts';
import { serveFake } from './fake-release.ts';

const fake = await serveFake();

const HOST = 'Host: hoy.example\r\n';
const END = 'Connection: close\r\n\r\n';
const LONG = 'a'.repeat(40_000);
const EARLY: readonly (readonly [string, string, number])[] = [
  ['no Host', `GET /hoy HTTP/1.1\r\n${END}`, 400],
  ['two Hosts', `GET /hoy HTTP/1.1\r\n${HOST}Host: evil.example\r\n${END}`, 400],
  ['a Host that is no name', `GET /hoy HTTP/1.1\r\nHost: a b\r\n${END}`, 400],
  ['a Host with a path', `GET /hoy HTTP/1.1\r\nHost: hoy.example/x\r\n${END}`, 400],
  ['what is not HTTP', `GET /hoy\r\n${END}`, 400],
  [
    'both lengths',
    `POST /publicar HTTP/1.1\r\n${HOST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n${END}`,
    400,
  ],
  [
    'two lengths',
    `POST /publicar HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 4\r\n${END}`,
    400,
  ],
  ['a proxy wanted', `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}${END}`, 405],
  ['an address too long', `GET /hoy?${LONG} HTTP/1.1\r\n${HOST}${END}`, 414],
  [
    'an address somewhat too long',
    `GET /hoy?${LONG.slice(0, 9000)} HTTP/1.1\r\n${HOST}${END}`,
    414,
  ],
  ['headers too large', `GET /hoy HTTP/1.1\r\n${HOST}X: ${LONG}\r\n${END}`, 431],
  ['OPTIONS', `OPTIONS /hoy HTTP/1.1\r\n${HOST}${END}`, 204],
  ['OPTIONS of everything', `OPTIONS * HTTP/1.1\r\n${HOST}${END}`, 204],
  ['OPTIONS of the API', `OPTIONS /api/v1/events HTTP/1.1\r\n${HOST}${END}`, 204],
  ['a method that is not for pages', `DELETE /hoy HTTP/1.1\r\n${HOST}${END}`, 405],
  ['an expectation', `GET /hoy HTTP/1.1\r\n${HOST}Expect: miracles\r\n${END}`, 200],
  [
    'an upgrade',
    `GET /hoy HTTP/1.1\r\n${HOST}Upgrade: websocket\r\nConnection: upgrade, close\r\n\r\n`,
    200,
  ],
];

describe('an early answer', () => {
  test.each(EARLY)('to %s says what every answer says', async (_, bytes, status) => {
    const reply = parseReply(await fake.sendRaw(bytes));
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'strict-transport-security': expect.stringContaining('max-age='),
    });
  });
});

describe('a page that is none', () => {
  test.each(['/500', '/en/500', '/500/', '/%35%30%30'])('%s is missing', async (path) => {
    const asked = await fake.ask(path);
    const reply = asked.status === 301 ? await fake.ask(String(asked.headers.location)) : asked;
    expect([reply.status, fake.issues]).toEqual([404, []]);
  });

  test('a redirect from a secret address is in no cache', async () => {
    for (const path of [
      '/publicar/estado/SECRETO%2f/',
      '//publicar/estado/SECRETO',
      '/publicar%2festado/SECRETO/',
    ]) {
      const { status, headers } = await fake.ask(path);
      expect([path, status, headers['cache-control']]).toEqual([path, 301, 'no-store']);
    }
  });
});
