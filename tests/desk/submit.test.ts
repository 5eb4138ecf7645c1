// Taking in submissions: once each, counted, named so that nobody guesses, known again after a
// restart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Submission } from '../../src/domain/submission/submission.ts';
import { createFormStamp, toDigest } from '../../src/desk/secret.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { correct, requestChange, submit } from '../../src/desk/submit.ts';
import { approveText, refuse } from '../../src/desk/review.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { SUBMISSION } from '../fixtures/inbox.ts';

let folder: string;
let inbox: Inbox;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-inbox-'));
  inbox = openInbox(join(folder, 'inbox.db'));
});
afterEach(() => {
  inbox.close();
  rmSync(folder, { recursive: true });
});

const submission = (title: string): Submission => ({ ...SUBMISSION, title });
const receive = (title: string, sender = '192.0.2.1', now_ms = FRIDAY_NOON_MS) =>
  submit(inbox, { submission: submission(title), channel: 'form', sender, now_ms });
const HOUR_MS = 3_600_000;

test('the same content is one submission, from whoever and whenever it comes, also after a restart', () => {
  const first = receive('A');
  expect(first).toMatchObject({ state: 'pending', is_repeat: false });
  inbox.close();
  inbox = openInbox(join(folder, 'inbox.db'));
  expect(receive('A', '198.51.100.7', FRIDAY_NOON_MS + 48 * HOUR_MS)).toEqual({
    ...first,
    is_repeat: true,
  });
  expect(inbox.prepare('select count(*) from changes').pluck().get()).toBe(1);
});

test('whoever repeats what is public is not told its secret address, whatever its sender asks meanwhile', () => {
  const { reference } = receive('A');
  const review = { editor: 'ana', now_ms: FRIDAY_NOON_MS };
  approveText(inbox, { ...review, reference, revision: 1 }, {});
  expect(receive('A', '198.51.100.7').token).toBeNull();
  const change = { reference, now_ms: FRIDAY_NOON_MS };
  requestChange(inbox, { ...change, asks: 'postpone', message: 'Llueve', dates: null });
  expect(receive('A', '198.51.100.7')).toMatchObject({ state: 'pending', token: null });
  refuse(inbox, { ...review, reference, revision: 2 }, 'reject', 'No');
  expect(receive('A', '198.51.100.7')).toMatchObject({ state: 'rejected', token: null });
  correct(inbox, { ...change, submission: submission('B') });
  expect(receive('A', '198.51.100.7')).toMatchObject({ reference, state: 'pending', token: null });
});

test('looking at the form waits for nobody who writes', () => {
  createFormStamp(inbox, FRIDAY_NOON_MS);
  const writer = openInbox(join(folder, 'inbox.db'));
  writer.exec('begin immediate');
  inbox.pragma('busy_timeout = 0');
  expect(createFormStamp(inbox, FRIDAY_NOON_MS)).toMatch(/\./);
  writer.close();
});

test('neither the token nor an address is in the file; another inbox gives other names', () => {
  const { token, reference } = receive('A', '203.0.113.77');
  const said = JSON.stringify([
    inbox.prepare('select * from changes').all(),
    inbox.prepare('select * from submission_senders').all(),
  ]);
  expect(said).not.toContain(token);
  expect(said).not.toContain('203.0.113.77');
  expect(
    inbox
      .prepare('select reference from changes where token_hash = ?')
      .pluck()
      .get(toDigest(token ?? '')),
  ).toBe(reference);
  inbox.close();
  inbox = openInbox(join(folder, 'other.db'));
  expect(receive('A').token).not.toBe(token);
});

test('a reference that is taken gives way to another', () => {
  const taken = receive('A').reference;
  inbox.prepare("update changes set digest = 'of another', token_hash = 'of another'").run();
  const { reference } = receive('A');
  expect(reference).toMatch(/^HC-[2-9A-HJ-NP-TV-Z]{6}$/);
  expect(reference).not.toBe(taken);
});

test('two processes that send the same at once keep it once', () => {
  const other = openInbox(join(folder, 'inbox.db'));
  const arrival = {
    submission: submission('A'),
    channel: 'agent',
    sender: 'x',
    now_ms: FRIDAY_NOON_MS,
  } as const;
  expect(submit(other, arrival).reference).toBe(submit(inbox, arrival).reference);
  other.close();
  expect(inbox.prepare('select count(*) from changes').pluck().get()).toBe(1);
});
