// What is asked of the inbox at every look of an alarm and with everything that comes in: an index answers it, however
// many thousands lie there.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Inbox } from '../../src/inbox/open.ts';
import { listPending } from '../../src/inbox/submissions.ts';
import { countWaiting } from '../../src/inbox/waiting.ts';
import { openFixtureInbox, sendIn } from '../fixtures/inbox.ts';

let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

/** The tables that grow with what comes in, and that `work` reads from end to end. */
function listScanned(inbox: Inbox, work: () => unknown): readonly string[] {
  const spy = vi.spyOn(inbox, 'prepare');
  work();
  const asked = spy.mock.calls.map(([sql]) => sql);
  spy.mockRestore();
  expect(asked.length).toBeGreaterThan(0);
  return asked.flatMap((sql) =>
    inbox
      .prepare<[], { detail: string }>(`explain query plan ${sql.replace(/\?\d*|[:@]\w+/g, '1')}`)
      .all()
      .map(({ detail }) => detail)
      .filter((detail) => /^SCAN (changes|submission_senders|letters)\b/.test(detail)),
  );
}

test.each<[string, (inbox: Inbox) => unknown]>([
  ['what waits, counted for /statusz and the desk', countWaiting],
  ['the oldest that wait', listPending],
  ['one more submission, counted and stored', (inbox) => sendIn(inbox, { title: 'Una más' })],
])('%s, is found without reading all there is', (_, ask) => {
  sendIn(opened.inbox, { title: 'La primera' });
  expect(listScanned(opened.inbox, () => ask(opened.inbox))).toEqual([]);
});
