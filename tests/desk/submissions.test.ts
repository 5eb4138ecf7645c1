// Submissions and corrections: stored once, amended and withdrawn (contract 14.2, 14.11).
import { describe, expect, test } from 'vitest';
import * as propose from '../../src/desk/submissions.ts';
import {
  countPending,
  getCorrection,
  getSubmission,
  getSubmissionByToken,
  saveDraft,
} from '../../src/inbox/changes.ts';
import { openInbox } from '../../src/inbox/open.ts';
import {
  verifyFormToken,
  createFormToken,
  MAX_FORM_AGE_MS,
  MIN_FORM_FILL_MS,
} from '../../src/inbox/secrets.ts';
import { approveRecord, returnSubmission, decideCorrection } from '../fixtures/changes.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import { ANA, reviewByAna, inbox, location, queryRows, queryValue } from '../fixtures/inbox.ts';
import { submitTestEvent, SUBMISSION, useInbox } from '../fixtures/inbox.ts';

useInbox();

const HOUR_MS = 3_600_000;
const receive = (title: string, sender = '192.0.2.1', now_ms = NOW_MS, to = inbox) =>
  propose.submitEvent(to, {
    submission: { ...SUBMISSION, title },
    channel: 'form',
    sender,
    now_ms,
  });
const correctTo = (reference: string, title: string): Promise<void> =>
  propose.amendSubmission(inbox, {
    reference,
    now_ms: NOW_MS,
    submission: { ...SUBMISSION, title },
  });
const approve = (reference: string): Promise<void> =>
  approveRecord(inbox, reviewByAna(reference), {});
const ask = (reference: string, asks: 'cancel' | 'postpone'): Promise<void> =>
  propose.requestStatusChange(inbox, {
    reference,
    now_ms: NOW_MS,
    asks,
    message: 'Llueve',
    dates: null,
  });
const stateOf = async (reference: string) => {
  const stored = await getSubmission(inbox, reference);
  return stored && [stored.state, stored.asks, stored.revision, stored.is_published];
};
const readTables = async (): Promise<string> =>
  JSON.stringify([
    await queryRows(inbox, 'select * from changes'),
    await queryRows(inbox, 'select * from submission_senders'),
  ]);

describe('a submission', () => {
  test('is stored once for the same content, from any sender, even after a restart', async () => {
    const first = await receive('A');
    expect(first).toMatchObject({ state: 'pending', is_repeat: false });
    const restarted = await openInbox(location);
    const again = await receive('A', '198.51.100.7', NOW_MS + 48 * HOUR_MS, restarted);
    await restarted.close();
    expect(again).toEqual({ ...first, is_repeat: true });
    expect(await queryValue(inbox, 'select count(*) from changes')).toBe(1);
  });
  test('that is public gives no token to a repeat, even with a pending request', async () => {
    const { reference } = await receive('A');
    for (const [act, state] of [
      [() => approve(reference), 'approved'],
      [() => ask(reference, 'postpone'), 'pending'],
      [() => returnSubmission(inbox, reviewByAna(reference, 2), 'reject', 'No'), 'rejected'],
      [() => correctTo(reference, 'B'), 'pending'],
    ] as const) {
      await act();
      const repeated = await receive('A', '198.51.100.7');
      expect(repeated).toMatchObject({ reference, state, token: null });
    }
  });
  test('is found by case-insensitive reference and by token; token and address are not stored', async () => {
    const { reference, token } = await receive('A', '203.0.113.77');
    expect((await getSubmission(inbox, reference.toLowerCase()))?.title).toBe('A');
    expect((await getSubmissionByToken(inbox, token ?? ''))?.reference).toBe(reference);
    expect(await getSubmissionByToken(inbox, reference)).toBeNull();
    const stored = await readTables();
    for (const secret of [token, '203.0.113.77']) expect(stored).not.toContain(secret);
    const other = await openInbox(':memory:');
    expect((await receive('A', '203.0.113.77', NOW_MS, other)).token).not.toBe(token);
    await other.close();
  });
  test('has a readable, unique reference', async () => {
    const taken = (await receive('A')).reference;
    await queryRows(inbox, "update changes set digest = 'of another', token_hash = 'of another'");
    const { reference } = await receive('A');
    expect(reference).toMatch(/^HC-[2-9A-HJ-NP-TV-Z]{6}$/);
    expect(reference).not.toBe(taken);
  });
});

