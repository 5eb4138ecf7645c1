// Uploaded pictures beside the inbox: stored within limits while a form is worked on, needed by what they
// were sent with, in every backup, and forgotten in time (contract 14.13).
import {
  ANA,
  SUBMISSION,
  by,
  folder,
  inbox,
  location,
  readStored,
  readValue,
  sendIn,
  undoNewest,
  useInbox,
} from '../fixtures/inbox.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { correct, takeBack } from '../../src/desk/propose.ts';
import {
  forgetPictures,
  HELD_LIMITS,
  holdPicture,
  needUpload,
  toUploadId,
  getUpload,
  hasUpload,
} from '../../src/inbox/uploads.ts';
import { backupInbox } from '../../src/inbox/backup.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { PICTURE_DAYS } from '../../src/domain/submission/picture.ts';
import { deleteEdit, putEdit, refuse } from '../fixtures/changes.ts';
import { approve } from '../fixtures/approved.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';

const DAY_MS = 24 * 3_600_000;
useInbox();

/** Holds a picture of some words; gives its id. */
async function hold(
  words: string,
  sender = '192.0.2.1',
  now_ms = NOW_MS,
  size = 100,
): Promise<string> {
  const id = toUploadId(inbox, Buffer.from(words));
  const picture = { id, width: 10, height: 10, bytes: Buffer.alloc(size, words) };
  await holdPicture(inbox, picture, { sender, now_ms });
  return id;
}
const sendWith = async (upload: string, title = SUBMISSION.title): Promise<string> =>
  (await sendIn(inbox, { title, image: { upload, alt: null } })).reference;
const reject = (reference: string): Promise<void> =>
  refuse(inbox, by(reference), 'reject', 'No va.');
const areThere = (...ids: readonly string[]): Promise<readonly boolean[]> =>
  Array.fromAsync(ids, (id) => hasUpload(inbox, id));
/** Two releases later: what is not needed is seen, and then it is time. */
async function passDays(days: number): Promise<void> {
  await forgetPictures(inbox, NOW_MS + DAY_MS * 2);
  await forgetPictures(inbox, NOW_MS + DAY_MS * (2 + days));
}

describe('while a form is worked on', () => {
  test('the same file has the same id, and nobody tells it without the secret', async () => {
    expect(await hold('a')).toBe(await hold('a'));
    expect(await hold('a')).toMatch(/^[\w-]{32}$/);
    const other = await openInbox(':memory:');
    expect(toUploadId(other, Buffer.from('a'))).not.toBe(await hold('a'));
    await other.close();
  });

  test('of one address the oldest goes when there are too many', async () => {
    const others = await hold('another', '192.0.2.2');
    const ids = await Array.fromAsync(Array(HELD_LIMITS.sender + 1).keys(), (at) =>
      hold(`mine ${at}`, '192.0.2.1', NOW_MS + at),
    );
    const are_there = await Array.fromAsync(ids, (id) => hasUpload(inbox, id));
    expect(ids.filter((_, at) => !are_there[at])).toEqual(ids.slice(0, 1));
    expect(await hasUpload(inbox, others)).toBe(true);
  });

  test('of all, the one goes whose address has most', async () => {
    const mb = 8 * 1024 * 1024;
    const honest = await hold('honest', '192.0.2.2', NOW_MS, mb);
    for (let at = 0; at < 9; at++) await hold(`flood ${at}`, '192.0.2.1', NOW_MS + 1 + at, mb);
    expect(await hasUpload(inbox, honest)).toBe(true);
    const left = await readValue(inbox, 'select sum(length(bytes)) from uploads');
    expect(left).toBe(HELD_LIMITS.bytes);
  });

  test('after a day it is gone, and one of a clock that ran ahead sooner', async () => {
    const [old, ahead] = [
      await hold('old'),
      await hold('ahead', '192.0.2.1', NOW_MS + 400 * DAY_MS),
    ];
    await hold('new', '192.0.2.1', NOW_MS + DAY_MS + 1);
    expect(await areThere(old, ahead)).toEqual([false, false]);
  });

  test('who sent it is a keyed digest, and not even that once it is sent in', async () => {
    const id = await hold('a');
    const readSender = () => readValue(inbox, 'select sender from uploads where id = ?', id);
    expect(await readSender()).toMatch(/^[0-9a-f]{32}$/);
    await sendWith(id);
    expect(await readSender()).toBe('');
  });
});

