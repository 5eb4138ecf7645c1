// The door for pictures: so many at once, one made at a time, and sixty an hour for one address (contract 14.13).
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { createUploadDoor } from '../../src/server/heavy.ts';
import { storeUpload } from '../../src/server/http/sent-form.ts';
import { createLimits } from '../../src/server/limits.ts';
import { QueueFull } from '../../src/server/queue.ts';
import { makePhoto } from '../fixtures/picture-server.ts';

let inbox: Inbox;
beforeEach(async () => {
  inbox = await openInbox(':memory:');
});
afterEach(async () => {
  await inbox.close();
});

test('one address has sixty in an hour, whatever they are, is told so, and loses nothing', async () => {
  const { take } = await createLimits({ address: 60, key: 600 });
  const door = { uploads: createUploadDoor(), take };
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
});

test('ten of an address are read at once, twenty-four of all, and nobody waits for room', async () => {
  const { enter } = createUploadDoor();
  const leave = Promise.withResolvers<void>();
  const ask = (sender: string): Promise<unknown> =>
    enter(sender, () => leave.promise).catch((thrown: unknown) =>
      thrown instanceof QueueFull ? thrown.status : thrown,
    );
  const entered = ['a', 'b'].flatMap((sender) => Array.from({ length: 10 }, () => ask(sender)));
  expect(await ask('a')).toBe(429);
  entered.push(...Array.from({ length: 4 }, () => ask('c')));
  expect(await ask('d')).toBe(503);
  leave.resolve();
  expect(new Set(await Promise.all(entered))).toEqual(new Set([undefined]));
  expect(await ask('a')).toBe(undefined);
});

test('one is made at a time, in the order in which they came, and a bad one stops none', async () => {
  const { make } = createUploadDoor();
  const log: string[] = [];
  const all = await Promise.allSettled(
    ['a', 'b', 'c'].map((name) =>
      make('192.0.2.7', async () => {
        log.push(`begin ${name}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`end ${name}`);
        if (name === 'b') throw new Error('no');
      }),
    ),
  );
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(log).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c']);
});
