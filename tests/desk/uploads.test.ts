// Uploaded pictures beside the inbox: stored within limits while a form is worked on, needed by what they
// were sent with, in every backup, and forgotten in time (contract 14.13).
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refuse } from '../../src/desk/review.ts';
import { correct, withdraw } from '../../src/desk/submit.ts';
import {
  forgetPictures,
  HELD_LIMITS,
  holdPicture,
  needUpload,
  toUploadId,
} from '../../src/desk/uploads.ts';
import { PICTURE_DAYS } from '../../src/domain/submission/picture.ts';
import { deleteEdit, putEdit } from '../fixtures/changes.ts';
import { backupInbox } from '../../src/inbox/backup.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import { getUpload, hasUpload } from '../../src/inbox/uploads.ts';
import { approve } from '../fixtures/approved.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import { openFixtureInbox, sendIn, SUBMISSION, undoNewest } from '../fixtures/inbox.ts';

const DAY_MS = 24 * 3_600_000;
let inbox: Inbox;
let folder: string;
let close: () => void;
beforeEach(() => {
  ({ inbox, folder, close } = openFixtureInbox());
});
afterEach(() => close());

/** Holds a picture of some words; gives its id. */
function hold(words: string, sender = '192.0.2.1', now_ms = NOW_MS, size = 100): string {
  const id = toUploadId(inbox, Buffer.from(words));
  const picture = { id, width: 10, height: 10, bytes: Buffer.alloc(size, words) };
  holdPicture(inbox, picture, { sender, now_ms });
  return id;
}
const sendWith = (upload: string, title = SUBMISSION.title): string =>
  sendIn(inbox, { title, image: { upload, alt: null } }).reference;
const decider = { editor: 'ana', now_ms: NOW_MS };
const reject = (reference: string): void =>
  refuse(inbox, { ...decider, reference, revision: 1 }, 'reject', 'No va.');
/** Two releases later: what is not needed is seen, and then it is time. */
function passDays(days: number): void {
  forgetPictures(inbox, NOW_MS + DAY_MS * 2);
  forgetPictures(inbox, NOW_MS + DAY_MS * (2 + days));
}

describe('while a form is worked on', () => {
  test('the same file has the same id, and nobody tells it without the secret', () => {
    expect(hold('a')).toBe(hold('a'));
    expect(hold('a')).toMatch(/^[\w-]{32}$/);
    const other = openInbox(':memory:');
    expect(toUploadId(other, Buffer.from('a'))).not.toBe(hold('a'));
    other.close();
  });

  test('of one address the oldest goes when there are too many', () => {
    const others = hold('another', '192.0.2.2');
    const ids = Array.from({ length: HELD_LIMITS.sender + 1 }, (_, at) =>
      hold(`mine ${at}`, '192.0.2.1', NOW_MS + at),
    );
    expect(ids.filter((id) => !hasUpload(inbox, id))).toEqual(ids.slice(0, 1));
    expect(hasUpload(inbox, others)).toBe(true);
  });

  test('of all, the one goes whose address has most', () => {
    const mb = 8 * 1024 * 1024;
    const honest = hold('honest', '192.0.2.2', NOW_MS, mb);
    for (let at = 0; at < 9; at++) hold(`flood ${at}`, '192.0.2.1', NOW_MS + 1 + at, mb);
    expect(hasUpload(inbox, honest)).toBe(true);
    const left = inbox.prepare('select sum(length(bytes)) from uploads').pluck().get();
    expect(left).toBe(HELD_LIMITS.bytes);
  });

  test('after a day it is gone, and one of a clock that ran ahead sooner', () => {
    const [old, ahead] = [hold('old'), hold('ahead', '192.0.2.1', NOW_MS + 400 * DAY_MS)];
    hold('new', '192.0.2.1', NOW_MS + DAY_MS + 1);
    expect([hasUpload(inbox, old), hasUpload(inbox, ahead)]).toEqual([false, false]);
  });

  test('who sent it is a keyed digest, and not even that once it is sent in', () => {
    const id = hold('a');
    const readSender = () =>
      inbox.prepare('select sender from uploads where id = ?').pluck().get(id);
    expect(readSender()).toMatch(/^[0-9a-f]{32}$/);
    sendWith(id);
    expect(readSender()).toBe('');
  });
});