describe('an amendment', () => {
  test('replaces the text at the same address and keeps the desk’s translation', async () => {
    const { reference, token } = await submitTestEvent(inbox);
    const added = { other_title: 'Test night', lat: '21.1' };
    await saveDraft(inbox, reference, { title: 'Noche de pruebas', ...added });
    await correctTo(reference, 'Corregida');
    expect(await stateOf(reference)).toEqual(['waiting', 'publish', 2, false]);
    expect(await getSubmissionByToken(inbox, token ?? '')).toMatchObject({
      ...{ title: 'Corregida', draft: added },
    });
  });
  test('keeps the published version, and makes a rejected submission pending', async () => {
    const [published, rejected] = [
      await submitTestEvent(inbox),
      await submitTestEvent(inbox, { title: 'Otra' }),
    ];
    await approve(published.reference);
    await correctTo(published.reference, 'Corregida');
    expect(await stateOf(published.reference)).toEqual(['waiting', 'edit', 2, true]);
    await returnSubmission(inbox, reviewByAna(rejected.reference), 'reject', 'No es un evento');
    await correctTo(rejected.reference, 'Otra');
    expect(await getSubmission(inbox, rejected.reference)).toMatchObject({
      ...{ state: 'waiting', reason: null },
    });
  });
});

test('a withdrawal ends a pending change and keeps the published version', async () => {
  const { reference } = await submitTestEvent(inbox);
  await propose.withdrawSubmission(inbox, reference);
  expect(await stateOf(reference)).toEqual(['taken_back', 'publish', 1, false]);
  await expect(propose.withdrawSubmission(inbox, reference)).rejects.toMatchObject({
    reason: 'not_pending',
  });
  await expect(ask(reference, 'cancel')).rejects.toMatchObject({ reason: 'not_published' });
  const { reference: other } = await submitTestEvent(inbox, { title: 'Otra' });
  await approve(other);
  await ask(other, 'postpone');
  expect(await getSubmission(inbox, other)).toMatchObject({
    ...{ state: 'waiting', asks: 'postpone', message: 'Llueve', is_published: true },
  });
  await propose.withdrawSubmission(inbox, other);
  expect(await stateOf(other)).toEqual(['taken_back', 'postpone', 2, true]);
});

const EVENT = { kind: 'event', id: 'ev_abc', title: 'Paseo' } as const;
const VENUE = { kind: 'venue', id: 've_abc', title: 'Plaza' } as const;
const CHANGE = 'Empieza a las nueve';
const report = (change: string, more: object = {}) => {
  const correction = { change, source_url: null, contact_email: 'yo@ejemplo.example' };
  const entry = { correction, about: EVENT, lang: 'es', sender: '192.0.2.1', now_ms: NOW_MS };
  return propose.submitCorrection(inbox, { ...entry, lang: 'es', ...more });
};
test('a correction is stored with its record, once while pending, and without its sender', async () => {
  const first = await report(CHANGE, { sender: '203.0.113.77' });
  expect(await getCorrection(inbox, first.reference.toLowerCase())).toMatchObject({
    ...{ reference: first.reference, kind: 'event', thing: 'ev_abc', title: 'Paseo' },
    ...{ state: 'waiting', reason: null, at: '2026-11-20T12:00:00-05:00' },
    text: { change: CHANGE, lang: 'es', contact_email: 'yo@ejemplo.example' },
  });
  expect(await report(CHANGE)).toEqual({ ...first, is_repeat: true });
  await report(CHANGE, { about: VENUE });
  expect((await countPending(inbox)).waiting).toBe(2);
  expect(await readTables()).not.toContain('203.0.113.77');
  await decideCorrection(inbox, ANA, first.reference, 'done', '');
  const again = await report(CHANGE);
  expect([again.is_repeat, again.reference === first.reference]).toEqual([false, false]);
});

test('accepts a form only with a valid stamp of the right age', () => {
  const stamp = createFormToken(inbox, NOW_MS);
  const [moment, signature] = stamp.split('.');
  for (const [age_ms, expected] of [
    [-60_001, 'too_old'],
    [MIN_FORM_FILL_MS - 1, 'too_soon'],
    [MIN_FORM_FILL_MS, 'ok'],
    [MAX_FORM_AGE_MS, 'ok'],
    [MAX_FORM_AGE_MS + 1, 'too_old'],
  ] as const)
    expect(verifyFormToken(inbox, stamp, NOW_MS + age_ms), String(age_ms)).toBe(expected);
  for (const forged of ['', `${moment}0.${signature}`, `${moment}.${'A'.repeat(22)}`])
    expect(verifyFormToken(inbox, forged, NOW_MS + MIN_FORM_FILL_MS)).toBe('forged');
});
