// What a sender may do with a submission, by state; and how long a form must have been looked at.
import { toSubmissionState } from '../../src/domain/change.ts';
import { by, SUBMISSION, inbox, readValue, sendIn, useInbox } from '../fixtures/inbox.ts';
import { describe, expect, test } from 'vitest';
import {
  checkFormStamp,
  createFormStamp,
  MAX_FORM_MS,
  MIN_FORM_MS,
} from '../../src/inbox/secret.ts';
import { correct, requestChange, takeBack } from '../../src/desk/propose.ts';
import { getSubmissionByToken, getSubmission, listPending } from '../../src/inbox/changes.ts';
import { saveDraft } from '../../src/desk/review.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import { approveText, refuse } from '../fixtures/changes.ts';

useInbox();

const change = (reference: string) => ({ reference, sender: '192.0.2.9', now_ms: NOW_MS + 60_000 });
const correctTo = (reference: string, title: string): Promise<void> =>
  correct(inbox, { ...change(reference), submission: { ...SUBMISSION, title } });
const approve = (reference: string, revision = 1): Promise<void> =>
  approveText(inbox, by(reference, revision), { event: 'checked before' });
const stateOf = async (reference: string) => {
  const stored = await getSubmission(inbox, reference);
  return stored && [toSubmissionState(stored), stored.asks, stored.revision, stored.is_published];
};

test('a submission is found by its reference in any case and by its token, and by nothing else', async () => {
  const { reference, token } = await sendIn(inbox);
  expect((await getSubmission(inbox, reference.toLowerCase()))?.text).toEqual(SUBMISSION);
  expect((await getSubmissionByToken(inbox, token ?? ''))?.reference).toBe(reference);
  expect([
    await getSubmissionByToken(inbox, reference),
    await getSubmissionByToken(inbox, ''),
  ]).toEqual([null, null]);
});

describe('a correction', () => {
  test('is a new text of the same submission, at the same address', async () => {
    const { reference, token } = await sendIn(inbox);
    await correctTo(reference, 'Corregida');
    expect(await stateOf(reference)).toEqual(['pending', 'publish', 2, false]);
    expect((await getSubmissionByToken(inbox, token ?? ''))?.text.title).toBe('Corregida');
    expect(await readValue(inbox, 'select count(*) from changes')).toBe(2);
  });
  test('keeps what the desk wrote in the other language, and none of its edits of the old text', async () => {
    const { reference } = await sendIn(inbox);
    await saveDraft(inbox, by(reference), {
      title: 'Noche de pruebas',
      other_title: 'Test night',
      lat: '21.1',
    });
    await correctTo(reference, 'Corregida');
    expect((await getSubmission(inbox, reference))?.draft).toEqual({
      other_title: 'Test night',
      lat: '21.1',
    });
  });
  test('sent twice is one', async () => {
    const { reference } = await sendIn(inbox);
    for (let times = 0; times < 9; times += 1) await correctTo(reference, 'Corregida');
    expect(await stateOf(reference)).toEqual(['pending', 'publish', 2, false]);
  });
  test('is counted by its token: the eleventh within an hour is refused, and nothing changes', async () => {
    const { reference } = await sendIn(inbox);
    for (let n = 1; n <= 10; n += 1) await correctTo(reference, `Noche ${n}`);
    await expect(() => correctTo(reference, 'Noche 11')).rejects.toThrow(/^rate: /);
    expect((await getSubmission(inbox, reference))?.text.title).toBe('Noche 10');
  });
  test('of what is published leaves that as it is until somebody decides', async () => {
    const { reference } = await sendIn(inbox);
    await approve(reference);
    await correctTo(reference, 'Corregida');
    expect(await stateOf(reference)).toEqual(['pending', 'edit', 2, true]);
  });
  test('brings back what was rejected or withdrawn', async () => {
    const { reference } = await sendIn(inbox);
    await refuse(inbox, by(reference), 'reject', 'No es un evento');
    await correct(inbox, { ...change(reference), submission: SUBMISSION });
    expect(await getSubmission(inbox, reference)).toMatchObject({ state: 'waiting', reason: null });
  });
});

describe('a withdrawal', () => {
  test('takes back what waits, at once', async () => {
    const { reference } = await sendIn(inbox);
    await takeBack(inbox, reference);
    expect([await stateOf(reference), await listPending(inbox)]).toEqual([
      ['withdrawn', 'publish', 1, false],
      [],
    ]);
    await expect(() => takeBack(inbox, reference)).rejects.toThrow(/^state: /);
  });
  test('of a waiting change leaves what is published', async () => {
    const { reference } = await sendIn(inbox);
    await approve(reference);
    await requestChange(inbox, {
      ...change(reference),
      asks: 'cancel',
      message: 'Llueve',
      dates: null,
    });
    await takeBack(inbox, reference);
    expect(await stateOf(reference)).toEqual(['approved', 'cancel', 2, true]);
  });
});

test('only what is published can be asked to be cancelled or postponed', async () => {
  const { reference } = await sendIn(inbox);
  await expect(() =>
    requestChange(inbox, { ...change(reference), asks: 'cancel', message: 'Llueve', dates: null }),
  ).rejects.toThrow(/^state: /);
  await approve(reference);
  await requestChange(inbox, {
    ...change(reference),
    asks: 'postpone',
    message: 'Llueve',
    dates: null,
  });
  expect(await getSubmission(inbox, reference)).toMatchObject({
    state: 'waiting',
    asks: 'postpone',
    message: 'Llueve',
    is_published: true,
  });
});

test('a form is taken after a while and not for ever, and only ours', () => {
  const stamp = createFormStamp(inbox, NOW_MS);
  const [moment, signature] = stamp.split('.');
  expect(
    [MIN_FORM_MS - 1, MIN_FORM_MS, MAX_FORM_MS, MAX_FORM_MS + 1].map((age_ms) =>
      checkFormStamp(inbox, stamp, NOW_MS + age_ms),
    ),
  ).toEqual(['too_soon', 'ok', 'ok', 'too_old']);
  expect(
    [-1, -60_000, -60_001].map((age_ms) => checkFormStamp(inbox, stamp, NOW_MS + age_ms)),
  ).toEqual(['too_soon', 'too_soon', 'too_old']);
  for (const forged of ['', '.', 'x.y', `${moment}0.${signature}`, `${moment}.${'A'.repeat(22)}`])
    expect(checkFormStamp(inbox, forged, NOW_MS + MIN_FORM_MS)).toBe('forged');
});
