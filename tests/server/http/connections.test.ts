// Connection limits: evict idle connections first, and disconnect clients that do not read or keep sending.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  enforceConnectionLimits,
} from '../../../src/server/http/connections.ts';
import { listenOnLocalhost } from '../../fixtures/folder.ts';

let servers: Server[] = [];
let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  [servers, sockets] = [[], []];
});

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** More than the system buffers for a client that does not read. */
const LARGE = Buffer.alloc(48 * 1024 * 1024);

async function start(
  limits: Partial<ConnectionLimits>,
  handler: RequestListener,
): Promise<{ readonly dial: () => Promise<Socket>; readonly rejected: readonly string[] }> {
  const rejected: string[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, handler);
  servers.push(server);
  const all_limits = { ...CONNECTION_LIMITS, check_interval_ms: 20, ...limits };
  enforceConnectionLimits(server, all_limits, (kind) => rejected.push(kind));
  const port = await listenOnLocalhost(server);
  return {
    rejected,
    dial: () =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket));
        socket.on('error', () => {});
        sockets.push(socket);
      }),
  };
}

const untilClosed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));

test('closes a connection that does not read a large response, but not one that reads it', async () => {
  const { dial } = await start(
    { exchange_timeout_ms: 1000, min_bytes_per_second: 1e9 },
    (_, response) => {
      response.end(LARGE);
    },
  );
  const stuck = await dial();
  stuck.pause();
  stuck.write(REQUEST);
  const reader = await dial();
  let read = 0;
  reader.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  reader.write(REQUEST);
  await expect.poll(() => read).toBeGreaterThan(LARGE.length);
  await sleep(1_300);
  stuck.resume();
  await untilClosed(stuck);
  expect(reader.closed).toBe(false);
});

test('closes a connection that keeps sending after the response', async () => {
  const { dial } = await start({ exchange_timeout_ms: 50 }, (_, response) => {
    response.writeHead(405).end();
  });
  const socket = await dial();
  socket.resume();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n');
  const drip = setInterval(() => socket.write('x'), 10);
  await untilClosed(socket);
  clearInterval(drip);
});

test('a new connection replaces the oldest idle one of its address', async () => {
  const { dial } = await start({ per_address: 3 }, (_, response) => {
    response.end('ok');
  });
  const [first, second, third] = [await dial(), await dial(), await dial()];
  const newcomer = await dial();
  newcomer.once('data', () => {});
  newcomer.write(REQUEST);
  await untilClosed(first);
  expect([second.closed, third.closed, newcomer.closed]).toEqual([false, false, false]);
});

test.each([
  ['its address', { per_address: 3 }],
  ['all addresses', { per_address: Infinity, total: 3 }],
] as const)(
  'a new connection replaces the one of %s with the slowest unfinished body',
  async (_, limits) => {
    const { dial, rejected } = await start(limits, (request, response) => {
      request.resume().once('end', () => response.end('ok'));
    });
    const send = async (rate: number): Promise<Socket> => {
      const socket = await dial();
      socket.resume();
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'.repeat(rate)), 20);
      socket.once('close', () => clearInterval(timer));
      return socket;
    };
    // 50 times a second; the minimum is 8,000 bytes a second.
    const [fast, slow, slower] = [await send(400), await send(10), await send(1)];
    await sleep(400);
    const newcomer = await send(400);
    await untilClosed(slower);
    const visitor = await dial();
    visitor.write(REQUEST);
    const [answer] = await once(visitor, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    await untilClosed(slow);
    expect([fast.closed, newcomer.closed]).toEqual([false, false]);
    expect(rejected).toEqual(['connection', 'connection']);
  },
);

test('256 slow bodies do not keep out a visitor of the same address', async () => {
  const { dial } = await start({}, (request, response) => {
    request.resume().once('end', () => response.end('ok'));
  });
  const slow = await Array.fromAsync(Array(CONNECTION_LIMITS.per_address), dial);
  for (const socket of slow)
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx');
  await sleep(200);
  const visitor = await dial();
  visitor.write(REQUEST);
  const [answer] = await once(visitor, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  expect(slow.filter(({ closed }) => closed)).toHaveLength(1);
});

test('a new connection is rejected if none is idle or receives a body', async () => {
  const { dial } = await start({ per_address: Infinity, total: 2 }, async (_, response) => {
    await sleep(300);
    response.end('ok');
  });
  const busy = [await dial(), await dial()];
  for (const socket of busy) socket.write(REQUEST);
  await sleep(50);
  const newcomer = await dial();
  await untilClosed(newcomer);
  expect(busy.map(({ closed }) => closed)).toEqual([false, false]);
});
