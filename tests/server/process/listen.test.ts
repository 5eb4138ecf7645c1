// Listening and draining: requests in flight finish, a port in use gives a clear error; and the paths in the log.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { assertAddressFree, drainServer, listen } from '../../../src/server/process/listen.ts';
import { redactPath } from '../../../src/server/process/server-process.ts';
import { listenOnLocalhost } from '../../fixtures/folder.ts';

test('a slow response finishes before the server closes', async () => {
  const server = createServer(
    (_, response) => void setTimeout(() => response.end('complete'), 200),
  );
  const port = await listenOnLocalhost(server);
  const reply = fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  await once(server, 'request');
  await drainServer(server);
  expect(await (await reply).text()).toBe('complete');
});

test('the error for a port in use suggests another port', async () => {
  const first = createServer();
  const address = { host: '127.0.0.1', port: await listenOnLocalhost(first) };
  const advice = `choose another: PORT=${address.port + 1} npm start`;
  await expect(assertAddressFree(address)).rejects.toThrow(advice);
  await expect(listen(createServer(), address)).rejects.toThrow(advice);
  await drainServer(first);
  await assertAddressFree(address);
});

test.each([
  ['/hoy?q=my+name', '/hoy'],
  ['/en/submit/status/s3cret?x', '/en/submit/status/'],
  ['/%70ublicar/estado%2Fs3cret', '/publicar/estado/'],
  ['/PUBLICAR/Estado/s3cret', '/publicar/estado/'],
  ['/hoy%zz', '/hoy%zz'],
  [`/${'a'.repeat(300)}`, `/${'a'.repeat(199)}`],
])('%s is logged as %s', (url, logged) => {
  expect(redactPath(url)).toBe(logged);
});
