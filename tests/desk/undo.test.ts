// Decisions undone by their number, whatever was decided after them, and what was decided taken up
// again.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendCorrection, settleCorrection } from '../../src/desk/corrections.ts';
import { recordNotice } from '../../src/desk/notices.ts';
import { recordOverride } from '../fixtures/changes.ts';
import { reopen } from '../../src/desk/reopen.ts';
import { approveText, grant, refuse, saveDraft } from '../../src/desk/review.ts';
import { correct, requestChange, withdraw } from '../../src/desk/submit.ts';
import { checkUndo, undo } from '../../src/desk/decide.ts';
import { getCorrection } from '../../src/inbox/corrections.ts';
import { getDecision, listDecisions } from '../../src/inbox/decisions.ts';
import { listDeskNotices } from '../../src/inbox/applied.ts';
import { writeLedger } from '../../src/inbox/ledger.ts';
import { listOverrides } from '../../src/inbox/applied.ts';
import { listPublications } from '../../src/inbox/submissions.ts';
import { getSubmission, listPending } from '../../src/inbox/submissions.ts';
import { toDeskNoticeId, toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { openFixtureInbox, sendIn, SUBMISSION, undoNewest } from '../fixtures/inbox.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';

let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

const ANA = { editor: 'ana', now_ms: NOW_MS };
const EVA = { editor: 'eva', now_ms: NOW_MS };
const by = (reference: string, revision = 1) => ({ ...ANA, reference, revision });
const undoLast = (): void => undoNewest(opened.inbox, EVA);
const newest = (): number => listDecisions(opened.inbox, 1)[0]?.id ?? 0;
/** The refusal of a decision, and the number of the one that is in the way. */
const whyNot = (id: number, is_building = false): readonly unknown[] => {
  const decision = getDecision(opened.inbox, id);
  if (decision === null) throw new Error(`no decision ${id}`);
  const { refusal, by: other } = checkUndo(opened.inbox, decision, is_building);
  return [refusal, other];
};
/** As after a release that shows the event of a submission. */
const release = (reference: string): void =>
  writeLedger(opened.inbox, {
    revisions: new Map(),
    slugs: [{ kind: 'event', slug: 'noche', id: toSubmittedEventId(reference) }],
    histories: new Map(),
  });
const CANCEL = { ...ANA, action: 'cancel', reason: 'Llueve' } as const;
const RESTORE = { ...ANA, action: 'restore', reason: null } as const;
const cancel = (event: string): number => {
  recordOverride(opened.inbox, CANCEL, event, '', { status: 'cancelled' });
  return newest();
};
const restore = (event: string): number => {
  recordOverride(opened.inbox, RESTORE, event, '', { status: 'published' });
  return newest();
};
const statusOf = (event: string): unknown =>
  listOverrides(opened.inbox).find((row) => row.event === event)?.record ?? null;

describe('undoing', () => {
  test('puts everything back as it was, and is logged with the number of what it undid', () => {
    const { reference } = sendIn(opened.inbox);
    saveDraft(opened.inbox, by(reference), { other_title: 'Night' });
    const before = getSubmission(opened.inbox, reference);
    approveText(opened.inbox, by(reference), { some: 'record' });
    const undone = undo(opened.inbox, newest(), EVA, { reason: 'Me equivoqué' });
    expect(undone).toMatchObject({ action: 'approve', subject: reference });
    expect([getSubmission(opened.inbox, reference), listPublications(opened.inbox)]).toEqual([
      before,
      [],
    ]);
    expect(listDecisions(opened.inbox, 2)).toMatchObject([
      { action: 'undo', editor: 'eva', undone_at: null, undoes: 1, reason: 'Me equivoqué' },
      { action: 'approve', editor: 'ana', undone_at: '2026-11-20T12:00:00-05:00', undoes: null },
    ]);
  });
  test('reaches any decision by its number, whatever was decided on other things since', () => {
    const { reference } = sendIn(opened.inbox);
    refuse(opened.inbox, by(reference), 'reject', 'No es un evento');
    const id = newest();
    for (let times = 0; times < 30; times += 1) cancel(`ev_${times}`);
    undo(opened.inbox, id, EVA);
    expect(getSubmission(opened.inbox, reference)).toMatchObject({
      state: 'pending',
      reason: null,
    });
    expect(listOverrides(opened.inbox)).toHaveLength(30);
  });
  test('goes from the newest back where several changed the same, also where they left it alike', () => {
    const first = cancel('ev_a');
    const second = restore('ev_a');
    const third = cancel('ev_a');
    expect([whyNot(first), whyNot(second), whyNot(third)]).toEqual([
      ['decided_since', third],
      ['decided_since', third],
      [null, null],
    ]);
    expect(() => undo(opened.inbox, first, EVA)).toThrow(
      expect.objectContaining({
        reason: 'decided_since',
        message: expect.stringContaining(`number ${third}`),
      }),
    );
    for (const [id, status] of [
      [third, { status: 'published' }],
      [second, { status: 'cancelled' }],
      [first, null],
    ] as const) {
      undo(opened.inbox, id, EVA);
      expect(statusOf('ev_a')).toEqual(status);
    }
  });
  test('is undone itself, and gives back what it took', () => {
    const id = cancel('ev_a');
    undo(opened.inbox, id, EVA);
    const undoing = newest();
    expect(whyNot(id)).toEqual(['undone_already', undoing]);
    undo(opened.inbox, undoing, ANA);
    expect([statusOf('ev_a'), getDecision(opened.inbox, id)?.undone_at]).toEqual([
      { status: 'cancelled' },
      null,
    ]);
    expect([whyNot(id), whyNot(undoing)]).toEqual([
      [null, null],
      ['undone_already', newest()],
    ]);
    undo(opened.inbox, id, EVA);
    expect(statusOf('ev_a')).toBeNull();
  });
  test('happens once, and to what there is', () => {
    const id = cancel('ev_a');
    undo(opened.inbox, id, EVA);
    expect(() => undo(opened.inbox, id, EVA)).toThrow(/^undo: it was undone already \(number 2\)/);
    expect(() => undo(opened.inbox, 99, EVA)).toThrow(/^undo: there is no such decision/);
    expect(() => undo(opened.inbox, Number.NaN, EVA)).toThrow(/^undo: there is no such decision/);
  });
  test('takes back an approval until a release has shown it, and none is being built', () => {
    const { reference } = sendIn(opened.inbox);
    approveText(opened.inbox, by(reference), {});
    const id = newest();
    expect([whyNot(id), whyNot(id, true)]).toEqual([
      [null, null],
      ['release_under_way', null],
    ]);
    release(reference);
    expect(() => undoLast()).toThrow(/^undo: a release has shown it/);
    expect(listPublications(opened.inbox)).toHaveLength(1);
  });
  test('of a correction that was let in puts the text back that was there, released or not', () => {
    const { reference } = sendIn(opened.inbox);
    approveText(opened.inbox, by(reference), { text: 'one' });
    release(reference);
    const submission = { ...SUBMISSION, title: 'Otra' };
    correct(opened.inbox, { reference, now_ms: NOW_MS, submission });
    approveText(opened.inbox, by(reference, 2), { text: 'two' });
    expect(whyNot(newest(), true)).toEqual([null, null]);
    undoLast();
    expect(listPublications(opened.inbox)).toMatchObject([{ record: { text: 'one' } }]);
  });
  test('takes a notice back until a release has shown it', () => {
    const act = { ...ANA, action: 'write_notice', reason: null } as const;
    recordNotice(opened.inbox, act, 'notice-1', { title: 'x' });
    undoLast();
    expect(listDeskNotices(opened.inbox)).toEqual([]);
    recordNotice(opened.inbox, act, 'notice-1', { title: 'x' });
    const revision = {
      digest: 'x',
      updated_at: 'x',
      sequence: 0,
      status: 'published',
      status_since_ms: 0,
    } as const;
    const id = `${toDeskNoticeId('notice-1')}-20261120`;
    writeLedger(opened.inbox, {
      revisions: new Map([[id, revision]]),
      slugs: [],
      histories: new Map(),
    });
    expect(whyNot(newest())).toEqual(['public_already', null]);
  });
  test('is refused once the sender has answered: neither a correction nor a withdrawal is lost', () => {
    const { reference } = sendIn(opened.inbox);
    refuse(opened.inbox, by(reference), 'ask', 'Falta la dirección');
    const submission = { ...SUBMISSION, title: 'Con dirección' };
    correct(opened.inbox, { reference, now_ms: NOW_MS, submission });
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
    const message = 'Llueve';
    requestChange(opened.inbox, {
      reference,
      now_ms: NOW_MS,
      asks: 'cancel',
      message,
      dates: null,
    });
    expect(() => undoLast()).toThrow(/^undo: the sender has answered/);
    expect(getSubmission(opened.inbox, reference)).toMatchObject({
      asks: 'cancel',
      message,
      is_published: true,
    });
  });
  test('of a granted request brings back both the request and the event', () => {
    const { reference } = sendIn(opened.inbox);
    opened.inbox.prepare("update changes set asks = 'cancel' where reference = ?").run(reference);
    grant(opened.inbox, by(reference), { es: 'El cantante se enfermó.' });
    expect(listOverrides(opened.inbox).map(({ record }) => record)).toEqual([
      {
        status: 'cancelled',
        note: { es: 'El cantante se enfermó.', en: 'El cantante se enfermó.' },
      },
    ]);
    undoLast();
    expect([listOverrides(opened.inbox), listPending(opened.inbox).length]).toEqual([[], 1]);
  });
});

describe('reopening', () => {
  test('lets what was decided wait again, with the reason in the log, and is undone like anything', () => {
    const { reference } = sendIn(opened.inbox);
    refuse(opened.inbox, by(reference), 'reject', 'No es un evento');
    expect(reopen(opened.inbox, EVA, reference.toLowerCase(), 'Sí lo es')).toBe(reference);
    expect(getSubmission(opened.inbox, reference)).toMatchObject({
      state: 'pending',
      reason: null,
    });
    expect(listDecisions(opened.inbox, 1)).toMatchObject([
      { action: 'reopen', editor: 'eva', subject: reference, reason: 'Sí lo es' },
    ]);
    undoLast();
    expect(getSubmission(opened.inbox, reference)).toMatchObject({
      state: 'rejected',
      reason: 'No es un evento',
    });
  });
  test('leaves published what is published, to be changed and approved again', () => {
    const { reference } = sendIn(opened.inbox);
    approveText(opened.inbox, by(reference), { text: 'one' });
    release(reference);
    reopen(opened.inbox, EVA, reference, 'Tiene un error');
    expect(getSubmission(opened.inbox, reference)).toMatchObject({
      state: 'pending',
      asks: 'change',
      is_published: true,
    });
    approveText(opened.inbox, by(reference), { text: 'two' });
    expect(listPublications(opened.inbox)).toMatchObject([{ record: { text: 'two' } }]);
  });
  test('is for reports of readers too', () => {
    const { reference } = sendCorrection(opened.inbox, {
      correction: { change: 'Empieza a las nueve.', source_url: null, contact_email: null },
      about: { kind: 'event', id: 'ev_a', title: 'Noche' },
      lang: 'es',
      sender: '192.0.2.1',
      now_ms: NOW_MS,
    });
    settleCorrection(opened.inbox, ANA, reference, 'done', '');
    reopen(opened.inbox, EVA, reference, 'No quedó');
    expect(getCorrection(opened.inbox, reference)?.state).toBe('pending');
  });
  test('needs a reason, something decided, and is not for what its sender took back', () => {
    const { reference } = sendIn(opened.inbox);
    expect(() => reopen(opened.inbox, EVA, reference, 'x')).toThrow(/^state: it waits already/);
    withdraw(opened.inbox, reference);
    expect(() => reopen(opened.inbox, EVA, reference, 'x')).toThrow(/^state: its sender took it/);
    expect(() => reopen(opened.inbox, EVA, reference, ' ')).toThrow(/^reason: /);
    expect(() => reopen(opened.inbox, EVA, reference, 'x'.repeat(401))).toThrow(/^reason: at most/);
    expect(() => reopen(opened.inbox, EVA, 'HC-NOPE99', 'x')).toThrow(/^reference: /);
    expect(listDecisions(opened.inbox, 9)).toEqual([]);
  });
});
