// Ending and beginning: what is in flight finishes, and a taken port is said plainly.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { checkAddress, drain, listen } from '../../../src/server/process/listen.ts';
import { listenHere } from '../../fixtures/folder.ts';

test('a slow answer finishes before its server ends', async () => {
  const server = createServer((_, response) => void setTimeout(() => response.end('whole'), 200));
  const port = await listenHere(server);
  const reply = fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  await once(server, 'request');
  await drain(server);
  expect(await (await reply).text()).toBe('whole');
});

test('of a port in use it says what to do', async () => {
  const first = createServer();
  const address = { host: '127.0.0.1', port: await listenHere(first) };
  const sentence = `choose another: PORT=${address.port + 1} npm start`;
  await expect(checkAddress(address)).rejects.toThrow(sentence);
  await expect(listen(createServer(), address)).rejects.toThrow(sentence);
  await drain(first);
  await checkAddress(address);
});
