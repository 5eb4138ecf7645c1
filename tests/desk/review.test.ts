// Decisions: only on what waits and was looked at, logged with who and when, the last one undone.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getUndoable, undo } from '../../src/desk/decide.ts';
import { recordNotice } from '../../src/desk/notices.ts';
import { changeStatus, recordOverride } from '../../src/desk/override.ts';
import { approveText, grant, refuse, saveDraft } from '../../src/desk/review.ts';
import { correct, requestChange, withdraw } from '../../src/desk/submit.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listDeskNotices } from '../../src/inbox/desk-notices.ts';
import { writeLedger } from '../../src/inbox/ledger.ts';
import { listOverrides } from '../../src/inbox/overrides.ts';
import { listPublications } from '../../src/inbox/publications.ts';
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
const EVA = { editor: 'eva', now_ms: NOW_MS };
const undoLast = () => undo(opened.inbox, getUndoable(opened.inbox)?.id ?? 0, EVA);
/** As after a release that shows the event of a submission. */
const release = (reference: string): void =>
  writeLedger(opened.inbox, {
    revisions: new Map(),
    slugs: [{ kind: 'event', slug: 'noche', id: toSubmittedEventId(reference) }],
    histories: new Map(),
  });
/** Its sender asks that it be cancelled. */
const askToCancel = (reference: string): void =>
  void opened.inbox
    .prepare("update submissions set asks = 'cancel' where reference = ?")
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
  const WITHDRAWN = { status: 'withdrawn', date: '2026-11-20', reason: 'Por ley' };
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

describe('undoing', () => {
  test('puts everything back as it was, and is logged', () => {
    const { reference } = sendIn(opened.inbox);
    saveDraft(opened.inbox, by(reference), { other_title: 'Night' });
    const before = getSubmission(opened.inbox, reference);
    approveText(opened.inbox, by(reference), { some: 'record' });
    expect(undoLast()).toMatchObject({ action: 'approve', subject: reference });
    expect([getSubmission(opened.inbox, reference), listPublications(opened.inbox)]).toEqual([
      before,
      [],
    ]);
    expect(
      listDecisions(opened.inbox, 2).map(({ action, editor, undone_at }) => [
        action,
        editor,
        undone_at !== null,
      ]),
    ).toEqual([
      ['undo', 'eva', false],
      ['approve', 'ana', true],
    ]);
  });
  test('goes one step back and no further', () => {
    const { reference } = sendIn(opened.inbox);
    approveText(opened.inbox, by(reference), {});
    undoLast();
    expect(getUndoable(opened.inbox)).toBeNull();
    expect(() => undoLast()).toThrow(/^undo: /);
    expect(() => undo(opened.inbox, 1, EVA)).toThrow(/^undo: /);
  });
  test('is refused for what is public already', () => {
    const { reference } = sendIn(opened.inbox);
    approveText(opened.inbox, by(reference), {});
    release(reference);
    expect(() => undoLast()).toThrow(/^undo: it is in the agenda/);
    expect(listPublications(opened.inbox)).toHaveLength(1);
  });
  test('is refused once the sender has answered: neither a correction nor a withdrawal is lost', () => {
    const { reference } = sendIn(opened.inbox);
    refuse(opened.inbox, by(reference), 'ask', 'Falta la dirección');
    correct(opened.inbox, {
      reference,
      now_ms: NOW_MS,
      submission: { ...SUBMISSION, title: 'Con dirección' },
    });
    expect(() => undoLast()).toThrow(/^undo: the sender has answered/);
    expect(getSubmission(opened.inbox, reference)).toMatchObject({
      revision: 2,
      state: 'pending',
      submission: { title: 'Con dirección' },
    });
    refuse(opened.inbox, by(reference, 2), 'ask', 'Falta la hora');
    withdraw(opened.inbox, reference);
    expect(() => undoLast()).toThrow(/^undo: the sender has answered/);
    expect(getSubmission(opened.inbox, reference)?.state).toBe('withdrawn');
  });
  test('is refused for an approval whose sender has asked to cancel since', () => {
    const { reference } = sendIn(opened.inbox);
    approveText(opened.inbox, by(reference), {});
    requestChange(opened.inbox, {
      reference,
      now_ms: NOW_MS,
      asks: 'cancel',
      message: 'Llueve',
    });
    expect(() => undoLast()).toThrow(/^undo: the sender has answered/);
    expect(getSubmission(opened.inbox, reference)).toMatchObject({
      asks: 'cancel',
      message: 'Llueve',
      is_published: true,
    });
  });
  test('brings back the override and the notice of before', () => {
    const act = { editor: 'ana', action: 'cancel', reason: 'Llueve', now_ms: NOW_MS } as const;
    recordOverride(opened.inbox, act, 'ev_a', '', { status: 'cancelled' });
    recordOverride(opened.inbox, { ...act, action: 'restore' }, 'ev_a', '', {
      status: 'published',
    });
    undoLast();
    expect(listOverrides(opened.inbox)).toEqual([
      { event: 'ev_a', date: '', record: { status: 'cancelled' } },
    ]);
    recordNotice(opened.inbox, { ...act, action: 'write_notice' }, 'n1', { title: 'x' });
    undoLast();
    expect(listDeskNotices(opened.inbox)).toEqual([]);
  });
  test('of a granted request brings back both the request and the event', () => {
    const { reference } = sendIn(opened.inbox);
    askToCancel(reference);
    grant(opened.inbox, by(reference));
    expect(listOverrides(opened.inbox)).toHaveLength(1);
    undoLast();
    expect([listOverrides(opened.inbox), listPending(opened.inbox).length]).toEqual([[], 1]);
  });
});
