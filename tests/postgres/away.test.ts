// PostgreSQL outages: acknowledged submissions survive, errors are classified, and the service keeps serving visitors,
// returns typed form values and recovers without a restart.
import { afterAll, expect, test } from 'vitest';
import { erasePrivateData } from '../../src/desk/retention.ts';
import { countPending, getSubmission } from '../../src/inbox/changes.ts';
import { getDecision } from '../../src/inbox/decisions.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { queryColumn, queryRows, submitTestEvent } from '../fixtures/inbox.ts';
import { createTestDatabase, startPostgres } from '../fixtures/postgres.ts';
import { serveFake } from '../server/fake-release.ts';

const server = await startPostgres(true);
afterAll(server.stop);
const { url } = await createTestDatabase(server.url);
const inbox = await openInbox(url);
afterAll(() => inbox.close());
const fake = await serveFake(undefined, undefined, (await createTestDatabase(server.url)).url);

test('concurrent submissions are stored one after another; one that waits too long gets inbox_busy', async () => {
  await Promise.all(
    Array.from({ length: 12 }, (_, n) => submitTestEvent(inbox, { title: `Noche ${n}` })),
  );
  const other = await openInbox(url);
  await other.transaction(async () => {
    await expect(submitTestEvent(inbox, { title: 'Tarde' })).rejects.toMatchObject({
      reason: 'inbox_busy',
    });
    // Reads do not wait, and optional writes are skipped at once.
    expect((await countPending(inbox)).waiting).toBe(12);
    const optional_write = inbox.withoutWaiting(() => inbox.transaction(async () => 1));
    expect(await optional_write).toBe(null);
  });
  await other.close();
  await submitTestEvent(inbox, { title: 'Tarde' });
  expect((await countPending(inbox)).waiting).toBe(13);
});

test('NUL, which PostgreSQL rejects, is replaced without an error', async () => {
  expect(await getSubmission(inbox, 'HC-\0')).toBe(null);
  const { reference } = await submitTestEvent(inbox, { title: 'Noche\0 rara' });
  expect((await getSubmission(inbox, reference))?.text.title).toContain('Noche');
  await erasePrivateData(inbox, reference, null);
  expect(await getDecision(inbox, 99_999_999_999)).toBe(null);
});

const post = () => fake.sendForm('/publicar', 'title=Llueve');
const readStatus = async () => JSON.parse((await fake.ask('/statusz')).text);

test('after a kill, all acknowledged submissions are stored and the service reconnects', async () => {
  expect(await readStatus()).toMatchObject({ attention: [], queue: { waiting: 0 } });
  const acknowledged: string[] = [];
  const sending = (async () => {
    for (let n = 0; n < 200; n++)
      acknowledged.push((await submitTestEvent(inbox, { title: `Golpe ${n}` })).reference);
  })();
  const failed = expect(sending).rejects.toMatchObject({ code: 'unavailable' });
  await expect.poll(() => acknowledged.length).toBeGreaterThan(5);
  await server.kill();
  await failed;
  await expect(countPending(inbox)).rejects.toMatchObject({ reason: 'not_stored' });
  for (const path of ['/hoy', '/api/v1/notices', '/readyz', '/healthz'])
    expect((await fake.ask(path)).status, path).toBe(200);
  const { attention, queue } = await readStatus();
  expect([attention, queue]).toEqual([[expect.stringMatching(/^inbox: /)], null]);
  await post();
  expect(fake.visits.at(-1)).toMatchObject({ rejection: 503, fields: { title: 'Llueve' } });
  expect((await fake.ask('/publicar/estado/abc')).status).toBe(503);
  await server.startAgain();
  const references = await queryColumn(inbox, 'select reference from changes');
  expect(references).toEqual(expect.arrayContaining(acknowledged));
  await submitTestEvent(inbox, { title: 'Otra vez' });
  expect(await readStatus()).toMatchObject({ attention: [], queue: { waiting: 0 } });
  await post();
  expect([fake.visits.at(-1), fake.issues]).toMatchObject([{ rejection: null }, []]);
});

test('an incompatible newer inbox and an unreachable database are rejected with a message', async () => {
  await queryRows(inbox, 'update inbox_version set version = 99, oldest_reader = 99');
  await expect(openInbox(url)).rejects.toThrow(/version 99/);
  await queryRows(inbox, 'update inbox_version set oldest_reader = 26');
  await (await openInbox(url)).close();
  await expect(openInbox('postgres://hoy@127.0.0.1:1/none')).rejects.toThrow(/^DATABASE_URL: /);
});
