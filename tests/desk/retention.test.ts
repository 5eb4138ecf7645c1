// Retention: private data is erased in time or at once, without a trace in the database file (contract 14.26).
import { describe, expect, test } from 'vitest';
import { undoDecision } from '../../src/desk/decisions.ts';
import { erasePrivateData, eraseExpired, getPrivateData } from '../../src/desk/retention.ts';
import { addEditor } from '../../src/desk/editor-accounts.ts';
import { amendSubmission, requestStatusChange, submitEvent } from '../../src/desk/submissions.ts';
import { isCompactionDue } from '../../src/inbox/erase.ts';
import { recordLoginAttempt } from '../../src/inbox/editors.ts';
import { storePendingUpload } from '../../src/inbox/uploads.ts';
import { loadAppliedChanges } from '../../src/inbox/applied-changes.ts';
import { getCorrection, getSubmission, saveDraft } from '../../src/inbox/changes.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { approve } from '../fixtures/approved.ts';
import {
  approveRecord,
  acceptRequest,
  returnSubmission,
  decideCorrection,
} from '../fixtures/changes.ts';
import { getImport, icsCalendar, icsEvent, importCalendar } from '../fixtures/calendars.ts';
import { FRIDAY_NOON_MS as NOW_MS, useFixture } from '../fixtures/fixture.ts';
import {
  ANA,
  reviewByAna,
  EVA,
  folder,
  inbox,
  location,
  queryColumn,
  queryRows,
  queryValue,
  readStoredBytes,
  submitTestCorrection,
  submitTestEvent,
  SUBMISSION,
  undoNewestDecision,
  useInbox,
} from '../fixtures/inbox.ts';

const DAY_MS = 24 * 3_600_000;
const EMAIL = 'secreto.de.alguien@correo.example';
const WORDS = 'palabras-en-privado';
const town = useFixture();
useInbox();

const readBytes = (): Promise<string> => readStoredBytes({ inbox, folder });
const midnight = (day: string): number => Date.parse(`${day}T00:00:00-05:00`);
const send = async (more: Partial<typeof SUBMISSION> = {}) =>
  (await submitTestEvent(inbox, { contact_email: EMAIL, ...more })).reference;
const correctTo = (reference: string, more: Partial<typeof SUBMISSION> = {}) => {
  const submission = { ...SUBMISSION, contact_email: EMAIL, ...more };
  return amendSubmission(inbox, { reference, now_ms: NOW_MS, submission });
};
const ask = (reference: string, asks: 'cancel' | 'postpone') =>
  requestStatusChange(inbox, { reference, now_ms: NOW_MS, asks, message: WORDS, dates: null });

/** Creates a submission that was edited, published, amended, rejected and requested to be cancelled. */
async function liveThrough(title: string, contact_email = EMAIL): Promise<string> {
  const reference = await send({ title, contact_email });
  await saveDraft(inbox, reference, { title, contact_email });
  await approve(inbox, reference);
  await correctTo(reference, { title: `${title} 2`, contact_email });
  await returnSubmission(inbox, reviewByAna(reference, 2), 'reject', 'No se entiende.');
  await ask(reference, 'cancel');
  return reference;
}

describe('erasure on request', () => {
  test('leaves no trace in the file, and keeps public data and other submissions', async () => {
    // Enough rows that database pages split and move.
    const references = await Array.fromAsync(Array(40).keys(), (at) => liveThrough(`Noche ${at}`));
    const other = await liveThrough('De otra', 'otra@correo.example');
    expect(await readBytes()).toContain(EMAIL);
    const published = (await loadAppliedChanges(inbox)).publications;
    expect(published).toHaveLength(41);
    for (const reference of references)
      await erasePrivateData(inbox, reference.toLowerCase(), null);
    expect(await readBytes()).not.toContain(EMAIL);
    expect((await loadAppliedChanges(inbox)).publications).toEqual(published);
    expect((await getSubmission(inbox, other))?.text.contact_email).toBe('otra@correo.example');
    await erasePrivateData(inbox, other, null);
    expect(await readBytes()).not.toContain(WORDS);
    expect(await getPrivateData(inbox, references[0] ?? '')).toBeNull();
  });

  test('is logged with the editor and cannot be undone, unlike the decisions before it', async () => {
    const reference = await send();
    await returnSubmission(inbox, reviewByAna(reference), 'reject', 'No.');
    await erasePrivateData(inbox, reference, ANA);
    const [erased, refused] = await listDecisions(inbox, 2);
    expect(erased).toMatchObject({ editor: 'ana', action: 'erase', subject: reference });
    await expect(() => undoNewestDecision(inbox, EVA)).rejects.toThrow('nothing to undo');
    await undoDecision(inbox, refused?.id ?? 0, EVA);
    const waiting = { state: 'waiting', text: { contact_email: null } };
    expect(await getSubmission(inbox, reference)).toMatchObject(waiting);
    expect(await readBytes()).not.toContain(EMAIL);
  });

  test('erases the text of a correction, and reports if there is nothing to erase', async () => {
    const reference = await submitTestCorrection(inbox, `Cambió: ${WORDS}`, 'ev_a', EMAIL);
    await decideCorrection(inbox, ANA, reference, 'done', '');
    await erasePrivateData(inbox, reference, null);
    const text = { change: '', contact_email: null };
    expect(await getCorrection(inbox, reference)).toMatchObject({ text });
    expect(await readBytes()).not.toMatch(new RegExp(`${EMAIL}|${WORDS}`));
    await expect(() => erasePrivateData(inbox, 'HC-NADA99', null)).rejects.toThrow(
      'no submission has this reference',
    );
  });

  test('stores data of a repeated submission until it is erased again', async () => {
    const reference = await send();
    await erasePrivateData(inbox, reference, null);
    await correctTo(reference);
    expect(await getPrivateData(inbox, reference)).toEqual({ until: '2027-02-10' });
    await erasePrivateData(inbox, reference, null);
    expect(await readBytes()).not.toContain(EMAIL);
  });
});

