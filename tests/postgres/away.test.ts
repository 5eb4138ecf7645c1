// A PostgreSQL that is busy, away and back again: nothing that was acknowledged is lost, and errors say so.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { erase } from '../../src/desk/forget.ts';
import { getDecision } from '../../src/inbox/decisions.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { getSubmission, countWaiting } from '../../src/inbox/changes.ts';
import { readRows, sendIn } from '../fixtures/inbox.ts';
import { makeDatabase, type Postgres, startPostgres } from '../fixtures/postgres.ts';

/** By the first two tests. */
const SENT = 13;
let server: Postgres;
let url = '';
let inbox: Inbox;
beforeAll(async () => {
  server = await startPostgres(true);
  ({ url } = await makeDatabase(server.url));
  inbox = await openInbox(url);
});
afterAll(async () => {
  await inbox.close();
  await server.stop();
});

test('many who send in at once are taken in one after another', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, n) => sendIn(inbox, { title: `Noche ${n}` })));
  expect((await countWaiting(inbox)).waiting).toBe(SENT - 1);
});

test('a character that PostgreSQL does not take is another, and no fault', async () => {
  expect(await getSubmission(inbox, 'HC-\0')).toBe(null);
  const { reference } = await sendIn(inbox, { title: 'Noche\0 rara' });
  expect((await getSubmission(inbox, reference))?.text.title).toContain('Noche');
  await erase(inbox, reference, null);
  expect(await getDecision(inbox, 99_999_999_999)).toBe(null);
});

test('who waits too long for another writer is told to come again', async () => {
  const other = await openInbox(url);
  await other.transaction(async () => {
    await expect(sendIn(inbox, { title: 'Tarde' })).rejects.toMatchObject({ reason: 'inbox_busy' });
    // Readers notice nothing, and what need not be is left out at once.
    expect((await countWaiting(inbox)).waiting).toBe(SENT);
    const look = inbox.withoutWaiting(() => inbox.transaction(async () => 1));
    expect(await look).toBe(null);
  });
  await other.close();
  await sendIn(inbox, { title: 'Tarde' });
  expect((await countWaiting(inbox)).waiting).toBe(SENT + 1);
});

test('killed, it has all that was acknowledged, and is used again without a restart', async () => {
  const sent: string[] = [];
  const sending = (async () => {
    for (let n = 0; n < 200; n++)
      sent.push((await sendIn(inbox, { title: `Golpe ${n}` })).reference);
  })();
  const failed = expect(sending).rejects.toMatchObject({ code: 'unavailable' });
  await expect.poll(() => sent.length).toBeGreaterThan(5);
  await server.kill();
  await failed;
  await expect(countWaiting(inbox)).rejects.toMatchObject({ reason: 'not_stored' });
  await server.begin();
  const there = (await readRows(inbox, 'select reference from changes')).map(
    ({ reference }) => reference,
  );
  expect(there).toEqual(expect.arrayContaining(sent));
  await sendIn(inbox, { title: 'Otra vez' });
});

test('one that a newer program made is refused, unless that one says otherwise', async () => {
  await readRows(inbox, 'update inbox_version set version = 99, oldest_reader = 99');
  await expect(openInbox(url)).rejects.toThrow(/version 99/);
  await readRows(inbox, 'update inbox_version set oldest_reader = 26');
  await (await openInbox(url)).close();
});

test('one that is not there says which setting to look at', async () => {
  await expect(openInbox('postgres://hoy@127.0.0.1:1/none')).rejects.toThrow(/^DATABASE_URL: /);
});