describe('once it is sent in', () => {
  test('it stays as long as what it came with waits or is in the agenda', () => {
    const [waiting, published] = [hold('waits'), hold('published')];
    sendWith(waiting);
    approve(inbox, sendWith(published, 'Otra noche de prueba'));
    passDays(PICTURE_DAYS * 3);
    expect([hasUpload(inbox, waiting), hasUpload(inbox, published)]).toEqual([true, true]);
  });

  test('rejected or withdrawn it goes 60 days later, not before', () => {
    const [rejected, withdrawn] = [hold('rejected'), hold('withdrawn')];
    reject(sendWith(rejected));
    withdraw(inbox, sendWith(withdrawn, 'Otra noche de prueba'));
    passDays(PICTURE_DAYS - 1);
    expect([hasUpload(inbox, rejected), hasUpload(inbox, withdrawn)]).toEqual([true, true]);
    passDays(PICTURE_DAYS);
    expect([hasUpload(inbox, rejected), hasUpload(inbox, withdrawn)]).toEqual([false, false]);
  });

  test('sent back with a question and left out of the answer, it goes too', () => {
    const id = hold('left out');
    const reference = sendWith(id);
    refuse(inbox, { ...decider, reference, revision: 1 }, 'ask', 'Otra imagen, por favor');
    passDays(PICTURE_DAYS);
    expect(hasUpload(inbox, id)).toBe(true);
    correct(inbox, { reference, now_ms: NOW_MS, submission: SUBMISSION });
    passDays(PICTURE_DAYS);
    expect(hasUpload(inbox, id)).toBe(false);
  });

  test('one of an edit stays until the edit is taken back', () => {
    const id = hold('edited');
    needUpload(inbox, id);
    const record = { image: { url: `upload:${id}` } };
    putEdit(inbox, { kind: 'event', thing: 'ev_1', record, source: {} });
    passDays(PICTURE_DAYS * 3);
    expect(hasUpload(inbox, id)).toBe(true);
    deleteEdit(inbox, 'ev_1');
    passDays(PICTURE_DAYS);
    expect(hasUpload(inbox, id)).toBe(false);
  });

  test('a rejection that is undone within that time keeps it', () => {
    const id = hold('undone');
    const reference = sendWith(id);
    reject(reference);
    forgetPictures(inbox, NOW_MS + DAY_MS);
    undoNewest(inbox, decider);
    forgetPictures(inbox, NOW_MS + DAY_MS * 2);
    passDays(PICTURE_DAYS * 2);
    expect([hasUpload(inbox, id), getSubmission(inbox, reference)?.state]).toEqual([
      true,
      'pending',
    ]);
  });

  test('one that a correction replaces stays while it is in the agenda', () => {
    const [before, after] = [hold('before'), hold('after')];
    const reference = sendWith(before);
    approve(inbox, reference);
    const submission = { ...SUBMISSION, image: { upload: after, alt: null } };
    correct(inbox, { reference, now_ms: NOW_MS, submission });
    passDays(PICTURE_DAYS);
    expect([hasUpload(inbox, before), hasUpload(inbox, after)]).toEqual([true, true]);
    approve(inbox, reference);
    passDays(PICTURE_DAYS);
    expect([hasUpload(inbox, before), hasUpload(inbox, after)]).toEqual([false, true]);
  });

  test('two that need the same picture keep it until both are done with', () => {
    const id = hold('shared');
    const [first, second] = [sendWith(id), sendWith(id, 'Otra noche de prueba')];
    reject(first);
    passDays(PICTURE_DAYS);
    expect(hasUpload(inbox, id)).toBe(true);
    reject(second);
    passDays(PICTURE_DAYS);
    expect(hasUpload(inbox, id)).toBe(false);
  });

  test('with a picture that is not there it is not taken in', () => {
    expect(() => sendWith('x'.repeat(32))).toThrow('Choose it again');
    expect(inbox.prepare('select count(*) from changes').pluck().get()).toBe(0);
  });

  test('it is in the backup, and its bytes are not in the file once it is deleted', async () => {
    const id = hold('SECRET-PICTURE');
    reject(sendWith(id));
    mkdirSync(join(folder, 'copy'));
    backupInbox(inbox, join(folder, 'copy'));
    const copy = openInbox(join(folder, 'copy', 'inbox.db'));
    expect(getUpload(copy, id)?.bytes.includes('SECRET-PICTURE')).toBe(true);
    copy.close();
    passDays(PICTURE_DAYS);
    inbox.pragma('wal_checkpoint(truncate)');
    const files = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile());
    expect(files.map(({ name }) => name)).toContain('uploads.db');
    for (const { name } of files)
      expect(readFileSync(join(folder, name)).includes('SECRET-PICTURESECRET-PICTURE')).toBe(false);
  });
});
