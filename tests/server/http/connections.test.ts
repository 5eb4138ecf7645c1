// Connections: so many of one address, the idle ones go first; who does not read, or goes on sending, is ended.
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  enforceConnectionLimits,
} from '../../../src/server/http/connections.ts';
import { listenHere } from '../../fixtures/folder.ts';

let servers: Server[] = [];
let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  [servers, sockets] = [[], []];
});

const ASK = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** More than the system holds for a reader that does not read. */
const LARGE = Buffer.alloc(48 * 1024 * 1024);

async function start(
  limits: Partial<ConnectionLimits>,
  answer: RequestListener,
): Promise<{ readonly dial: () => Promise<Socket> }> {
  const server = createServer({ keepAliveTimeout: 60_000 }, answer);
  servers.push(server);
  enforceConnectionLimits(server, { ...CONNECTION_LIMITS, look_ms: 20, ...limits });
  const port = await listenHere(server);
  return {
    dial: () =>
      new Promise((done) => {
        const socket = connect(port, '127.0.0.1', () => done(socket));
        socket.on('error', () => {});
        sockets.push(socket);
      }),
  };
}

const untilClosed = (socket: Socket): Promise<void> =>
  new Promise((done) => (socket.closed ? done() : socket.once('close', () => done())));

test('who does not read a large answer is ended, who reads it is not', async () => {
  const { dial } = await start({ end_ms: 1000, bytes_a_second: 1e9 }, (_, response) => {
    response.end(LARGE);
  });
  const stuck = await dial();
  stuck.pause();
  stuck.write(ASK);
  const reader = await dial();
  let read = 0;
  reader.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  reader.write(ASK);
  await expect.poll(() => read).toBeGreaterThan(LARGE.length);
  await sleep(1_300);
  stuck.resume();
  await untilClosed(stuck);
  expect(reader.closed).toBe(false);
});

test('who goes on sending after the answer is ended', async () => {
  const { dial } = await start({ end_ms: 50 }, (_, response) => {
    response.writeHead(405).end();
  });
  const socket = await dial();
  socket.resume();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n');
  const drip = setInterval(() => socket.write('x'), 10);
  await untilClosed(socket);
  clearInterval(drip);
});

test('a newcomer takes the place of whoever of its address waits longest for nothing', async () => {
  const { dial } = await start({ of_address: 3 }, (_, response) => {
    response.end('ok');
  });
  const [first, second, third] = [await dial(), await dial(), await dial()];
  const newcomer = await dial();
  newcomer.once('data', () => {});
  newcomer.write(ASK);
  await untilClosed(first);
  expect([second.closed, third.closed, newcomer.closed]).toEqual([false, false, false]);
});

test('where all are being answered, a newcomer is not let in', async () => {
  const { dial } = await start({ of_address: Infinity, all: 2 }, async (_, response) => {
    await sleep(300);
    response.end('ok');
  });
  const busy = [await dial(), await dial()];
  for (const socket of busy) socket.write(ASK);
  await sleep(50);
  const newcomer = await dial();
  await untilClosed(newcomer);
  expect(busy.map(({ closed }) => closed)).toEqual([false, false]);
});
