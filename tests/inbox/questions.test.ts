// What is asked of the inbox at every look of an alarm and with everything that comes in: an index answers it, however
// many thousands lie there.
import { inbox, readRows, sendIn, useInbox } from '../fixtures/inbox.ts';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import type { Inbox } from '../../src/inbox/open.ts';
import { listPending, countWaiting } from '../../src/inbox/changes.ts';

useInbox();

/** The tables that grow with what comes in, and that `work` reads from end to end. */
async function listScanned(
  inbox: Inbox,
  work: () => Promise<unknown>,
): Promise<readonly unknown[]> {
  const spy = vi.spyOn(Database.prototype, 'prepare');
  await work();
  const asked = spy.mock.calls.map(([sql]) => sql);
  spy.mockRestore();
  expect(asked.filter((sql) => /\bchanges\b/.test(sql)).length).toBeGreaterThan(0);
  const plans = await Array.fromAsync(asked, (sql) =>
    readRows(inbox, `explain query plan ${sql.replace(/\?\d*|[:@]\w+/g, '1')}`),
  );
  return plans
    .flat()
    .map(({ detail }) => String(detail))
    .filter((detail) => /^SCAN (changes|submission_senders|letters)\b/.test(detail));
}

test.each<[string, (inbox: Inbox) => Promise<unknown>]>([
  ['what waits, counted for /statusz and the desk', countWaiting],
  ['the oldest that wait', listPending],
  ['one more submission, counted and stored', (inbox) => sendIn(inbox, { title: 'Una más' })],
])('%s, is found without reading all there is', async (_, ask) => {
  await sendIn(inbox, { title: 'La primera' });
  expect(await listScanned(inbox, () => ask(inbox))).toEqual([]);
});
