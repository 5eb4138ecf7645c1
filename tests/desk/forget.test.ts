import {
  by,
  folder,
  inbox,
  location,
  readStored,
  sendIn,
  undoNewest,
  useInbox,
  SUBMISSION,
} from '../fixtures/inbox.ts';
import { describe, expect, test } from 'vitest';
import { sendCorrection, correct, requestChange } from '../../src/desk/propose.ts';
import { saveDraft } from '../../src/desk/review.ts';
import { erase, forgetDue, readHeldWords } from '../../src/desk/forget.ts';
import { getCorrection, getSubmission } from '../../src/inbox/changes.ts';
import { readApplied } from '../../src/inbox/applied.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { approve } from '../fixtures/approved.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import { settleCorrection, approveText, grant, refuse } from '../fixtures/changes.ts';

const DAY_MS = 24 * 3_600_000;
const EMAIL = 'secreto.de.alguien@correo.example';
const WORDS = 'palabras-en-privado';
useInbox();

const readBytes = (): Promise<string> => readStored({ inbox, folder });
const midnight = (day: string): number => Date.parse(`${day}T00:00:00-05:00`);

/** One with everything: edited, published, corrected, rejected, asked to be cancelled. */
async function liveThrough(title: string, email = EMAIL): Promise<string> {
  const { reference } = await sendIn(inbox, { title, contact_email: email });
  await saveDraft(inbox, by(reference, 1), { title, contact_email: email });
  await approve(inbox, reference);
  const change = { reference, now_ms: NOW_MS };
  const submission = { ...SUBMISSION, title: `${title} 2`, contact_email: email };
  await correct(inbox, { ...change, submission });
  await refuse(inbox, by(reference, 2), 'reject', 'No se entiende.');
  await requestChange(inbox, { ...change, asks: 'cancel', message: WORDS, dates: null });
  return reference;
}

describe('at once', () => {
  test('no byte of it is left in the file, and what is public stays', async () => {
    // Enough of them that pages split and move.
    const references = await Array.fromAsync(Array(40).keys(), (at) => liveThrough(`Noche ${at}`));
    expect(await readBytes()).toContain(EMAIL);
    const published = (await readApplied(inbox)).publications;
    expect(published).toHaveLength(40);
    for (const reference of references) await erase(inbox, reference, null);
    expect(await readBytes()).not.toContain(EMAIL);
    expect(await readBytes()).not.toContain(WORDS);
    expect((await readApplied(inbox)).publications).toEqual(published);
    const [first = ''] = references;
    expect(await getSubmission(inbox, first)).toMatchObject({
      is_published: true,
      message: null,
      text: { title: 'Noche 0 2', contact_email: null },
    });
    expect(await readHeldWords(inbox, first)).toBeNull();
  });

  test('the log says who erased it, and that cannot be undone', async () => {
    const { reference } = await sendIn(inbox, { contact_email: EMAIL });
    await erase(inbox, reference, { editor: 'ana', now_ms: NOW_MS });
    expect(await listDecisions(inbox, 1)).toMatchObject([
      { editor: 'ana', action: 'erase', subject: reference },
    ]);
    await expect(() => undoNewest(inbox, { editor: 'eva', now_ms: NOW_MS })).rejects.toThrow(
      'nothing to undo',
    );
  });

  test('of one, what another has stays', async () => {
    const [mine, other] = [
      await liveThrough('Mía'),
      await liveThrough('De otra', 'otra@correo.example'),
    ];
    await erase(inbox, mine.toLowerCase(), null);
    expect(await readBytes()).not.toContain(EMAIL);
    expect((await getSubmission(inbox, other))?.text.contact_email).toBe('otra@correo.example');
  });

  test('what was decided can still be undone, and does not bring it back', async () => {
    const { reference } = await sendIn(inbox, { contact_email: EMAIL });
    await refuse(inbox, by(reference, 1), 'reject', 'No.');
    await erase(inbox, reference, null);
    await undoNewest(inbox, { editor: 'eva', now_ms: NOW_MS });
    expect(await getSubmission(inbox, reference)).toMatchObject({
      state: 'waiting',
      text: { contact_email: null },
    });
    expect(await readBytes()).not.toContain(EMAIL);
  });

  test('of a report its words go too; of nothing it says so', async () => {
    const { reference } = await sendCorrection(inbox, {
      correction: { change: `Cambió: ${WORDS}`, source_url: null, contact_email: EMAIL },
      about: { kind: 'event', id: 'ev_a', title: 'Noche' },
      lang: 'es',
      sender: '192.0.2.1',
      now_ms: NOW_MS,
    });
    await settleCorrection(inbox, by(reference, 1), reference, 'done', '');
    await erase(inbox, reference, null);
    expect(await getCorrection(inbox, reference)).toMatchObject({
      text: { change: '', contact_email: null },
    });
    expect(await readBytes()).not.toMatch(new RegExp(`${EMAIL}|${WORDS}`));
    await expect(() => erase(inbox, 'HC-NADA99', null)).rejects.toThrow('no such submission');
  });

  test('sent in again it is held again, until it is erased again', async () => {
    const { reference } = await sendIn(inbox, { contact_email: EMAIL });
    await erase(inbox, reference, null);
    const submission = { ...SUBMISSION, contact_email: EMAIL };
    await correct(inbox, { reference, now_ms: NOW_MS, submission });
    expect(await readHeldWords(inbox, reference)).toEqual({ until: '2027-02-10' });
    await erase(inbox, reference, null);
    expect(await readBytes()).not.toContain(EMAIL);
  });
});

