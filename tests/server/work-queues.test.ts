// What is heavy: how much there may be at once (contract 10.10, 14.13, 14.34, 16.4).
import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { IMPORT_LIMITS } from '../../src/domain/imported-events.ts';
import { openInbox } from '../../src/inbox/open.ts';
import {
  createCalendarGate,
  createRenderQueues,
  createUploadGate,
} from '../../src/server/work-queues.ts';
import { storeUpload } from '../../src/server/http/receive-form.ts';
import { createRateLimiter } from '../../src/server/rate-limits.ts';
import { createFairQueue, QueueFullError } from '../../src/server/fair-queue.ts';
import { listenHere } from '../fixtures/folder.ts';
import { makePhoto } from '../fixtures/picture-server.ts';

const { page, form, poster } = createRenderQueues();
const { enter, make } = createUploadGate();

test.each([
  ['page', page, 2, 34, 258],
  ['form', form, 64, 96, 320],
  ['poster', poster, 1, 24, 48],
  ['upload', enter, 24, 10, 24],
  ['picture made our own', make, 1, 10, 24],
] as const)('%s: %i are begun at once, %i of one, %i of all', async (_, run, at_once, one, all) => {
  const end = Promise.withResolvers<number>();
  let begun = 0;
  const ask = (sender: string): Promise<number> =>
    run(sender, () => {
      begun++;
      return end.promise;
    }).catch((thrown: unknown) => (thrown instanceof QueueFullError ? thrown.status : -1));
  const asked = Array.from({ length: one }, () => ask('sender 0'));
  expect(await ask('sender 0')).toBe(429);
  for (let at = one; at < all; at++) asked.push(ask(`sender ${Math.floor(at / one)}`));
  expect(await ask('somebody')).toBe(503);
  await expect.poll(() => begun).toBe(at_once);
  end.resolve(0);
  expect(new Set(await Promise.all(asked))).toEqual(new Set([0]));
  expect(await ask('sender 0')).toBe(0);
});

const LIMITS = { at_once: 1, of_one: 5, of_all: 7 } as const;

test('the queue goes from one sender to the next, however much one of them has waiting', async () => {
  const run = createFairQueue(LIMITS);
  const order: string[] = [];
  const ask = (sender: string) => run(sender, async () => void order.push(sender));
  await Promise.all([...Array.from({ length: 5 }, () => ask('a')), ask('b'), ask('c')]);
  expect(order.join('')).toBe('abcaaaa');
});

test('the queue goes on after work that fails', async () => {
  const run = createFairQueue(LIMITS);
  await expect(run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await run('a', async () => 'next')).toBe('next');
});

describe('a calendar', () => {
  const CALENDAR = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
  const server = createServer((request, response) => {
    if (request.url === '/a.ics') response.end(CALENDAR);
    else if (request.url === '/large.ics') response.end(Buffer.alloc(IMPORT_LIMITS.bytes + 1, 65));
    else if (request.url === '/inside')
      response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    else if (request.url === '/moved') response.writeHead(302, { location: '/a.ics' }).end();
    else response.writeHead(404).end();
  });
  afterAll(() => server.close());
  const listening = listenHere(server).then((port) => `127.0.0.1:${port}`);

  test.each([
    ['/large.ics', 'too_large'],
    ['/inside', 'not_public'],
    ['/none', 'not_found'],
  ])('%s: %s', async (path, problem) => {
    const host = await listening;
    expect(await createCalendarGate([host])('a', `http://${host}${path}`)).toEqual({ problem });
  });

  test('is one of four on their way at once, and nobody waits for a fifth', async () => {
    const host = await listening;
    const door = createCalendarGate([host]);
    const ask = (sender: string) => door(sender, `http://${host}/moved`);
    const found = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(ask));
    const arrived = { bytes: Buffer.from(CALENDAR), url: `http://${host}/moved` };
    expect(found).toEqual([...Array(4).fill(arrived), { problem: 'busy' }]);
    expect(await ask('e')).toEqual(arrived);
  });
});

test('of pictures one address has sixty in an hour, is told so, and loses nothing', async () => {
  const inbox = await openInbox(':memory:');
  const { take } = await createRateLimiter({ address: 60, key: 600 });
  const door = { uploads: createUploadGate(), take };
  const send = (bytes: Buffer, sender = '192.0.2.7') =>
    storeUpload(inbox, door, bytes, { sender, now_ms: 0 });
  const photo = await makePhoto('png', 300, 301);
  expect(await send(photo)).toHaveProperty('id');
  for (let at = 2; at <= 60; at++)
    expect(await send(Buffer.from(`no picture ${at}`))).toEqual({ problem: 'other_kind' });
  const refused = await send(Buffer.from('one too many'));
  const retry_at_ms = 'problem' in refused ? (refused.retry_at_ms ?? 0) : 0;
  expect(refused).toEqual({ problem: 'too_many', retry_at_ms });
  expect([retry_at_ms > 3_590_000, retry_at_ms <= 3_600_000]).toEqual([true, true]);
  expect(await send(photo), 'it is there already').toHaveProperty('id');
  expect(await send(Buffer.from('another'), '192.0.2.8')).toEqual({ problem: 'other_kind' });
  await inbox.close();
});
