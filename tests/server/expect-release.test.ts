// When a build stands by: from a decision at the desk until none has come for a quarter of an hour.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { createExpectation } from '../../src/server/process/expect-release.ts';
import { publish } from '../fixtures/approved.ts';

const MINUTE_MS = 60_000;
let folder: string;
let inbox: Inbox;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  folder = mkdtempSync(join(tmpdir(), 'hoy-expect-'));
  inbox = openInbox(join(folder, 'inbox.db'));
});
afterEach(() => {
  inbox.close();
  rmSync(folder, { recursive: true });
  vi.useRealTimers();
});

test('a decision begins it, each further one keeps it, a quarter of an hour ends it', () => {
  publish(inbox);
  const { look, stop } = createExpectation(folder);
  // What was decided before the service began is in its release, or in the next one that is due.
  expect(look()).toBeNull();
  publish(inbox, { title: 'Otra noche' });
  expect([look(), look()]).toEqual(['prepare', null]);
  vi.advanceTimersByTime(14 * MINUTE_MS);
  publish(inbox, { title: 'Noche tercera' });
  expect(look()).toBe('prepare');
  vi.advanceTimersByTime(14 * MINUTE_MS);
  expect(look()).toBeNull();
  vi.advanceTimersByTime(MINUTE_MS);
  expect([look(), look()]).toEqual(['dismiss', null]);
  stop();
});

test('none stands by where less than a gigabyte is left', () => {
  const { look, stop } = createExpectation(folder, () => 1024 ** 3 - 1);
  publish(inbox);
  expect(look()).toBeNull();
  stop();
});