describe('by itself', () => {
  test('60 days after the last date of what is published or waits, not a moment before', async () => {
    const references = [
      await liveThrough('Publicada'),
      (await sendIn(inbox, { contact_email: EMAIL })).reference,
    ];
    // Its last date is 2026-12-12.
    const end_ms = midnight('2027-02-11');
    for (const reference of references)
      expect(await readHeldWords(inbox, reference)).toEqual({ until: '2027-02-10' });
    expect(await forgetDue(inbox, end_ms - 1)).toBe(0);
    expect(await forgetDue(inbox, end_ms)).toBe(2);
    expect(await forgetDue(inbox, end_ms)).toBe(0);
    expect(await readBytes()).not.toContain(EMAIL);
  });

  test('60 days after the decision on what was never published, whenever it would have been', async () => {
    const { reference } = await sendIn(inbox, { start: '2027-11-01T20:00', contact_email: EMAIL });
    await refuse(inbox, by(reference, 1), 'reject', 'No.');
    const end_ms = midnight('2027-01-20');
    expect([await forgetDue(inbox, end_ms - 1), await forgetDue(inbox, end_ms)]).toEqual([0, 1]);
    expect(await readBytes()).not.toContain(EMAIL);
  });

  test('of a report that still waits nothing is forgotten', async () => {
    const { reference } = await sendCorrection(inbox, {
      correction: { change: 'Cambió la hora', source_url: null, contact_email: EMAIL },
      about: { kind: 'event', id: 'ev_a', title: 'Noche' },
      lang: 'es',
      sender: '192.0.2.1',
      now_ms: NOW_MS,
    });
    expect(await forgetDue(inbox, NOW_MS + 400 * DAY_MS)).toBe(0);
    await settleCorrection(inbox, by(reference, 1), reference, 'done', '');
    expect(await forgetDue(inbox, NOW_MS + 62 * DAY_MS)).toBe(1);
  });

  test('beside another process that has it open', async () => {
    const other = await openInbox(location);
    const { reference } = await sendIn(inbox, { contact_email: EMAIL });
    expect((await getSubmission(other, reference))?.text.contact_email).toBe(EMAIL);
    expect(await forgetDue(other, midnight('2027-02-11'))).toBe(1);
    expect(await readBytes()).not.toContain(EMAIL);
    await other.close();
  });
});

test('what is published says for how long, whatever was granted before it', async () => {
  const { reference } = await sendIn(inbox, { contact_email: EMAIL });
  await approve(inbox, reference);
  const change = { reference, now_ms: NOW_MS };
  await requestChange(inbox, { ...change, asks: 'postpone', message: WORDS, dates: null });
  await grant(inbox, by(reference, 2));
  await correct(inbox, {
    ...change,
    submission: { ...SUBMISSION, contact_email: EMAIL, title: 'Otra' },
  });
  await approveText(inbox, by(reference, 3), { event: { when: [{ dates: ['2027-06-01'] }] } });
  expect(await readHeldWords(inbox, reference)).toEqual({ until: '2027-07-31' });
});
