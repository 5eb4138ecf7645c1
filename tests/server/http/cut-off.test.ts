// Aborted requests: render no page and change nothing.
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

/** Sends the bytes, then resets the connection or closes its sending side. */
async function abort(bytes: string, method: 'reset' | 'end'): Promise<void> {
  const socket = connect(fake.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.write(bytes);
  await sleep(60);
  if (method === 'reset') socket.resetAndDestroy();
  else socket.end();
  await new Promise((resolve) => socket.once('close', resolve));
  await sleep(60);
}

test.each([
  ['a form', `${HEAD}${FORM}Content-Length: 30\r\n\r\ndoes=cancel&mess`],
  ['a form in chunks', `${HEAD}${FORM}${CHUNKED}b\r\ndoes=cancel\r\n`],
  ['a form with a file in chunks', `${HEAD}${MULTIPART}${CHUNKED}46\r\n${PART}\r\n`],
])('%s that is aborted has no effect', async (_, bytes) => {
  const before = fake.rendered.length;
  for (const method of ['reset', 'end'] as const) await abort(bytes, method);
  expect([fake.rendered.length - before, fake.issues]).toEqual([0, []]);
});

test('a multipart form without final boundary is rejected, a complete one is not', async () => {
  const send = (body: string) =>
    fake.sendRaw(`${HEAD}${MULTIPART}Content-Length: ${body.length}\r\n\r\n${body}`);
  await send(PART);
  expect(fake.visits.at(-1)).toMatchObject({ rejection: 400 });
  await send(`${PART}--f--\r\n`);
  expect(fake.visits.at(-1)).toMatchObject({ rejection: null, fields: { does: 'cancel' } });
});
