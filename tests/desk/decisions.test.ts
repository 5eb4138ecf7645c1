// Decisions: undoing by number, and reopening decided changes (contract 14.17).
import { describe, expect, test } from 'vitest';
import { checkUndo, reopenChange, undoDecision } from '../../src/desk/decisions.ts';
import {
  amendSubmission,
  requestStatusChange,
  withdrawSubmission,
} from '../../src/desk/submissions.ts';
import { EMPTY_LEDGER, nextRevision } from '../../src/domain/ledger.ts';
import { loadAppliedChanges } from '../../src/inbox/applied-changes.ts';
import { getSubmission, saveDraft } from '../../src/inbox/changes.ts';
import { getDecision, listDecisions } from '../../src/inbox/decisions.ts';
import { saveLedger } from '../../src/inbox/ledger.ts';
import { deskNoticeId, submittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import {
  approveRecord,
  changeStatus,
  acceptRequest,
  saveOverride,
  recordNotice,
  returnSubmission,
} from '../fixtures/changes.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import {
  ANA,
  reviewByAna,
  EVA,
  inbox,
  submitTestEvent,
  SUBMISSION,
  undoNewestDecision,
  useInbox,
} from '../fixtures/inbox.ts';

useInbox();

const correctTo = (reference: string, title: string): Promise<void> =>
  amendSubmission(inbox, { reference, now_ms: NOW_MS, submission: { ...SUBMISSION, title } });
const undoLast = (): Promise<void> => undoNewestDecision(inbox, EVA);
const newest = async (): Promise<number> => (await listDecisions(inbox, 1))[0]?.id ?? 0;
/** Returns why a decision cannot be undone, and the number of the decision that prevents it. */
const getUndoRefusal = async (id: number, is_building = false): Promise<readonly unknown[]> => {
  const decision = (await getDecision(inbox, id)) ?? expect.unreachable(`no decision ${id}`);
  const { refusal, blocking_decision_id: other } = await checkUndo(inbox, decision, is_building);
  return [refusal, other];
};
/** Records a release that contains the event of a submission. */
const release = (reference: string): Promise<void> =>
  saveLedger(inbox, {
    ...EMPTY_LEDGER,
    slugs: [{ kind: 'event', slug: 'noche', id: submittedEventId(reference) }],
  });
/** Changes the status of an event. Returns the number of the decision. */
const change = async (event: string, asks: 'cancel' | 'restore' = 'cancel'): Promise<number> => {
  await changeStatus(inbox, ANA, event, asks, 'Llueve');
  return newest();
};
const statusOf = async (event: string): Promise<unknown> =>
  (await loadAppliedChanges(inbox)).overrides.find((row) => row.event === event)?.record ?? null;
const listPublished = async () =>
  (await loadAppliedChanges(inbox)).publications.map(({ record }) => record);

