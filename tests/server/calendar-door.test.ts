// A calendar is fetched at a stranger's wish from the public internet only, of few bytes, and few of
// them at once (contract 14.34, 16.4).
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FEED_LIMITS } from '../../src/domain/feed.ts';
import { createCalendarDoor } from '../../src/server/heavy.ts';
import { listenHere } from '../fixtures/folder.ts';

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
  host = `127.0.0.1:${await listenHere(server)}`;
});
afterAll(() => server.close());

test.each(['/a.ics', '/moved'])('%s arrives where its server is allowed', async (path) => {
  const url = `http://${host}${path}`;
  expect(await createCalendarDoor([host])('a', url)).toEqual({
    bytes: Buffer.from(CALENDAR),
    url,
  });
});

test.each([
  ['/large.ics', 'too_large'],
  ['/inside', 'not_public'],
  ['/none', 'not_found'],
])('%s: %s', async (path, problem) => {
  expect(await createCalendarDoor([host])('a', `http://${host}${path}`)).toEqual({ problem });
});

test.each([
  ['http://10.0.0.1/a.ics', 'not_public'],
  ['http://[::1]/a.ics', 'not_public'],
  ['file:///etc/passwd', 'not_address'],
  ['https://ana:secret@example.com/a.ics', 'not_address'],
])('%s is not asked: %s', async (url, problem) => {
  expect(await createCalendarDoor([])('a', url)).toEqual({ problem });
});

test('this very machine is not asked where it is not allowed', async () => {
  expect(await createCalendarDoor([])('a', `http://${host}/a.ics`)).toEqual({
    problem: 'not_public',
  });
});

test('four are on their way at once, and nobody waits for a fifth', async () => {
  const door = createCalendarDoor([host]);
  const found = await Promise.all(
    ['a', 'b', 'c', 'd', 'e'].map((sender) => door(sender, `http://${host}/a.ics`)),
  );
  expect(found.map((one) => ('problem' in one ? one.problem : 'there'))).toEqual([
    ...Array(4).fill('there'),
    'busy',
  ]);
  expect(await door('e', `http://${host}/a.ics`)).toHaveProperty('bytes');
});
