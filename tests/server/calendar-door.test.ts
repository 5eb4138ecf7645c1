// A calendar is fetched at a stranger's wish from the public internet only, of few bytes, and few of
// them for one sender (contract 14.34, 16.4).
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FEED_LIMITS } from '../../src/domain/batch/feed-event.ts';
import { createCalendarDoor } from '../../src/server/http/calendar-door.ts';

const CALENDAR = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
let server: Server;
let host = '';
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/a.ics') response.end(CALENDAR);
    else if (request.url === '/large.ics') response.end(Buffer.alloc(FEED_LIMITS.bytes + 1, 65));
    else if (request.url === '/inside')
      response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    else if (request.url === '/moved') response.writeHead(302, { location: '/a.ics' }).end();
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
});
afterAll(() => server.close());

test.each(['/a.ics', '/moved'])('%s arrives where its server is allowed', async (path) => {
  const url = `http://${host}${path}`;
  expect(await createCalendarDoor([host]).fetch(url)).toEqual({
    bytes: Buffer.from(CALENDAR),
    url,
  });
});

test.each([
  ['/large.ics', 'too_large'],
  ['/inside', 'not_public'],
  ['/none', 'not_found'],
])('%s: %s', async (path, problem) => {
  expect(await createCalendarDoor([host]).fetch(`http://${host}${path}`)).toEqual({ problem });
});

test.each([
  ['http://10.0.0.1/a.ics', 'not_public'],
  ['http://[::1]/a.ics', 'not_public'],
  ['file:///etc/passwd', 'not_address'],
  ['https://ana:secret@example.com/a.ics', 'not_address'],
])('%s is not asked: %s', async (url, problem) => {
  expect(await createCalendarDoor([]).fetch(url)).toEqual({ problem });
});

test('this very machine is not asked where it is not allowed', async () => {
  expect(await createCalendarDoor([]).fetch(`http://${host}/a.ics`)).toEqual({
    problem: 'not_public',
  });
});

test('one sender has so many in an hour, another has their own', async () => {
  const door = createCalendarDoor([], 2);
  const counted = [];
  for (const sender of ['a', 'a', 'a', 'b']) counted.push(await door.count(sender));
  expect(counted).toEqual([null, null, expect.any(Number), null]);
  expect(counted[2]).toBeLessThanOrEqual(3_600_000);
});
