// Uploaded pictures: held within limits, needed, backed up, forgotten (contract 14.13).
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { amendSubmission, withdrawSubmission } from '../../src/desk/submissions.ts';
import { UPLOAD_RETENTION_DAYS } from '../../src/domain/submission/submitted-picture.ts';
import { backupInbox } from '../../src/inbox/backup.ts';
import { openInbox } from '../../src/inbox/open.ts';
import {
  expireUnusedUploads,
  getUpload,
  hasUpload,
  PENDING_UPLOAD_LIMITS,
  storePendingUpload,
  markUploadUsed,
  deriveUploadId,
} from '../../src/inbox/uploads.ts';
import { approve } from '../fixtures/approved.ts';
import { deleteEdit, putEdit, refuse } from '../fixtures/changes.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import {
  ANA,
  by,
  folder,
  inbox,
  location,
  readStored,
  readValue,
  sendIn,
  SUBMISSION,
  undoNewest,
  useInbox,
} from '../fixtures/inbox.ts';

const DAY_MS = 24 * 3_600_000;
const [MINE, HERS] = ['192.0.2.1', '192.0.2.2'] as const;
useInbox();

async function hold(words: string, sender: string = MINE, now_ms = NOW_MS, size = 100) {
  const id = deriveUploadId(inbox, Buffer.from(words));
  const picture = { id, width: 10, height: 10, bytes: Buffer.alloc(size, words) };
  await storePendingUpload(inbox, picture, { sender, now_ms });
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
  await expireUnusedUploads(inbox, NOW_MS + DAY_MS * 2);
  await expireUnusedUploads(inbox, NOW_MS + DAY_MS * (2 + days));
}

describe('while a form is worked on', () => {
  test('the same file has the same id, and nobody tells it without the secret', async () => {
    const id = await hold('a');
    expect(id).toMatch(/^[\w-]{32}$/);
    expect(await hold('a')).toBe(id);
    const other = await openInbox(':memory:');
    expect(deriveUploadId(other, Buffer.from('a'))).not.toBe(id);
    await other.close();
  });

  test('of one address the oldest goes when there are too many', async () => {
    const others = await hold('another', HERS);
    const ids = await Array.fromAsync(Array(PENDING_UPLOAD_LIMITS.sender + 1).keys(), (at) =>
      hold(`mine ${at}`, MINE, NOW_MS + at),
    );
    expect(await areThere(others, ...ids)).toEqual([true, ...ids.map((_, at) => at > 0)]);
  });

  test('of all, the one goes whose address has most', async () => {
    const half = PENDING_UPLOAD_LIMITS.bytes / 2;
    const honest = await hold('honest', HERS, NOW_MS, 1);
    const flood = await Array.fromAsync([half, half - 1, 1], (size, at) =>
      hold(`flood ${at}`, MINE, NOW_MS + 1 + at, size),
    );
    expect(await areThere(honest, ...flood)).toEqual([true, false, true, true]);
  });

  test('after a day it is gone, and one of a clock that ran ahead sooner', async () => {
    const [old, ahead] = [await hold('old'), await hold('ahead', MINE, NOW_MS + 400 * DAY_MS)];
    await hold('new', MINE, NOW_MS + DAY_MS + 1);
    expect(await areThere(old, ahead)).toEqual([false, false]);
  });

  test('nobody knows any more who sent it once it is sent in', async () => {
    const id = await hold('a');
    const readSender = () => readValue(inbox, 'select sender from uploads where id = ?', id);
    expect(await readSender()).toMatch(/^[0-9a-f]{32}$/);
    await sendWith(id);
    expect(await readSender()).toBe('');
  });
});

/** What is done with a picture, and whether it is still there once it would be forgotten. */
const LIVES: readonly (readonly [string, (id: string) => Promise<unknown>, boolean])[] = [
  ['waits', sendWith, true],
  ['is in the agenda', async (id) => approve(inbox, await sendWith(id)), true],
  ['was rejected', async (id) => reject(await sendWith(id)), false],
  ['was withdrawn', async (id) => withdrawSubmission(inbox, await sendWith(id)), false],
  ['was rejected, which was undone', async (id) => rejectAndUndo(await sendWith(id)), true],
  ['is corrected, and the other picture waits', async (id) => replace(id), true],
  ['was corrected', async (id) => approve(inbox, await replace(id)), false],
  ['is an edit', edit, true],
  ['was an edit', async (id) => edit(id).then(() => deleteEdit(inbox, 'ev_1')), false],
  ['one of two was', async (id) => reject((await sendTwo(id))[0]), true],
  ['both of two were', async (id) => Array.fromAsync(await sendTwo(id), reject), false],
];
async function rejectAndUndo(reference: string): Promise<void> {
  await reject(reference);
  await expireUnusedUploads(inbox, NOW_MS + DAY_MS);
  await undoNewest(inbox, ANA);
}
async function replace(id: string): Promise<string> {
  const reference = await sendWith(id);
  await approve(inbox, reference);
  const image = { upload: await hold('another'), alt: null };
  await amendSubmission(inbox, { reference, now_ms: NOW_MS, submission: { ...SUBMISSION, image } });
  return reference;
}
async function edit(id: string): Promise<void> {
  await markUploadUsed(inbox, id);
  const record = { image: { url: `upload:${id}` } };
  await putEdit(inbox, { kind: 'event', thing: 'ev_1', record, source: {} });
}
const sendTwo = async (id: string) =>
  [await sendWith(id), await sendWith(id, 'Otra noche de prueba')] as const;

describe('once it is sent in', () => {
  test.each(LIVES)('of what %s: 60 days later and not before', async (_, live, is_kept) => {
    const id = await hold('a');
    await live(id);
    await passDays(UPLOAD_RETENTION_DAYS - 1);
    expect(await hasUpload(inbox, id)).toBe(true);
    await passDays(UPLOAD_RETENTION_DAYS);
    expect(await hasUpload(inbox, id)).toBe(is_kept);
  });

  test('with a picture that is not there it is not taken in', async () => {
    await expect(() => sendWith('x'.repeat(32))).rejects.toThrow('Choose it again');
  });

  test('it is in the backup, and its bytes are not in the file once it is deleted', async () => {
    const id = await hold('SECRET-PICTURE');
    await reject(await sendWith(id));
    mkdirSync(join(folder, 'copy'));
    await backupInbox(location, join(folder, 'copy'));
    const copy = await openInbox(join(folder, 'copy', 'inbox.db'));
    expect((await getUpload(copy, id))?.bytes.includes('SECRET-PICTURE')).toBe(true);
    await copy.close();
    await passDays(UPLOAD_RETENTION_DAYS);
    expect(await readStored({ inbox, folder })).not.toContain('SECRET-PICTURESECRET-PICTURE');
  });
});
