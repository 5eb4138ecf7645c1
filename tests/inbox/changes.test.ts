// What is asked of changes again and again: an index answers it, however many thousands lie there.
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { countWaiting, listPending } from '../../src/inbox/changes.ts';
import { inbox, readRows, sendIn, useInbox } from '../fixtures/inbox.ts';

useInbox();

test.each<[string, () => Promise<unknown>]>([
  ['what waits, counted for /statusz and the desk', () => countWaiting(inbox)],
  ['the oldest that wait', () => listPending(inbox)],
  ['one more submission, counted and stored', () => sendIn(inbox, { title: 'Una más' })],
])('%s, is found without reading all there is', async (_, ask) => {
  await sendIn(inbox, { title: 'La primera' });
  const spy = vi.spyOn(Database.prototype, 'prepare');
  await ask();
  const asked = spy.mock.calls.map(([sql]) => sql.replace(/\?\d*|[:@]\w+/g, '1'));
  spy.mockRestore();
  expect(asked.filter((sql) => /\bchanges\b/.test(sql)).length).toBeGreaterThan(0);
  const plans = await Array.fromAsync(asked, (sql) => readRows(inbox, `explain query plan ${sql}`));
  const steps = plans.flat().map(({ detail }) => String(detail));
  expect(steps.filter((step) => /^SCAN (changes|submission_senders|letters)\b/.test(step))).toEqual(
    [],
  );
});
