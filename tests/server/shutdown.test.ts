// Ending and beginning: what is in flight finishes, and a taken port is said plainly.
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { drain, listen } from '../../src/server/process/listen.ts';
import { toHttpRequest } from '../../src/server/http/front-server.ts';

const portOf = (server: ReturnType<typeof createServer>): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

describe('drain', () => {
  test('lets a slow answer finish', async () => {
    let begun = (): void => {};
    const is_begun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const server = createServer((_, response) => {
      begun();
      setTimeout(() => response.end('whole'), 200);
    });
    await listen(server, { host: '127.0.0.1', port: 0 });
    const reply = fetch(`http://127.0.0.1:${portOf(server)}/`, {
      headers: { connection: 'close' },
    });
    await is_begun;
    await drain(server);
    expect(await (await reply).text()).toBe('whole');
  });
});

describe('listen', () => {
  test('says what to do about a port in use', async () => {
    const first = createServer();
    await listen(first, { host: '127.0.0.1', port: 0 });
    const port = portOf(first);
    await expect(listen(createServer(), { host: '127.0.0.1', port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use. End what uses it, or choose another: PORT=${port + 1} npm start`,
    );
    await drain(first);
  });

  test('says what to do about a host that is not here', async () => {
    await expect(listen(createServer(), { host: '192.0.2.1', port: 0 })).rejects.toThrow(
      /Set HOST and PORT/,
    );
  });
});

describe('toQuestion', () => {
  test.each([
    ['/hoy', '/hoy', ''],
    ['/hoy?a=1?b', '/hoy', 'a=1?b'],
    ['http://x.example/hoy?a', '/hoy', 'a'],
    ['HTTPS://x.example', '/', ''],
    ['/hoy#x', '/hoy', ''],
    ['*', '*', ''],
    ['', '/', ''],
    ['?q=1', '/', 'q=1'],
  ])('%s asks for %s with %j', (url, path, query) => {
    expect(toHttpRequest({ method: 'GET', url, headers: {} })).toMatchObject({ path, query });
  });
});
