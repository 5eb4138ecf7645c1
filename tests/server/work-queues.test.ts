// Work queues: limits of concurrent and waiting tasks (contract 10.10, 14.13, 14.34, 16.4).
import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { IMPORT_LIMITS } from '../../src/domain/imported-events.ts';
import { openInbox } from '../../src/inbox/open.ts';
import {
  createCalendarFetcher,
  createRenderQueues,
  createUploadQueues,
} from '../../src/server/work-queues.ts';
import { storeUpload } from '../../src/server/http/receive-form.ts';
import { createRateLimiter } from '../../src/server/rate-limits.ts';
import { createFairQueue, QueueFullError } from '../../src/server/fair-queue.ts';
import { listenOnLocalhost } from '../fixtures/folder.ts';
import { createPhoto } from '../fixtures/picture-server.ts';

const { page, form, poster } = createRenderQueues();
const { receive, encode } = createUploadQueues();

test.each([
  ['page', page, 2, 34, 258],
  ['form', form, 64, 96, 320],
  ['poster', poster, 1, 256, 512],
  ['upload', receive, 24, 10, 24],
  ['picture encoding', encode, 1, 10, 24],
] as const)('%s: %i run at once, %i per sender, %i in total', async (...limits) => {
  const [, run, concurrency, per_sender, total] = limits;
  const end = Promise.withResolvers<number>();
  let started = 0;
  const enqueue = (sender: string): Promise<number> =>
    run(sender, () => {
      started++;
      return end.promise;
    }).catch((error: unknown) => (error instanceof QueueFullError ? error.status : -1));
  const results = Array.from({ length: per_sender }, () => enqueue('sender 0'));
  expect(await enqueue('sender 0')).toBe(429);
  for (let i = per_sender; i < total; i++)
    results.push(enqueue(`sender ${Math.floor(i / per_sender)}`));
  expect(await enqueue('another sender')).toBe(503);
  await expect.poll(() => started).toBe(concurrency);
  end.resolve(0);
  expect(new Set(await Promise.all(results))).toEqual(new Set([0]));
  expect(await enqueue('sender 0')).toBe(0);
});

const LIMITS = { concurrency: 1, per_sender: 5, total: 7 } as const;

test('the queue serves senders in turn, even if one has many tasks', async () => {
  const run = createFairQueue(LIMITS);
  const order: string[] = [];
  const enqueue = (sender: string) => run(sender, async () => void order.push(sender));
  await Promise.all([...Array.from({ length: 5 }, () => enqueue('a')), enqueue('b'), enqueue('c')]);
  expect(order.join('')).toBe('abcaaaa');
});

test('the queue continues after a task that fails', async () => {
  const run = createFairQueue(LIMITS);
  await expect(run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await run('a', async () => 'next')).toBe('next');
});

describe('createCalendarFetcher', () => {
  const CALENDAR = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
  const server = createServer((request, response) => {
    if (request.url === '/a.ics') response.end(CALENDAR);
    else if (request.url === '/large.ics')
      response.end(Buffer.alloc(IMPORT_LIMITS.fetched_bytes + 1, 65));
    else if (request.url === '/inside')
      response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    else if (request.url === '/moved') response.writeHead(302, { location: '/a.ics' }).end();
    else response.writeHead(404).end();
  });
  afterAll(() => server.close());
  const listening = listenOnLocalhost(server).then((port) => `127.0.0.1:${port}`);

  test.each([
    ['/large.ics', 'too_large'],
    ['/inside', 'not_public'],
    ['/none', 'not_found'],
  ])('rejects %s as %s', async (path, problem) => {
    const host = await listening;
    expect(await createCalendarFetcher([host])('a', `http://${host}${path}`)).toEqual({ problem });
  });

  test('fetches four calendars at once, and rejects a fifth', async () => {
    const host = await listening;
    const fetchCalendar = createCalendarFetcher([host]);
    const fetchMoved = (sender: string) => fetchCalendar(sender, `http://${host}/moved`);
    const results = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(fetchMoved));
    const received = { bytes: Buffer.from(CALENDAR), url: `http://${host}/moved` };
    expect(results).toEqual([...Array(4).fill(received), { problem: 'busy' }]);
    expect(await fetchMoved('e')).toEqual(received);
  });
});

test('an address may upload sixty pictures an hour, gets the retry time, and keeps stored ones', async () => {
  const inbox = await openInbox(':memory:');
  const { consumeAllowance } = await createRateLimiter({ address: 60, key: 600 });
  const service = { uploads: createUploadQueues(), consumeAllowance };
  const upload = (bytes: Buffer, sender = '192.0.2.7') =>
    storeUpload(inbox, service, bytes, { sender, now_ms: 0 });
  const photo = await createPhoto('png', 300, 301);
  expect(await upload(photo)).toHaveProperty('id');
  for (let i = 2; i <= 60; i++)
    expect(await upload(Buffer.from(`no picture ${i}`))).toEqual({ problem: 'other_kind' });
  const rejected = await upload(Buffer.from('one too many'));
  const retry_at_ms = 'problem' in rejected ? (rejected.retry_at_ms ?? 0) : 0;
  expect(rejected).toEqual({ problem: 'too_many', retry_at_ms });
  expect([retry_at_ms > 3_590_000, retry_at_ms <= 3_600_000]).toEqual([true, true]);
  expect(await upload(photo), 'already stored').toHaveProperty('id');
  expect(await upload(Buffer.from('another'), '192.0.2.8')).toEqual({ problem: 'other_kind' });
  await inbox.close();
});
