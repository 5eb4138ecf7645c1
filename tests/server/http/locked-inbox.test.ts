// The inbox in another program's hands: readers notice nothing, writers wait and are told.
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { serveFake } from '../fake-release.ts';

const fake = await serveFake();
const other = new Database(join(fake.layout.data_dir, 'inbox.db'));
beforeEach(() => {
  other.exec('begin immediate');
  return () => other.exec('rollback');
});
afterAll(() => void other.close());

const send = () => fake.sendForm('/publicar/estado/abc', 'does=cancel&message=Llueve');

test('readers are answered while many wait to write', async () => {
  const writers = Array.from({ length: 20 }, send);
  const begun_ms = performance.now();
  for (let i = 0; i < 20; i++)
    expect((await fake.ask(i % 2 === 0 ? '/hoy' : '/api/v1/notices')).status).toBe(200);
  const took_ms = performance.now() - begun_ms;
  await Promise.all(writers);
  expect(took_ms, 'none of them waited for the writers').toBeLessThan(2_500);
  const fields = { does: 'cancel', message: 'Llueve' };
  expect(fake.visits.at(-1)).toMatchObject({ refusal: 503, fields });
});

test('who is let in within the patience there is, is taken in', async () => {
  const sent = send();
  setTimeout(() => other.exec('rollback; begin immediate; rollback; begin'), 300);
  await sent;
  expect(fake.visits.at(-1)).toMatchObject({ refusal: null });
});
