// What a sender may do with a submission, by state; and how long a form must have been looked at.
import { readValue } from '../fixtures/inbox.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  checkFormStamp,
  createFormStamp,
  MAX_FORM_MS,
  MIN_FORM_MS,
} from '../../src/inbox/secret.ts';
import { correct, requestChange, takeBack } from '../../src/desk/propose.ts';
import { getSubmissionByToken, getSubmission, listPending } from '../../src/inbox/submissions.ts';
import { approveText, refuse, saveDraft } from '../../src/desk/review.ts';
import { openFixtureInbox, sendIn, SUBMISSION } from '../fixtures/inbox.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';

let opened: Awaited<ReturnType<typeof openFixtureInbox>>;
beforeEach(async () => {
  opened = await openFixtureInbox();
});
afterEach(() => opened.close());

const change = (reference: string) => ({ reference, sender: '192.0.2.9', now_ms: NOW_MS + 60_000 });
const approve = (reference: string, revision = 1): Promise<void> =>
  approveText(
    opened.inbox,
    { reference, revision, editor: 'ana', now_ms: NOW_MS },
    { event: 'checked before' },
  );
const stateOf = async (reference: string) => {
  const stored = await getSubmission(opened.inbox, reference);
  return stored && [stored.state, stored.asks, stored.revision, stored.is_published];
};

test('a submission is found by its reference in any case and by its token, and by nothing else', async () => {
  const { reference, token } = await sendIn(opened.inbox);
  expect((await getSubmission(opened.inbox, reference.toLowerCase()))?.submission).toEqual(
    SUBMISSION,
  );
  expect((await getSubmissionByToken(opened.inbox, token ?? ''))?.reference).toBe(reference);
  expect([
    await getSubmissionByToken(opened.inbox, reference),
    await getSubmissionByToken(opened.inbox, ''),
  ]).toEqual([null, null]);
});

describe('a correction', () => {
  test('is a new text of the same submission, at the same address', async () => {
    const { reference, token } = await sendIn(opened.inbox);
    await correct(opened.inbox, {
      ...change(reference),
      submission: { ...SUBMISSION, title: 'Corregida' },
    });
    expect(await stateOf(reference)).toEqual(['pending', 'publish', 2, false]);
    expect((await getSubmissionByToken(opened.inbox, token ?? ''))?.submission.title).toBe(
      'Corregida',
    );
    expect(await readValue(opened.inbox, 'select count(*) from changes')).toBe(2);
  });
  test('keeps what the desk wrote in the other language, and none of its edits of the old text', async () => {
    const { reference } = await sendIn(opened.inbox);
    await saveDraft(
      opened.inbox,
      { reference, revision: 1, editor: 'ana', now_ms: NOW_MS },
      { title: 'Noche de pruebas', other_title: 'Test night', lat: '21.1' },
    );
    await correct(opened.inbox, {
      ...change(reference),
      submission: { ...SUBMISSION, title: 'Corregida' },
    });
    expect((await getSubmission(opened.inbox, reference))?.draft).toEqual({
      other_title: 'Test night',
      lat: '21.1',
    });
  });
  test('sent twice is one', async () => {
    const { reference } = await sendIn(opened.inbox);
    for (let times = 0; times < 9; times += 1)
      await correct(opened.inbox, {
        ...change(reference),
        submission: { ...SUBMISSION, title: 'Corregida' },
      });
    expect(await stateOf(reference)).toEqual(['pending', 'publish', 2, false]);
  });
  test('is counted by its token: the eleventh within an hour is refused, and nothing changes', async () => {
    const { reference } = await sendIn(opened.inbox);
    const correctTo = (title: string): Promise<void> =>
      correct(opened.inbox, {
        ...change(reference),
        submission: { ...SUBMISSION, title },
      });
    for (let n = 1; n <= 10; n += 1) await correctTo(`Noche ${n}`);
    await expect(() => correctTo('Noche 11')).rejects.toThrow(/^rate: /);
    expect((await getSubmission(opened.inbox, reference))?.submission.title).toBe('Noche 10');
  });
  test('of what is published leaves that as it is until somebody decides', async () => {
    const { reference } = await sendIn(opened.inbox);
    await approve(reference);
    await correct(opened.inbox, {
      ...change(reference),
      submission: { ...SUBMISSION, title: 'Corregida' },
    });
    expect(await stateOf(reference)).toEqual(['pending', 'change', 2, true]);
  });
  test('brings back what was rejected or withdrawn', async () => {
    const { reference } = await sendIn(opened.inbox);
    await refuse(
      opened.inbox,
      { reference, revision: 1, editor: 'ana', now_ms: NOW_MS },
      'reject',
      'No es un evento',
    );
    await correct(opened.inbox, { ...change(reference), submission: SUBMISSION });
    expect(await getSubmission(opened.inbox, reference)).toMatchObject({
      state: 'pending',
      reason: null,
    });
  });
});

describe('a withdrawal', () => {
  test('takes back what waits, at once', async () => {
    const { reference } = await sendIn(opened.inbox);
    await takeBack(opened.inbox, reference);
    expect([await stateOf(reference), await listPending(opened.inbox)]).toEqual([
      ['withdrawn', 'publish', 1, false],
      [],
    ]);
    await expect(() => takeBack(opened.inbox, reference)).rejects.toThrow(/^state: /);
  });
  test('of a waiting change leaves what is published', async () => {
    const { reference } = await sendIn(opened.inbox);
    await approve(reference);
    await requestChange(opened.inbox, {
      ...change(reference),
      asks: 'cancel',
      message: 'Llueve',
      dates: null,
    });
    await takeBack(opened.inbox, reference);
    expect(await stateOf(reference)).toEqual(['approved', 'cancel', 2, true]);
  });
});

test('only what is published can be asked to be cancelled or postponed', async () => {
  const { reference } = await sendIn(opened.inbox);
  await expect(() =>
    requestChange(opened.inbox, {
      ...change(reference),
      asks: 'cancel',
      message: 'Llueve',
      dates: null,
    }),
  ).rejects.toThrow(/^state: /);
  await approve(reference);
  await requestChange(opened.inbox, {
    ...change(reference),
    asks: 'postpone',
    message: 'Llueve',
    dates: null,
  });
  expect(await getSubmission(opened.inbox, reference)).toMatchObject({
    state: 'pending',
    asks: 'postpone',
    message: 'Llueve',
    is_published: true,
  });
});

test('a form is taken after a while and not for ever, and only ours', () => {
  const stamp = createFormStamp(opened.inbox, NOW_MS);
  const [moment, signature] = stamp.split('.');
  expect(
    [MIN_FORM_MS - 1, MIN_FORM_MS, MAX_FORM_MS, MAX_FORM_MS + 1].map((age_ms) =>
      checkFormStamp(opened.inbox, stamp, NOW_MS + age_ms),
    ),
  ).toEqual(['too_soon', 'ok', 'ok', 'too_old']);
  expect(
    [-1, -60_000, -60_001].map((age_ms) => checkFormStamp(opened.inbox, stamp, NOW_MS + age_ms)),
  ).toEqual(['too_soon', 'too_soon', 'too_old']);
  for (const forged of ['', '.', 'x.y', `${moment}0.${signature}`, `${moment}.${'A'.repeat(22)}`])
    expect(checkFormStamp(opened.inbox, forged, NOW_MS + MIN_FORM_MS)).toBe('forged');
});
