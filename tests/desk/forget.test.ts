// Forgetting: what is private ends by itself and on demand, wherever it stood, down to the bytes of
// the file (contract 14.26, 14.27).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendCorrection, settleCorrection } from '../../src/desk/corrections.ts';
import { erase, forgetDue, readHeldWords } from '../../src/desk/forget.ts';
import { approveText, grant, refuse, saveDraft } from '../../src/desk/review.ts';
import { correct, requestChange } from '../../src/desk/submit.ts';
import { getCorrection } from '../../src/inbox/corrections.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { getSubmission, listPublications } from '../../src/inbox/submissions.ts';
import { compact } from '../../src/inbox/compact.ts';
import { approve } from '../fixtures/approved.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import { openFixtureInbox, sendIn, SUBMISSION, undoNewest } from '../fixtures/inbox.ts';

const DAY_MS = 24 * 3_600_000;
const EMAIL = 'secreto.de.alguien@correo.example';
const WORDS = 'palabras-en-privado';
let inbox: Inbox;
let folder: string;
let close: () => void;
beforeEach(() => {
  ({ inbox, folder, close } = openFixtureInbox());
});
afterEach(() => close());

const by = (reference: string, revision: number) => ({
  reference,
  revision,
  editor: 'ana',
  now_ms: NOW_MS,
});
/** The bytes of everything that the inbox has on the disk once it is compacted. */
function readBytes(): string {
  expect(compact(inbox)).toBe(true);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
}
const midnight = (day: string): number => Date.parse(`${day}T00:00:00-05:00`);

/** One with everything: edited, published, corrected, rejected, asked to be cancelled. */
function liveThrough(title: string, email = EMAIL): string {
  const { reference } = sendIn(inbox, { title, contact_email: email });
  saveDraft(inbox, by(reference, 1), { title, contact_email: email });
  approve(inbox, reference);
  const change = { reference, now_ms: NOW_MS };
  const submission = { ...SUBMISSION, title: `${title} 2`, contact_email: email };
  correct(inbox, { ...change, submission });
  refuse(inbox, by(reference, 2), 'reject', 'No se entiende.');
  requestChange(inbox, { ...change, asks: 'cancel', message: WORDS, dates: null });
  return reference;
}

