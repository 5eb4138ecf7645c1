// Taking in submissions: once each, counted, named so that nobody guesses, known again after a
// restart.
import { readRows, readValue } from '../fixtures/inbox.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Submission } from '../../src/domain/submission/submission.ts';
import { createFormStamp, toDigest } from '../../src/inbox/secret.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { correct, requestChange, submit } from '../../src/desk/propose.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { SUBMISSION } from '../fixtures/inbox.ts';
import { approveText, refuse } from '../fixtures/changes.ts';

let folder: string;
let inbox: Inbox;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-inbox-'));
  inbox = await openInbox(join(folder, 'inbox.db'));
});
afterEach(async () => {
  await inbox.close();
  rmSync(folder, { recursive: true });
});

const submission = (title: string): Submission => ({ ...SUBMISSION, title });
const receive = (title: string, sender = '192.0.2.1', now_ms = FRIDAY_NOON_MS) =>
  submit(inbox, { submission: submission(title), channel: 'form', sender, now_ms });
const HOUR_MS = 3_600_000;

test('the same content is one submission, from whoever and whenever it comes, also after a restart', async () => {
  const first = await receive('A');
  expect(first).toMatchObject({ state: 'pending', is_repeat: false });
  await inbox.close();
  inbox = await openInbox(join(folder, 'inbox.db'));
  expect(await receive('A', '198.51.100.7', FRIDAY_NOON_MS + 48 * HOUR_MS)).toEqual({
    ...first,
    is_repeat: true,
  });
  expect(await readValue(inbox, 'select count(*) from changes')).toBe(1);
});

test('whoever repeats what is public is not told its secret address, whatever its sender asks meanwhile', async () => {
  const { reference } = await receive('A');
  const review = { editor: 'ana', now_ms: FRIDAY_NOON_MS };
  await approveText(inbox, { ...review, reference, revision: 1 }, {});
  expect((await receive('A', '198.51.100.7')).token).toBeNull();
  const change = { reference, now_ms: FRIDAY_NOON_MS };
  await requestChange(inbox, { ...change, asks: 'postpone', message: 'Llueve', dates: null });
  expect(await receive('A', '198.51.100.7')).toMatchObject({ state: 'pending', token: null });
  await refuse(inbox, { ...review, reference, revision: 2 }, 'reject', 'No');
  expect(await receive('A', '198.51.100.7')).toMatchObject({ state: 'rejected', token: null });
  await correct(inbox, { ...change, submission: submission('B') });
  expect(await receive('A', '198.51.100.7')).toMatchObject({
    reference,
    state: 'pending',
    token: null,
  });
});

test('looking at the form waits for nobody who writes', async () => {
  createFormStamp(inbox, FRIDAY_NOON_MS);
  const writer = new Database(join(folder, 'inbox.db'));
  writer.exec('begin immediate');
  await readRows(inbox, 'pragma busy_timeout = 0');
  expect(createFormStamp(inbox, FRIDAY_NOON_MS)).toMatch(/\./);
  writer.close();
});

test('neither the token nor an address is in the file; another inbox gives other names', async () => {
  const { token, reference } = await receive('A', '203.0.113.77');
  const said = JSON.stringify([
    await readRows(inbox, 'select * from changes'),
    await readRows(inbox, 'select * from submission_senders'),
  ]);
  expect(said).not.toContain(token);
  expect(said).not.toContain('203.0.113.77');
  expect(
    await readValue(
      inbox,
      'select reference from changes where token_hash = ?',
      toDigest(token ?? ''),
    ),
  ).toBe(reference);
  await inbox.close();
  inbox = await openInbox(join(folder, 'other.db'));
  expect((await receive('A')).token).not.toBe(token);
});

test('a reference that is taken gives way to another', async () => {
  const taken = (await receive('A')).reference;
  await readRows(inbox, "update changes set digest = 'of another', token_hash = 'of another'");
  const { reference } = await receive('A');
  expect(reference).toMatch(/^HC-[2-9A-HJ-NP-TV-Z]{6}$/);
  expect(reference).not.toBe(taken);
});

test('two processes that send the same at once keep it once', async () => {
  const other = await openInbox(join(folder, 'inbox.db'));
  const arrival = {
    submission: submission('A'),
    channel: 'agent',
    sender: 'x',
    now_ms: FRIDAY_NOON_MS,
  } as const;
  expect((await submit(other, arrival)).reference).toBe((await submit(inbox, arrival)).reference);
  await other.close();
  expect(await readValue(inbox, 'select count(*) from changes')).toBe(1);
});
