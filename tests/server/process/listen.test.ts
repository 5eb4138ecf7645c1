// Ending and beginning: what is in flight finishes, a taken port is said plainly; and what the log gets of an address.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { assertAddressFree, drainServer, listen } from '../../../src/server/process/listen.ts';
import { redactPath } from '../../../src/server/process/server-process.ts';
import { listenHere } from '../../fixtures/folder.ts';

test('a slow answer finishes before its server ends', async () => {
  const server = createServer((_, response) => void setTimeout(() => response.end('whole'), 200));
  const port = await listenHere(server);
  const reply = fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  await once(server, 'request');
  await drainServer(server);
  expect(await (await reply).text()).toBe('whole');
});

test('of a port in use it says what to do', async () => {
  const first = createServer();
  const address = { host: '127.0.0.1', port: await listenHere(first) };
  const sentence = `choose another: PORT=${address.port + 1} npm start`;
  await expect(assertAddressFree(address)).rejects.toThrow(sentence);
  await expect(listen(createServer(), address)).rejects.toThrow(sentence);
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
