// Decisions: only on what waits and was looked at, logged with who and when.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeStatus } from '../../src/desk/override.ts';
import { recordOverride } from '../fixtures/changes.ts';
import { approveText, grant, refuse, saveDraft } from '../../src/desk/review.ts';
import { correct } from '../../src/desk/submit.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listOverrides } from '../../src/inbox/applied.ts';
import { getSubmission, listPending } from '../../src/inbox/submissions.ts';
import { toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { openFixtureInbox, sendIn, SUBMISSION } from '../fixtures/inbox.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';

let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

const by = (reference: string, revision = 1) => ({
  reference,
  revision,
  editor: 'ana',
  now_ms: NOW_MS,
});
/** Its sender asks that it be cancelled. */
const askToCancel = (reference: string): void =>
  void opened.inbox
    .prepare("update changes set asks = 'cancel' where reference = ?")
    .run(reference);

test('the queue is oldest first and holds what waits', () => {
  const [first, second, third] = ['A a', 'B b', 'C c'].map(
    (title, at) => sendIn(opened.inbox, { title }, 'form', NOW_MS + (2 - at) * 60_000).reference,
  );
  refuse(opened.inbox, by(second ?? ''), 'reject', 'No');
  expect(listPending(opened.inbox).map((stored) => stored.reference)).toEqual([third, first]);
});

describe('a decision', () => {
  test('is logged with who, when, what and why', () => {
    const { reference } = sendIn(opened.inbox);
    refuse(opened.inbox, by(reference), 'ask', 'Falta la dirección');
    expect(listDecisions(opened.inbox, 9)).toEqual([
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
    expect(getSubmission(opened.inbox, reference)).toMatchObject({
      state: 'changes_requested',
      reason: 'Falta la dirección',
    });
  });
  test('needs a reason where the sender is sent back', () => {
    const { reference } = sendIn(opened.inbox);
    expect(() => refuse(opened.inbox, by(reference), 'reject', '  ')).toThrow(/^reason: /);
    expect(listDecisions(opened.inbox, 9)).toEqual([]);
  });
  test('has a reason that is stored whole or not at all', () => {
    const { reference } = sendIn(opened.inbox);
    for (const words of ['x'.repeat(601), `${'Falta '.repeat(120)}`])
      expect(() => refuse(opened.inbox, by(reference), 'ask', words)).toThrow(
        expect.objectContaining({
          reason: 'reason_too_long',
          message: expect.stringMatching(/600/),
        }),
      );
    expect(listDecisions(opened.inbox, 9)).toEqual([]);
    refuse(opened.inbox, by(reference), 'ask', 'x'.repeat(600));
    expect(getSubmission(opened.inbox, reference)?.reason).toHaveLength(600);
  });
  test('over an event has one, of 400 characters at most, unless it restores', () => {
    const actor = { editor: 'ana', now_ms: NOW_MS };
    const change = (action: 'cancel' | 'restore', words: string): void =>
      changeStatus(opened.inbox, actor, 'ev_a', action, words);
    expect(() => change('cancel', ' ')).toThrow(expect.objectContaining({ reason: 'no_reason' }));
    for (const action of ['cancel', 'restore'] as const)
      expect(() => change(action, 'x'.repeat(401))).toThrow(
        expect.objectContaining({ reason: 'reason_too_long' }),
      );
    expect(listDecisions(opened.inbox, 9)).toEqual([]);
    change('cancel', 'x'.repeat(400));
    change('restore', '');
    expect(listDecisions(opened.inbox, 9).map(({ reason }) => reason?.length)).toEqual([
      undefined,
      400,
    ]);
  });
  test('is made once, and not on a text that changed meanwhile', () => {
    const { reference } = sendIn(opened.inbox);
    correct(opened.inbox, {
      reference,
      now_ms: NOW_MS,
      submission: { ...SUBMISSION, title: 'Otra cosa' },
    });
    expect(() => approveText(opened.inbox, by(reference, 1), {})).toThrow(/^revision: /);
    approveText(opened.inbox, by(reference, 2), {});
    expect(() => approveText(opened.inbox, by(reference, 2), {})).toThrow(/^state: /);
    expect(() => refuse(opened.inbox, by('HC-NOPE99'), 'reject', 'No')).toThrow(/^reference: /);
    expect(listDecisions(opened.inbox, 9)).toHaveLength(1);
  });
});

describe('edits', () => {
  test('are kept of the text that waits and of no other: they would hide the newer one', () => {
    const { reference } = sendIn(opened.inbox);
    saveDraft(opened.inbox, by(reference), { title: 'Editado' });
    correct(opened.inbox, {
      reference,
      now_ms: NOW_MS,
      submission: { ...SUBMISSION, title: 'Del remitente' },
    });
    expect(() => saveDraft(opened.inbox, by(reference, 1), { title: 'Editado' })).toThrow(
      /^revision: /,
    );
    expect(getSubmission(opened.inbox, reference)?.draft).toBeNull();
    refuse(opened.inbox, by(reference, 2), 'reject', 'No');
    expect(() => saveDraft(opened.inbox, by(reference, 2), { title: 'Editado' })).toThrow(
      /^state: /,
    );
  });
});

describe('what was withdrawn for legal reasons', () => {
  const act = { editor: 'ana', reason: 'Por ley', now_ms: NOW_MS } as const;
  const WITHDRAWN = { status: 'withdrawn', date: '2026-11-20', reason: 'Por ley' } as const;
  test('is brought back by no request of its sender and no cancellation, only by a restoration', () => {
    const { reference } = sendIn(opened.inbox);
    askToCancel(reference);
    const event = toSubmittedEventId(reference);
    recordOverride(opened.inbox, { ...act, action: 'withdraw' }, event, '', WITHDRAWN);
    expect(() => grant(opened.inbox, by(reference))).toThrow(/^event: it was withdrawn/);
    expect(() =>
      recordOverride(opened.inbox, { ...act, action: 'cancel' }, event, '', {
        status: 'cancelled',
      }),
    ).toThrow(/^event: it was withdrawn/);
    expect([
      listOverrides(opened.inbox)[0]?.record,
      getSubmission(opened.inbox, reference)?.state,
    ]).toEqual([WITHDRAWN, 'pending']);
    recordOverride(opened.inbox, { ...act, action: 'restore' }, event, '', { status: 'published' });
    expect(listOverrides(opened.inbox)[0]?.record).toEqual({ status: 'published' });
  });
});
