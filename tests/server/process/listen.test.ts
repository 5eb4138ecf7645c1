// Ending and beginning: what is in flight finishes, and a taken port is said plainly.
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { checkAddress, drain, listen } from '../../../src/server/process/listen.ts';
import { findFreePort } from '../../fixtures/built-server.ts';
import { listenHere } from '../../fixtures/folder.ts';

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
    const port = await listenHere(server);
    const reply = fetch(`http://127.0.0.1:${port}/`, {
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
    const address = { host: '127.0.0.1', port: await listenHere(first) };
    const sentence = `Port ${address.port} on 127.0.0.1 is in use. End what uses it, or choose another: PORT=${address.port + 1} npm start`;
    await expect(checkAddress(address)).rejects.toThrow(sentence);
    await expect(listen(createServer(), address)).rejects.toThrow(sentence);
    await drain(first);
    await checkAddress(address);
  });

  test('says what to do about a host that is not here', async () => {
    await expect(listen(createServer(), { host: '192.0.2.1', port: 0 })).rejects.toThrow(
      /Set HOST and PORT/,
    );
  });
});

describe.runIf(process.platform === 'linux')('servers of one service', () => {
  test('share a port, and no request fails where one of them is ended', async () => {
    const [old, next] = ['old', 'next'].map((name) =>
      createServer((_, response) => void response.end(name)),
    );
    if (!old || !next) throw new Error('no servers');
    const address = { host: '127.0.0.1', port: await findFreePort() };
    for (const server of [old, next]) await listen(server, address);
    // Again where it is reset, as a proxy does: net.ipv4.tcp_migrate_req may be 0 here.
    const ask = () =>
      fetch(`http://127.0.0.1:${address.port}/`, { headers: { connection: 'close' } });
    const seen: string[] = [];
    let is_asking = true;
    const keepAsking = async (): Promise<void> => {
      while (is_asking) {
        const reply = await ask().catch(ask);
        seen.push(await reply.text());
      }
    };
    const askers = Array.from({ length: 8 }, keepAsking);
    await expect.poll(() => new Set(seen).size).toBe(2);
    await drain(old);
    const seen_by_then = seen.length;
    await expect.poll(() => seen.length).toBeGreaterThan(seen_by_then + 100);
    is_asking = false;
    await Promise.all(askers);
    expect(new Set(seen.slice(seen_by_then + 10))).toEqual(new Set(['next']));
    await drain(next);
  });
});
