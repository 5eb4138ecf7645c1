// Uploaded pictures: limits, use, backup and deletion (contract 14.13).
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
import { revertOverride, saveOverride, returnSubmission } from '../fixtures/changes.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import {
  ANA,
  reviewByAna,
  folder,
  inbox,
  location,
  readStoredBytes,
  queryValue,
  submitTestEvent,
  SUBMISSION,
  undoNewestDecision,
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
  (await submitTestEvent(inbox, { title, image: { upload, alt: null } })).reference;
const reject = (reference: string): Promise<void> =>
  returnSubmission(inbox, reviewByAna(reference), 'reject', 'No va.');
const areThere = (...ids: readonly string[]): Promise<readonly boolean[]> =>
  Array.fromAsync(ids, (id) => hasUpload(inbox, id));
/** Prunes twice, as two releases do: first an unused picture is marked, later it is deleted. */
async function passDays(days: number): Promise<void> {
  await expireUnusedUploads(inbox, NOW_MS + DAY_MS * 2);
  await expireUnusedUploads(inbox, NOW_MS + DAY_MS * (2 + days));
}

describe('before submission', () => {
  test('the same file has the same id, which cannot be computed without the secret', async () => {
    const id = await hold('a');
    expect(id).toMatch(/^[\w-]{32}$/);
    expect(await hold('a')).toBe(id);
    const other = await openInbox(':memory:');
    expect(deriveUploadId(other, Buffer.from('a'))).not.toBe(id);
    await other.close();
  });

  test('deletes the oldest picture of an address above its limit', async () => {
    const others = await hold('another', HERS);
    const ids = await Array.fromAsync(Array(PENDING_UPLOAD_LIMITS.per_sender + 1).keys(), (at) =>
      hold(`mine ${at}`, MINE, NOW_MS + at),
    );
    expect(await areThere(others, ...ids)).toEqual([true, ...ids.map((_, at) => at > 0)]);
  });

  test('above the total limit, deletes from the address with the most pictures', async () => {
    const half = PENDING_UPLOAD_LIMITS.total_bytes / 2;
    const honest = await hold('honest', HERS, NOW_MS, 1);
    const flood = await Array.fromAsync([half, half - 1, 1], (size, at) =>
      hold(`flood ${at}`, MINE, NOW_MS + 1 + at, size),
    );
    expect(await areThere(honest, ...flood)).toEqual([true, false, true, true]);
  });

  test('deletes a picture after a day, and one from a clock that was ahead sooner', async () => {
    const [old, ahead] = [await hold('old'), await hold('ahead', MINE, NOW_MS + 400 * DAY_MS)];
    await hold('new', MINE, NOW_MS + DAY_MS + 1);
    expect(await areThere(old, ahead)).toEqual([false, false]);
  });

  test('removes the sender’s digest on submission', async () => {
    const id = await hold('a');
    const readSender = () => queryValue(inbox, 'select sender from uploads where id = ?', id);
    expect(await readSender()).toMatch(/^[0-9a-f]{32}$/);
    await sendWith(id);
    expect(await readSender()).toBe('');
  });
});

/** Fates of a picture, and if it still exists when unused pictures are deleted. */
const LIVES: readonly (readonly [string, (id: string) => Promise<unknown>, boolean])[] = [
  ['is pending', sendWith, true],
  ['is in the agenda', async (id) => approve(inbox, await sendWith(id)), true],
  ['was rejected', async (id) => reject(await sendWith(id)), false],
  ['was withdrawn', async (id) => withdrawSubmission(inbox, await sendWith(id)), false],
  ['was rejected, which was undone', async (id) => rejectAndUndo(await sendWith(id)), true],
  ['is amended, with the new picture pending', async (id) => replace(id), true],
  ['was amended', async (id) => approve(inbox, await replace(id)), false],
  ['is overridden', edit, true],
  ['was overridden', async (id) => edit(id).then(() => revertOverride(inbox, 'ev_1')), false],
  ['was rejected for one of two submissions', async (id) => reject((await sendTwo(id))[0]), true],
  [
    'was rejected for both of two submissions',
    async (id) => Array.fromAsync(await sendTwo(id), reject),
    false,
  ],
];
async function rejectAndUndo(reference: string): Promise<void> {
  await reject(reference);
  await expireUnusedUploads(inbox, NOW_MS + DAY_MS);
  await undoNewestDecision(inbox, ANA);
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
  await saveOverride(inbox, { kind: 'event', thing: 'ev_1', record, source: {} });
}
const sendTwo = async (id: string) =>
  [await sendWith(id), await sendWith(id, 'Otra noche de prueba')] as const;

describe('after submission', () => {
  test.each(LIVES)(
    'keeps or deletes the picture after 60 days if its event %s',
    async (_, live, is_retained) => {
      const id = await hold('a');
      await live(id);
      await passDays(UPLOAD_RETENTION_DAYS - 1);
      expect(await hasUpload(inbox, id)).toBe(true);
      await passDays(UPLOAD_RETENTION_DAYS);
      expect(await hasUpload(inbox, id)).toBe(is_retained);
    },
  );

  test('rejects a submission with an unknown picture', async () => {
    await expect(() => sendWith('x'.repeat(32))).rejects.toThrow('Choose it again');
  });

  test('is in the backup, and leaves no bytes in the file after deletion', async () => {
    const id = await hold('SECRET-PICTURE');
    await reject(await sendWith(id));
    mkdirSync(join(folder, 'copy'));
    await backupInbox(location, join(folder, 'copy'));
    const copy = await openInbox(join(folder, 'copy', 'inbox.db'));
    expect((await getUpload(copy, id))?.bytes.includes('SECRET-PICTURE')).toBe(true);
    await copy.close();
    await passDays(UPLOAD_RETENTION_DAYS);
    expect(await readStoredBytes({ inbox, folder })).not.toContain('SECRET-PICTURESECRET-PICTURE');
  });
});
