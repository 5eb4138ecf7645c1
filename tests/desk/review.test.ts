// Decisions: only on what waits and was looked at, logged with who and when.
import { SUBMISSION, by, inbox, readRows, sendIn, useInbox } from '../fixtures/inbox.ts';
import { describe, expect, test } from 'vitest';
import { saveDraft } from '../../src/desk/review.ts';
import { correct } from '../../src/desk/propose.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { readApplied } from '../../src/inbox/applied.ts';
import { getSubmission, listPending } from '../../src/inbox/changes.ts';
import { recordOverride, changeStatus, approveText, grant, refuse } from '../fixtures/changes.ts';
import { toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';

useInbox();

/** Its sender asks that it be cancelled. */
const askToCancel = async (reference: string): Promise<void> =>
  void (await readRows(inbox, "update changes set asks = 'cancel' where reference = ?", reference));

test('the queue is oldest first and holds what waits', async () => {
  const [first, second, third] = await Array.fromAsync(
    ['A a', 'B b', 'C c'].entries(),
    async ([at, title]) =>
      (await sendIn(inbox, { title }, 'form', NOW_MS + (2 - at) * 60_000)).reference,
  );
  await refuse(inbox, by(second ?? ''), 'reject', 'No');
  expect((await listPending(inbox)).map((stored) => stored.reference)).toEqual([third, first]);
});

describe('a decision', () => {
  test('is logged with who, when, what and why', async () => {
    const { reference } = await sendIn(inbox);
    await refuse(inbox, by(reference), 'ask', 'Falta la dirección');
    expect(await listDecisions(inbox, 9)).toMatchObject([
      {
        id: 1,
        at: '2026-11-20T12:00:00-05:00',
        editor: 'ana',
        action: 'ask',
        subject: reference,
        reason: 'Falta la dirección',
        undone_at: null,
        undoes: null,
      },
    ]);
    expect(await getSubmission(inbox, reference)).toMatchObject({
      state: 'asked',
      reason: 'Falta la dirección',
    });
  });
  test('needs a reason where the sender is sent back', async () => {
    const { reference } = await sendIn(inbox);
    await expect(() => refuse(inbox, by(reference), 'reject', '  ')).rejects.toThrow('no words');
    expect(await listDecisions(inbox, 9)).toEqual([]);
  });
  test('has a reason that is stored whole or not at all', async () => {
    const { reference } = await sendIn(inbox);
    for (const words of ['x'.repeat(601), `${'Falta '.repeat(120)}`])
      await expect(() => refuse(inbox, by(reference), 'ask', words)).rejects.toThrow(
        expect.objectContaining({
          reason: 'reason_too_long',
          message: expect.stringMatching(/600/),
        }),
      );
    expect(await listDecisions(inbox, 9)).toEqual([]);
    await refuse(inbox, by(reference), 'ask', 'x'.repeat(600));
    expect((await getSubmission(inbox, reference))?.reason).toHaveLength(600);
  });
  test('over an event has one, of 600 characters at most, unless it restores', async () => {
    const actor = { editor: 'ana', now_ms: NOW_MS };
    const change = (action: 'cancel' | 'restore', words: string): Promise<void> =>
      changeStatus(inbox, actor, 'ev_a', action, words);
    await expect(() => change('cancel', ' ')).rejects.toThrow(
      expect.objectContaining({ reason: 'no_reason' }),
    );
    for (const action of ['cancel', 'restore'] as const)
      await expect(() => change(action, 'x'.repeat(601))).rejects.toThrow(
        expect.objectContaining({ reason: 'reason_too_long' }),
      );
    expect(await listDecisions(inbox, 9)).toEqual([]);
    await change('cancel', 'x'.repeat(600));
    await change('restore', '');
    expect((await listDecisions(inbox, 9)).map(({ reason }) => reason?.length)).toEqual([
      undefined,
      600,
    ]);
  });
  test('is made once, and not on a text that changed meanwhile', async () => {
    const { reference } = await sendIn(inbox);
    await correct(inbox, {
      reference,
      now_ms: NOW_MS,
      submission: { ...SUBMISSION, title: 'Otra cosa' },
    });
    await expect(() => approveText(inbox, by(reference, 1), {})).rejects.toThrow('text changed');
    await approveText(inbox, by(reference, 2), {});
    await expect(() => approveText(inbox, by(reference, 2), {})).rejects.toThrow(/^state: /);
    await expect(() => refuse(inbox, by('HC-NOPE99'), 'reject', 'No')).rejects.toThrow(
      /^reference: /,
    );
    expect(await listDecisions(inbox, 9)).toHaveLength(1);
  });
});

describe('edits', () => {
  test('are kept of the text that waits and of no other: they would hide the newer one', async () => {
    const { reference } = await sendIn(inbox);
    await saveDraft(inbox, by(reference), { title: 'Editado' });
    await correct(inbox, {
      reference,
      now_ms: NOW_MS,
      submission: { ...SUBMISSION, title: 'Del remitente' },
    });
    await expect(() => saveDraft(inbox, by(reference, 1), { title: 'Editado' })).rejects.toThrow(
      'text changed',
    );
    expect((await getSubmission(inbox, reference))?.draft).toBeNull();
    await refuse(inbox, by(reference, 2), 'reject', 'No');
    await expect(() => saveDraft(inbox, by(reference, 2), { title: 'Editado' })).rejects.toThrow(
      /^state: /,
    );
  });
});

describe('what was withdrawn for legal reasons', () => {
  const act = { editor: 'ana', reason: 'Por ley', now_ms: NOW_MS } as const;
  const WITHDRAWN = { status: 'withdrawn', date: '2026-11-20', reason: 'Por ley' } as const;
  test('is brought back by no request of its sender and no cancellation, only by a restoration', async () => {
    const { reference } = await sendIn(inbox);
    await askToCancel(reference);
    const event = toSubmittedEventId(reference);
    await recordOverride(inbox, { ...act, action: 'withdraw' }, event, '', WITHDRAWN);
    await expect(() => grant(inbox, by(reference))).rejects.toThrow('event withdrawn');
    await expect(() =>
      recordOverride(inbox, { ...act, action: 'cancel' }, event, '', { status: 'cancelled' }),
    ).rejects.toThrow('event withdrawn');
    expect([
      (await readApplied(inbox)).overrides[0]?.record,
      (await getSubmission(inbox, reference))?.state,
    ]).toEqual([WITHDRAWN, 'waiting']);
    await recordOverride(inbox, { ...act, action: 'restore' }, event, '', { status: 'published' });
    expect((await readApplied(inbox)).overrides[0]?.record).toEqual({ status: 'published' });
  });
});