describe('once it is sent in', () => {
  test('it stays as long as what it came with waits or is in the agenda', async () => {
    const [waiting, published] = [await hold('waits'), await hold('published')];
    await sendWith(waiting);
    await approve(inbox, await sendWith(published, 'Otra noche de prueba'));
    await passDays(PICTURE_DAYS * 3);
    expect(await areThere(waiting, published)).toEqual([true, true]);
  });

  test('rejected or withdrawn it goes 60 days later, not before', async () => {
    const [rejected, withdrawn] = [await hold('rejected'), await hold('withdrawn')];
    await reject(await sendWith(rejected));
    await takeBack(inbox, await sendWith(withdrawn, 'Otra noche de prueba'));
    await passDays(PICTURE_DAYS - 1);
    expect(await areThere(rejected, withdrawn)).toEqual([true, true]);
    await passDays(PICTURE_DAYS);
    expect(await areThere(rejected, withdrawn)).toEqual([false, false]);
  });

  test('sent back with a question and left out of the answer, it goes too', async () => {
    const id = await hold('left out');
    const reference = await sendWith(id);
    await refuse(inbox, by(reference), 'ask', 'Otra imagen, por favor');
    await passDays(PICTURE_DAYS);
    expect(await hasUpload(inbox, id)).toBe(true);
    await correct(inbox, { reference, now_ms: NOW_MS, submission: SUBMISSION });
    await passDays(PICTURE_DAYS);
    expect(await hasUpload(inbox, id)).toBe(false);
  });

  test('one of an edit stays until the edit is taken back', async () => {
    const id = await hold('edited');
    await needUpload(inbox, id);
    const record = { image: { url: `upload:${id}` } };
    await putEdit(inbox, { kind: 'event', thing: 'ev_1', record, source: {} });
    await passDays(PICTURE_DAYS * 3);
    expect(await hasUpload(inbox, id)).toBe(true);
    await deleteEdit(inbox, 'ev_1');
    await passDays(PICTURE_DAYS);
    expect(await hasUpload(inbox, id)).toBe(false);
  });

  test('a rejection that is undone within that time keeps it', async () => {
    const id = await hold('undone');
    const reference = await sendWith(id);
    await reject(reference);
    await forgetPictures(inbox, NOW_MS + DAY_MS);
    await undoNewest(inbox, ANA);
    await forgetPictures(inbox, NOW_MS + DAY_MS * 2);
    await passDays(PICTURE_DAYS * 2);
    expect([await hasUpload(inbox, id), (await getSubmission(inbox, reference))?.state]).toEqual([
      true,
      'waiting',
    ]);
  });

  test('one that a correction replaces stays while it is in the agenda', async () => {
    const [before, after] = [await hold('before'), await hold('after')];
    const reference = await sendWith(before);
    await approve(inbox, reference);
    const submission = { ...SUBMISSION, image: { upload: after, alt: null } };
    await correct(inbox, { reference, now_ms: NOW_MS, submission });
    await passDays(PICTURE_DAYS);
    expect(await areThere(before, after)).toEqual([true, true]);
    await approve(inbox, reference);
    await passDays(PICTURE_DAYS);
    expect(await areThere(before, after)).toEqual([false, true]);
  });

  test('two that need the same picture keep it until both are done with', async () => {
    const id = await hold('shared');
    const [first, second] = [await sendWith(id), await sendWith(id, 'Otra noche de prueba')];
    await reject(first);
    await passDays(PICTURE_DAYS);
    expect(await hasUpload(inbox, id)).toBe(true);
    await reject(second);
    await passDays(PICTURE_DAYS);
    expect(await hasUpload(inbox, id)).toBe(false);
  });

  test('with a picture that is not there it is not taken in', async () => {
    await expect(() => sendWith('x'.repeat(32))).rejects.toThrow('Choose it again');
    expect(await readValue(inbox, 'select count(*) from changes')).toBe(0);
  });

  test('it is in the backup, and its bytes are not in the file once it is deleted', async () => {
    const id = await hold('SECRET-PICTURE');
    await reject(await sendWith(id));
    mkdirSync(join(folder, 'copy'));
    await backupInbox(location, join(folder, 'copy'));
    const copy = await openInbox(join(folder, 'copy', 'inbox.db'));
    expect((await getUpload(copy, id))?.bytes.includes('SECRET-PICTURE')).toBe(true);
    await copy.close();
    await passDays(PICTURE_DAYS);
    expect(await readStored({ inbox, folder })).not.toContain('SECRET-PICTURESECRET-PICTURE');
  });
});
