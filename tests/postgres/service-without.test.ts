// A service whose PostgreSQL is away: it goes on for readers, says what is missing, gives back what was typed, and
// needs no restart.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDatabase, type Postgres, startPostgres } from '../fixtures/postgres.ts';
import { startFake } from '../server/fake-release.ts';

let server: Postgres;
let fake: Awaited<ReturnType<typeof startFake>>;
beforeAll(async () => {
  server = await startPostgres();
  const { url } = await makeDatabase(server.url);
  fake = await startFake(undefined, undefined, url);
});
afterAll(async () => {
  await fake.stop();
  await server.stop();
});

const BODY = 'title=Llueve';
const send = (): Promise<string> =>
  fake.sendRaw(
    `POST /publicar HTTP/1.1\r\nHost: hoy.example\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
    30_000,
  );
const readStatus = async () => JSON.parse((await fake.ask('/statusz')).text);

test('readers notice nothing, and who is sent something is told', async () => {
  expect(await readStatus()).toMatchObject({ attention: [], queue: { waiting: 0 } });
  await server.kill();
  for (const path of ['/hoy', '/api/v1/notices', '/readyz', '/healthz'])
    expect((await fake.ask(path)).status, path).toBe(200);
  const { attention, queue } = await readStatus();
  expect([attention, queue]).toEqual([[expect.stringMatching(/^inbox: /)], null]);
  await send();
  expect(fake.visits.at(-1)).toMatchObject({ refusal: 503, fields: { title: 'Llueve' } });
  expect((await fake.ask('/publicar/estado/abc')).status).toBe(503);
  await server.begin();
  expect(await readStatus()).toMatchObject({ attention: [], queue: { waiting: 0 } });
  await send();
  expect(fake.visits.at(-1)).toMatchObject({ refusal: null });
  expect(fake.issues).toEqual([]);
});
