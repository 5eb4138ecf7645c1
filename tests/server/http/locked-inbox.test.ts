// Locked inbox: reads are not affected; writes wait, and fail with 503 after a timeout.
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

test('reads are served while many writes wait', async () => {
  const writers = Array.from({ length: 20 }, send);
  const start_ms = performance.now();
  for (let i = 0; i < 20; i++)
    expect((await fake.ask(i % 2 === 0 ? '/hoy' : '/api/v1/notices')).status).toBe(200);
  const duration_ms = performance.now() - start_ms;
  await Promise.all(writers);
  expect(duration_ms, 'no read waited for the writes').toBeLessThan(2_500);
  const fields = { does: 'cancel', message: 'Llueve' };
  expect(fake.visits.at(-1)).toMatchObject({ rejection: 503, fields });
});

test('a write succeeds if the inbox is unlocked in time', async () => {
  const response = send();
  setTimeout(() => other.exec('rollback; begin immediate; rollback; begin'), 300);
  await response;
  expect(fake.visits.at(-1)).toMatchObject({ rejection: null });
});