describe('undoing', () => {
  test('restores the previous state and is logged with the number of the undone decision', async () => {
    const { reference } = await submitTestEvent(inbox);
    await saveDraft(inbox, reference, { other_title: 'Night' });
    const before = await getSubmission(inbox, reference);
    await approveRecord(inbox, reviewByAna(reference), { some: 'record' });
    await undoLast();
    const record = { some: 'record' };
    expect(await getSubmission(inbox, reference)).toEqual({ ...before, record });
    expect(await listPublished()).toEqual([]);
    expect(await listDecisions(inbox, 2)).toMatchObject([
      { action: 'undo', editor: 'eva', undone_at: null, undoes: 1 },
      { action: 'approve', editor: 'ana', undone_at: '2026-11-20T12:00:00-05:00', undoes: null },
    ]);
  });
  test('works only from the newest decision about a record, even if they had the same result', async () => {
    const first = await change('ev_a');
    const second = await change('ev_a', 'restore');
    const third = await change('ev_a');
    expect(await Array.fromAsync([first, second, third], (id) => getUndoRefusal(id))).toEqual([
      ['decided_since', third],
      ['decided_since', third],
      [null, null],
    ]);
    await expect(undoDecision(inbox, first, EVA)).rejects.toMatchObject({
      reason: 'decided_since',
    });
    for (const [id, status] of [
      [third, { status: 'published' }],
      [second, { status: 'cancelled' }],
      [first, null],
    ] as const) {
      await undoDecision(inbox, id, EVA);
      expect(await statusOf('ev_a')).toEqual(status);
    }
  });
  test('works once, and can itself be undone', async () => {
    const id = await change('ev_a');
    await undoDecision(inbox, id, EVA);
    const undoing = await newest();
    expect(await getUndoRefusal(id)).toEqual(['undone_already', undoing]);
    await expect(undoDecision(inbox, id, EVA)).rejects.toMatchObject({ reason: 'undone_already' });
    await undoDecision(inbox, undoing, ANA);
    expect(await statusOf('ev_a')).toEqual({ status: 'cancelled' });
    expect(await getUndoRefusal(undoing)).toEqual(['undone_already', await newest()]);
    await undoDecision(inbox, id, EVA);
    expect(await statusOf('ev_a')).toBeNull();
    for (const none of [99, Number.NaN])
      await expect(undoDecision(inbox, none, EVA)).rejects.toMatchObject({
        reason: 'no_such_decision',
      });
  });
  test('reverts an approval unless a release has shown it or is being built', async () => {
    const { reference } = await submitTestEvent(inbox);
    await approveRecord(inbox, reviewByAna(reference), {});
    const id = await newest();
    expect(await getUndoRefusal(id)).toEqual([null, null]);
    expect(await getUndoRefusal(id, true)).toEqual(['release_under_way', null]);
    await release(reference);
    await expect(undoLast()).rejects.toMatchObject({ reason: 'public_already' });
  });
  test('of an approved amendment restores the previous text, released or not', async () => {
    const { reference } = await submitTestEvent(inbox);
    await approveRecord(inbox, reviewByAna(reference), { text: 'one' });
    await release(reference);
    await correctTo(reference, 'Otra');
    await approveRecord(inbox, reviewByAna(reference, 2), { text: 'two' });
    expect(await getUndoRefusal(await newest(), true)).toEqual([null, null]);
    await undoLast();
    expect(await listPublished()).toEqual([{ text: 'one' }]);
    // Approving again keeps the record in between: a release may have shown it.
    await approveRecord(inbox, reviewByAna(reference, 2), { text: 'three' });
    expect(await listPublished()).toEqual([{ text: 'three' }]);
    const { publications, inactive_submissions: inactive } = await loadAppliedChanges(inbox);
    expect([...inactive, ...publications].map(({ record }) => record)).toEqual(
      ['one', 'two', 'three'].map((text) => ({ text })),
    );
    await undoLast();
    expect(await listPublished()).toEqual([{ text: 'one' }]);
  });
  test('an override supersedes no submission, even after a granted request', async () => {
    const { reference } = await submitTestEvent(inbox);
    await approveRecord(inbox, reviewByAna(reference), { text: 'one' });
    const request = { asks: 'cancel', message: 'Llueve', dates: null } as const;
    await requestStatusChange(inbox, { reference, now_ms: NOW_MS, ...request });
    await acceptRequest(inbox, reviewByAna(reference, 2));
    await correctTo(reference, 'Otra');
    await approveRecord(inbox, reviewByAna(reference, 3), { text: 'two' });
    const thing = submittedEventId(reference);
    await saveOverride(inbox, { kind: 'event', thing, record: {}, source: {} });
    expect(await listPublished()).toEqual([{ text: 'two' }]);
    await correctTo(reference, 'Una más');
    await approveRecord(inbox, reviewByAna(reference, 4), { text: 'three' });
    expect((await loadAppliedChanges(inbox)).edits).toHaveLength(1);
  });
  test('removes a notice unless a release has shown it', async () => {
    const act = { ...ANA, action: 'write_notice', reason: null } as const;
    await recordNotice(inbox, act, 'notice-1', { title: 'x' });
    await undoLast();
    expect((await loadAppliedChanges(inbox)).notices).toEqual([]);
    await recordNotice(inbox, act, 'notice-1', { title: 'x' });
    const moment = { now_ms: NOW_MS, timestamp: 'x' };
    const period = `${deskNoticeId('notice-1')}-20261120`;
    const revisions = new Map([[period, nextRevision(undefined, 'x', moment)]]);
    await saveLedger(inbox, { ...EMPTY_LEDGER, revisions });
    expect(await getUndoRefusal(await newest())).toEqual(['public_already', null]);
  });
  const request = { now_ms: NOW_MS, asks: 'cancel', message: 'Llueve', dates: null } as const;
  test.each([
    ['a new text', 'ask', (of: string) => correctTo(of, 'Con dirección')],
    ['a withdrawal', 'ask', (of: string) => withdrawSubmission(inbox, of)],
    [
      'a request',
      'approve',
      (of: string) => requestStatusChange(inbox, { reference: of, ...request }),
    ],
  ] as const)(
    'is rejected once its sender has answered: %s is not lost',
    async (_, act, answer) => {
      const { reference } = await submitTestEvent(inbox);
      if (act === 'ask')
        await returnSubmission(inbox, reviewByAna(reference), 'ask', 'Falta la dirección');
      else await approveRecord(inbox, reviewByAna(reference), {});
      await answer(reference);
      const answered = await getSubmission(inbox, reference);
      await expect(undoLast()).rejects.toMatchObject({ reason: 'sender_has_answered' });
      expect(await getSubmission(inbox, reference)).toEqual(answered);
    },
  );
});

describe('reopening', () => {
  test('makes a decided change pending, logs the reason and can be undone', async () => {
    const { reference } = await submitTestEvent(inbox);
    const reason = 'No es un evento';
    await returnSubmission(inbox, reviewByAna(reference), 'reject', reason);
    await reopenChange(inbox, EVA, reference.toLowerCase(), 'Sí lo es');
    expect(await getSubmission(inbox, reference)).toMatchObject({ state: 'waiting', reason: null });
    const logged = { action: 'reopen', editor: 'eva', subject: reference, reason: 'Sí lo es' };
    expect(await listDecisions(inbox, 1)).toMatchObject([logged]);
    await undoLast();
    expect(await getSubmission(inbox, reference)).toMatchObject({ state: 'refused', reason });
  });
  test('keeps the published version until the edit is approved', async () => {
    const { reference } = await submitTestEvent(inbox);
    await approveRecord(inbox, reviewByAna(reference), { text: 'one' });
    await release(reference);
    await reopenChange(inbox, EVA, reference, 'Tiene un error');
    const waiting = { state: 'waiting', asks: 'edit', is_published: true };
    expect(await getSubmission(inbox, reference)).toMatchObject(waiting);
    expect(await listPublished()).toEqual([{ text: 'one' }]);
  });
  test('requires a reason and a decided change, and rejects withdrawn ones', async () => {
    const { reference } = await submitTestEvent(inbox);
    const tryIt = (words: string, one = reference) => expect(reopenChange(inbox, EVA, one, words));
    await tryIt('x').rejects.toMatchObject({ reason: 'not_decided' });
    await withdrawSubmission(inbox, reference);
    await tryIt('x').rejects.toMatchObject({ reason: 'not_decided' });
    await tryIt(' ').rejects.toMatchObject({ reason: 'no_reason' });
    await tryIt('x', 'HC-NOPE99').rejects.toThrow(/^reference: /);
    expect(await listDecisions(inbox, 9)).toEqual([]);
  });
});
