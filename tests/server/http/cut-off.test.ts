// A request that is cut off does nothing, however it is cut: no page is made of it, nobody acts upon it.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { serveFake } from '../fake-release.ts';

const fake = await serveFake();

const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
const MULTIPART = 'Content-Type: multipart/form-data; boundary=f\r\n';
const HEAD = 'POST /publicar/estado/abc HTTP/1.1\r\nHost: hoy.example\r\nConnection: close\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const PART = '--f\r\nContent-Disposition: form-data; name="does"\r\n\r\ncancel\r\n';

/** Sends, and is gone: by a reset, or having said that no more comes. */
async function cut(bytes: string, how: 'reset' | 'end'): Promise<void> {
  const socket = connect(fake.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.write(bytes);
  await sleep(60);
  if (how === 'reset') socket.resetAndDestroy();
  else socket.end();
  await new Promise((done) => socket.once('close', done));
  await sleep(60);
}

test.each([
  ['a form', `${HEAD}${FORM}Content-Length: 30\r\n\r\ndoes=cancel&mess`],
  ['a form in chunks', `${HEAD}${FORM}${CHUNKED}b\r\ndoes=cancel\r\n`],
  ['a form with a file in chunks', `${HEAD}${MULTIPART}${CHUNKED}46\r\n${PART}\r\n`],
])('%s that is cut off does nothing', async (_, bytes) => {
  const before = fake.rendered.length;
  for (const how of ['reset', 'end'] as const) await cut(bytes, how);
  expect([fake.rendered.length - before, fake.issues]).toEqual([0, []]);
});

test('one whose parts have no end is refused, and one that is whole is not', async () => {
  const send = (body: string) =>
    fake.sendRaw(`${HEAD}${MULTIPART}Content-Length: ${body.length}\r\n\r\n${body}`);
  await send(PART);
  expect(fake.visits.at(-1)).toMatchObject({ refusal: 400 });
  await send(`${PART}--f--\r\n`);
  expect(fake.visits.at(-1)).toMatchObject({ refusal: null, fields: { does: 'cancel' } });
});
