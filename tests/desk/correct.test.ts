// What a sender may do with a submission, by state; and how long a form must have been looked at.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  checkFormStamp,
  createFormStamp,
  MAX_FORM_MS,
  MIN_FORM_MS,
} from '../../src/desk/secret.ts';
import { correct, getSubmissionByToken, requestChange, withdraw } from '../../src/desk/submit.ts';
import { getSubmission, listPending } from '../../src/inbox/submissions.ts';
import { approveText, refuse, saveDraft } from '../../src/desk/review.ts';
import { openFixtureInbox, sendIn, SUBMISSION } from '../fixtures/inbox.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';

let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

const change = (reference: string) => ({ reference, sender: '192.0.2.9', now_ms: NOW_MS + 60_000 });
const approve = (reference: string, revision = 1): void =>
  approveText(
    opened.inbox,
    { reference, revision, editor: 'ana', now_ms: NOW_MS },
    { event: 'checked before' },
  );
const stateOf = (reference: string) => {
  const stored = getSubmission(opened.inbox, reference);
  return stored && [stored.state, stored.asks, stored.revision, stored.is_published];
};

test('a submission is found by its reference in any case and by its token, and by nothing else', () => {
  const { reference, token } = sendIn(opened.inbox);
  expect(getSubmission(opened.inbox, reference.toLowerCase())?.submission).toEqual(SUBMISSION);
  expect(getSubmissionByToken(opened.inbox, token ?? '')?.reference).toBe(reference);
  expect([
    getSubmissionByToken(opened.inbox, reference),
    getSubmissionByToken(opened.inbox, ''),
  ]).toEqual([null, null]);
});

describe('a correction', () => {
  test('is a new text of the same submission, at the same address', () => {
    const { reference, token } = sendIn(opened.inbox);
    correct(opened.inbox, {
      ...change(reference),
      submission: { ...SUBMISSION, title: 'Corregida' },
    });
    expect(stateOf(reference)).toEqual(['pending', 'publish', 2, false]);
    expect(getSubmissionByToken(opened.inbox, token ?? '')?.submission.title).toBe('Corregida');
    expect(opened.inbox.prepare('select count(*) from changes').pluck().get()).toBe(2);
  });
  test('keeps what the desk wrote in the other language, and none of its edits of the old text', () => {
    const { reference } = sendIn(opened.inbox);
    saveDraft(
      opened.inbox,
      { reference, revision: 1, editor: 'ana', now_ms: NOW_MS },
      { title: 'Noche de pruebas', other_title: 'Test night', lat: '21.1' },
    );
    correct(opened.inbox, {
      ...change(reference),
      submission: { ...SUBMISSION, title: 'Corregida' },
    });
    expect(getSubmission(opened.inbox, reference)?.draft).toEqual({
      other_title: 'Test night',
      lat: '21.1',
    });
  });
  test('sent twice is one', () => {
    const { reference } = sendIn(opened.inbox);
    for (let times = 0; times < 9; times += 1)
      correct(opened.inbox, {
        ...change(reference),
        submission: { ...SUBMISSION, title: 'Corregida' },
      });
    expect(stateOf(reference)).toEqual(['pending', 'publish', 2, false]);
  });
  test('is counted by its token: the eleventh within an hour is refused, and nothing changes', () => {
    const { reference } = sendIn(opened.inbox);
    const correctTo = (title: string): void =>
      correct(opened.inbox, {
        ...change(reference),
        submission: { ...SUBMISSION, title },
      });
    for (let n = 1; n <= 10; n += 1) correctTo(`Noche ${n}`);
    expect(() => correctTo('Noche 11')).toThrow(/^rate: /);
    expect(getSubmission(opened.inbox, reference)?.submission.title).toBe('Noche 10');
  });
  test('of what is published leaves that as it is until somebody decides', () => {
    const { reference } = sendIn(opened.inbox);
    approve(reference);
    correct(opened.inbox, {
      ...change(reference),
      submission: { ...SUBMISSION, title: 'Corregida' },
    });
    expect(stateOf(reference)).toEqual(['pending', 'change', 2, true]);
  });
  test('brings back what was rejected or withdrawn', () => {
    const { reference } = sendIn(opened.inbox);
    refuse(
      opened.inbox,
      { reference, revision: 1, editor: 'ana', now_ms: NOW_MS },
      'reject',
      'No es un evento',
    );
    correct(opened.inbox, { ...change(reference), submission: SUBMISSION });
    expect(getSubmission(opened.inbox, reference)).toMatchObject({
      state: 'pending',
      reason: null,
    });
  });
});

describe('a withdrawal', () => {
  test('takes back what waits, at once', () => {
    const { reference } = sendIn(opened.inbox);
    withdraw(opened.inbox, reference);
    expect([stateOf(reference), listPending(opened.inbox)]).toEqual([
      ['withdrawn', 'publish', 1, false],
      [],
    ]);
    expect(() => withdraw(opened.inbox, reference)).toThrow(/^state: /);
  });
  test('of a waiting change leaves what is published', () => {
    const { reference } = sendIn(opened.inbox);
    approve(reference);
    requestChange(opened.inbox, {
      ...change(reference),
      asks: 'cancel',
      message: 'Llueve',
      dates: null,
    });
    withdraw(opened.inbox, reference);
    expect(stateOf(reference)).toEqual(['approved', 'cancel', 2, true]);
  });
});

test('only what is published can be asked to be cancelled or postponed', () => {
  const { reference } = sendIn(opened.inbox);
  expect(() =>
    requestChange(opened.inbox, {
      ...change(reference),
      asks: 'cancel',
      message: 'Llueve',
      dates: null,
    }),
  ).toThrow(/^state: /);
  approve(reference);
  requestChange(opened.inbox, {
    ...change(reference),
    asks: 'postpone',
    message: 'Llueve',
    dates: null,
  });
  expect(getSubmission(opened.inbox, reference)).toMatchObject({
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