describe('at once', () => {
  test('no byte of it is left in the file, and what is public stays', () => {
    // Enough of them that pages split and move.
    const references = Array.from({ length: 40 }, (_, at) => liveThrough(`Noche ${at}`));
    expect(readBytes()).toContain(EMAIL);
    const published = listPublications(inbox);
    expect(published).toHaveLength(40);
    for (const reference of references) erase(inbox, reference, null);
    expect(readBytes()).not.toContain(EMAIL);
    expect(readBytes()).not.toContain(WORDS);
    expect(listPublications(inbox)).toEqual(published);
    const [first = ''] = references;
    expect(getSubmission(inbox, first)).toMatchObject({
      is_published: true,
      message: null,
      submission: { title: 'Noche 0 2', contact_email: null },
    });
    expect(readHeldWords(inbox, first)).toBeNull();
    expect(inbox.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  test('the log says who erased it, and that cannot be undone', () => {
    const { reference } = sendIn(inbox, { contact_email: EMAIL });
    erase(inbox, reference, { editor: 'ana', now_ms: NOW_MS });
    expect(listDecisions(inbox, 1)).toMatchObject([
      { editor: 'ana', action: 'erase', subject: reference },
    ]);
    expect(() => undoNewest(inbox, { editor: 'eva', now_ms: NOW_MS })).toThrow('changed nothing');
  });

  test('of one, what another has stays', () => {
    const [mine, other] = [liveThrough('Mía'), liveThrough('De otra', 'otra@correo.example')];
    erase(inbox, mine.toLowerCase(), null);
    expect(readBytes()).not.toContain(EMAIL);
    expect(getSubmission(inbox, other)?.submission.contact_email).toBe('otra@correo.example');
  });

  test('what was decided can still be undone, and does not bring it back', () => {
    const { reference } = sendIn(inbox, { contact_email: EMAIL });
    refuse(inbox, by(reference, 1), 'reject', 'No.');
    erase(inbox, reference, null);
    undoNewest(inbox, { editor: 'eva', now_ms: NOW_MS });
    expect(getSubmission(inbox, reference)).toMatchObject({
      state: 'pending',
      submission: { contact_email: null },
    });
    expect(readBytes()).not.toContain(EMAIL);
  });

  test('of a report its words go too; of nothing it says so', () => {
    const { reference } = sendCorrection(inbox, {
      correction: { change: `Cambió: ${WORDS}`, source_url: null, contact_email: EMAIL },
      about: { kind: 'event', id: 'ev_a', title: 'Noche' },
      lang: 'es',
      sender: '192.0.2.1',
      now_ms: NOW_MS,
    });
    settleCorrection(inbox, by(reference, 1), reference, 'done', '');
    erase(inbox, reference, null);
    expect(getCorrection(inbox, reference)).toMatchObject({ change: '', contact_email: null });
    expect(readBytes()).not.toMatch(new RegExp(`${EMAIL}|${WORDS}`));
    expect(() => erase(inbox, 'HC-NADA99', null)).toThrow('no such submission');
  });

  test('sent in again it is held again, until it is erased again', () => {
    const { reference } = sendIn(inbox, { contact_email: EMAIL });
    erase(inbox, reference, null);
    const submission = { ...SUBMISSION, contact_email: EMAIL };
    correct(inbox, { reference, now_ms: NOW_MS, submission });
    expect(readHeldWords(inbox, reference)).toEqual({ until: '2027-02-10' });
    erase(inbox, reference, null);
    expect(readBytes()).not.toContain(EMAIL);
  });
});

describe('by itself', () => {
  test('60 days after the last date of what is published or waits, not a moment before', () => {
    const references = [
      liveThrough('Publicada'),
      sendIn(inbox, { contact_email: EMAIL }).reference,
    ];
    // Its last date is 2026-12-12.
    const end_ms = midnight('2027-02-11');
    for (const reference of references)
      expect(readHeldWords(inbox, reference)).toEqual({ until: '2027-02-10' });
    expect(forgetDue(inbox, end_ms - 1)).toBe(0);
    expect(forgetDue(inbox, end_ms)).toBe(2);
    expect(forgetDue(inbox, end_ms)).toBe(0);
    expect(readBytes()).not.toContain(EMAIL);
  });

  test('60 days after the decision on what was never published, whenever it would have been', () => {
    const { reference } = sendIn(inbox, { start: '2027-11-01T20:00', contact_email: EMAIL });
    refuse(inbox, by(reference, 1), 'reject', 'No.');
    const end_ms = midnight('2027-01-20');
    expect([forgetDue(inbox, end_ms - 1), forgetDue(inbox, end_ms)]).toEqual([0, 1]);
    expect(readBytes()).not.toContain(EMAIL);
  });

  test('of a report that still waits nothing is forgotten', () => {
    const { reference } = sendCorrection(inbox, {
      correction: { change: 'Cambió la hora', source_url: null, contact_email: EMAIL },
      about: { kind: 'event', id: 'ev_a', title: 'Noche' },
      lang: 'es',
      sender: '192.0.2.1',
      now_ms: NOW_MS,
    });
    expect(forgetDue(inbox, NOW_MS + 400 * DAY_MS)).toBe(0);
    settleCorrection(inbox, by(reference, 1), reference, 'done', '');
    expect(forgetDue(inbox, NOW_MS + 62 * DAY_MS)).toBe(1);
  });

  test('beside another process that has it open', () => {
    const other = openInbox(join(folder, 'inbox.db'));
    const { reference } = sendIn(inbox, { contact_email: EMAIL });
    expect(getSubmission(other, reference)?.submission.contact_email).toBe(EMAIL);
    expect(forgetDue(other, midnight('2027-02-11'))).toBe(1);
    expect(readBytes()).not.toContain(EMAIL);
    other.close();
  });
});

test('what is published says for how long, whatever was granted before it', () => {
  const { reference } = sendIn(inbox, { contact_email: EMAIL });
  approve(inbox, reference);
  const change = { reference, now_ms: NOW_MS };
  requestChange(inbox, { ...change, asks: 'postpone', message: WORDS, dates: null });
  grant(inbox, by(reference, 2));
  correct(inbox, { ...change, submission: { ...SUBMISSION, contact_email: EMAIL, title: 'Otra' } });
  approveText(inbox, by(reference, 3), { event: { when: [{ dates: ['2027-06-01'] }] } });
  expect(readHeldWords(inbox, reference)).toEqual({ until: '2027-07-31' });
});