describe('the hourly job', () => {
  const HOUR_MS = 3_600_000;
  const SENDER = '198.51.100.7';
  const countRows = (table: string) => queryValue(inbox, `select count(*) from ${table}`);

  test('deletes digests of addresses after a day, without new submissions', async () => {
    await submitEvent(inbox, {
      submission: SUBMISSION,
      channel: 'form',
      sender: SENDER,
      now_ms: NOW_MS,
    });
    await eraseExpired(inbox, NOW_MS + DAY_MS - 1);
    expect(await countRows('submission_senders')).toBe(1);
    await eraseExpired(inbox, NOW_MS + DAY_MS);
    expect(await countRows('submission_senders')).toBe(0);
  });

  test('deletes the draft of an imported calendar after a day, without a trace in the file', async () => {
    const token = await importCalendar(
      { inbox, snapshot: town.snapshot },
      icsCalendar(icsEvent(WORDS, 1)),
    );
    await eraseExpired(inbox, NOW_MS + DAY_MS - 1);
    expect((await getImport(inbox, token)).draft?.rows).toHaveLength(1);
    await eraseExpired(inbox, NOW_MS + DAY_MS);
    expect(await countRows('batches')).toBe(0);
    expect(await isCompactionDue(inbox)).toBe(true);
    expect(await readBytes()).not.toContain(WORDS);
  });

  test('deletes failed sign-ins, expired sessions and pictures of abandoned forms', async () => {
    await recordLoginAttempt(inbox, 'a digest', NOW_MS);
    const picture = { id: 'p', width: 1, height: 1, bytes: Buffer.from(WORDS) };
    await storePendingUpload(inbox, picture, { sender: SENDER, now_ms: NOW_MS });
    await addEditor(inbox, 'ana', 0);
    const [user] = await queryColumn(inbox, 'select id from "user"');
    const past = '2020-01-01T00:00:00.000Z';
    await queryRows(
      inbox,
      'insert into session (id, token, "expiresAt", "createdAt", "updatedAt", "userId") values (?, ?, ?, ?, ?, ?)',
      ...['s', 't', past, past, past, user],
    );
    await queryRows(
      inbox,
      'insert into verification (id, identifier, value, "expiresAt", "createdAt", "updatedAt") values (?, ?, ?, ?, ?, ?)',
      ...['v', 'x', 'y', past, past, past],
    );
    await eraseExpired(inbox, NOW_MS + 25 * HOUR_MS);
    for (const table of ['login_attempts', 'session', 'verification', 'uploads'])
      expect(await countRows(table), table).toBe(0);
  });

  test('erases the rest although one kind of data cannot be erased', async () => {
    await submitTestEvent(inbox);
    await queryRows(inbox, 'alter table login_attempts rename to lost');
    await expect(eraseExpired(inbox, NOW_MS + DAY_MS)).rejects.toThrow('login_attempts');
    expect(await countRows('submission_senders')).toBe(0);
    await queryRows(inbox, 'alter table lost rename to login_attempts');
  });
});

describe('expiry', () => {
  async function expectForgotten(end_ms: number, count: number): Promise<void> {
    expect(await eraseExpired(inbox, end_ms - 1)).toBe(0);
    const other = await openInbox(location);
    expect(await eraseExpired(other, end_ms), 'by another process').toBe(count);
    await other.close();
    expect(await eraseExpired(inbox, end_ms)).toBe(0);
    expect(await readBytes()).not.toContain(EMAIL);
  }
  test('is 60 days after the last date of published and pending events', async () => {
    // The last date is 2026-12-12.
    for (const reference of [await liveThrough('Publicada'), await send()])
      expect(await getPrivateData(inbox, reference)).toEqual({ until: '2027-02-10' });
    await expectForgotten(midnight('2027-02-11'), 2);
  });
  test('is 60 days after the decision if the event was never published, for any date', async () => {
    const reference = await send({ start: '2027-11-01T20:00' });
    await returnSubmission(inbox, reviewByAna(reference), 'reject', 'No.');
    await expectForgotten(midnight('2027-01-20'), 1);
  });
  test('never comes for a pending correction', async () => {
    const reference = await submitTestCorrection(inbox, `Cambió: ${WORDS}`, 'ev_a', EMAIL);
    expect(await eraseExpired(inbox, NOW_MS + 400 * DAY_MS)).toBe(0);
    await decideCorrection(inbox, ANA, reference, 'done', '');
    await expectForgotten(midnight('2027-01-20'), 1);
  });
  test('follows the published dates, even after a granted request', async () => {
    const reference = await send();
    await approve(inbox, reference);
    await ask(reference, 'postpone');
    await acceptRequest(inbox, reviewByAna(reference, 2));
    await correctTo(reference, { title: 'Otra' });
    await approveRecord(inbox, reviewByAna(reference, 3), {
      event: { when: [{ dates: ['2027-06-01'] }] },
    });
    expect(await getPrivateData(inbox, reference)).toEqual({ until: '2027-07-31' });
  });
});
