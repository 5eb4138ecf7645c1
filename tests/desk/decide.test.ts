// Decisions undone by their number, whatever was decided after them, and what was decided taken up again.
import {
  ANA,
  EVA,
  by,
  inbox,
  readRows,
  sendIn,
  undoNewest,
  useInbox,
  SUBMISSION,
} from '../fixtures/inbox.ts';
import { describe, expect, test } from 'vitest';
import { sendCorrection, correct, requestChange, takeBack } from '../../src/desk/propose.ts';
import { saveDraft } from '../../src/desk/review.ts';
import { reopen, checkUndo, undo } from '../../src/desk/decide.ts';
import { EMPTY_LEDGER, revise } from '../../src/domain/ledger.ts';
import { getCorrection, getSubmission, listPending } from '../../src/inbox/changes.ts';
import { getDecision, listDecisions } from '../../src/inbox/decisions.ts';
import { readApplied } from '../../src/inbox/applied.ts';
import { writeLedger } from '../../src/inbox/ledger.ts';
import {
  changeStatus,
  settleCorrection,
  approveText,
  grant,
  refuse,
  recordNotice,
} from '../fixtures/changes.ts';
import { toDeskNoticeId, toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';

useInbox();

const correctTo = (reference: string, title: string): Promise<void> =>
  correct(inbox, { reference, now_ms: NOW_MS, submission: { ...SUBMISSION, title } });
const undoLast = (): Promise<void> => undoNewest(inbox, EVA);
const newest = async (): Promise<number> => (await listDecisions(inbox, 1))[0]?.id ?? 0;
/** The refusal of a decision, and the number of the one that is in the way. */
const whyNot = async (id: number, is_building = false): Promise<readonly unknown[]> => {
  const decision = await getDecision(inbox, id);
  if (decision === null) throw new Error(`no decision ${id}`);
  const { refusal, by: other } = await checkUndo(inbox, decision, is_building);
  return [refusal, other];
};
/** As after a release that shows the event of a submission. */
const release = (reference: string): Promise<void> =>
  writeLedger(inbox, {
    ...EMPTY_LEDGER,
    slugs: [{ kind: 'event', slug: 'noche', id: toSubmittedEventId(reference) }],
  });
const change = async (event: string, asks: 'cancel' | 'restore'): Promise<number> => {
  await changeStatus(inbox, ANA, event, asks, 'Llueve');
  return newest();
};
const cancel = (event: string): Promise<number> => change(event, 'cancel');
const statusOf = async (event: string): Promise<unknown> =>
  (await readApplied(inbox)).overrides.find((row) => row.event === event)?.record ?? null;

describe('undoing', () => {
  test('puts everything back as it was, and is logged with the number of what it undid', async () => {
    const { reference } = await sendIn(inbox);
    await saveDraft(inbox, by(reference), { other_title: 'Night' });
    const before = await getSubmission(inbox, reference);
    await approveText(inbox, by(reference), { some: 'record' });
    const undone = await undo(inbox, await newest(), EVA);
    expect(undone).toMatchObject({ action: 'approve', subject: reference });
    expect([
      await getSubmission(inbox, reference),
      (await readApplied(inbox)).publications,
    ]).toEqual([{ ...before, record: { some: 'record' } }, []]);
    expect(await listDecisions(inbox, 2)).toMatchObject([
      { action: 'undo', editor: 'eva', undone_at: null, undoes: 1 },
      { action: 'approve', editor: 'ana', undone_at: '2026-11-20T12:00:00-05:00', undoes: null },
    ]);
  });
  test('reaches any decision by its number, whatever was decided on other things since', async () => {
    const { reference } = await sendIn(inbox);
    await refuse(inbox, by(reference), 'reject', 'No es un evento');
    const id = await newest();
    for (let times = 0; times < 30; times += 1) await cancel(`ev_${times}`);
    await undo(inbox, id, EVA);
    expect(await getSubmission(inbox, reference)).toMatchObject({ state: 'waiting', reason: null });
    expect((await readApplied(inbox)).overrides).toHaveLength(30);
  });
  test('goes from the newest back where several changed the same, also where they left it alike', async () => {
    const first = await cancel('ev_a');
    const second = await change('ev_a', 'restore');
    const third = await cancel('ev_a');
    expect([await whyNot(first), await whyNot(second), await whyNot(third)]).toEqual([
      ['decided_since', third],
      ['decided_since', third],
      [null, null],
    ]);
    await expect(undo(inbox, first, EVA)).rejects.toMatchObject({ reason: 'decided_since' });
    for (const [id, status] of [
      [third, { status: 'published' }],
      [second, { status: 'cancelled' }],
      [first, null],
    ] as const) {
      await undo(inbox, id, EVA);
      expect(await statusOf('ev_a')).toEqual(status);
    }
  });
  test('is undone itself, and gives back what it took', async () => {
    const id = await cancel('ev_a');
    await undo(inbox, id, EVA);
    const undoing = await newest();
    expect(await whyNot(id)).toEqual(['undone_already', undoing]);
    await undo(inbox, undoing, ANA);
    expect([await statusOf('ev_a'), (await getDecision(inbox, id))?.undone_at]).toEqual([
      { status: 'cancelled' },
      null,
    ]);
    expect([await whyNot(id), await whyNot(undoing)]).toEqual([
      [null, null],
      ['undone_already', await newest()],
    ]);
    await undo(inbox, id, EVA);
    expect(await statusOf('ev_a')).toBeNull();
  });
  test('happens once, and to what there is', async () => {
    const id = await cancel('ev_a');
    await undo(inbox, id, EVA);
    await expect(undo(inbox, id, EVA)).rejects.toMatchObject({ reason: 'undone_already' });
    for (const none of [99, Number.NaN])
      await expect(undo(inbox, none, EVA)).rejects.toMatchObject({ reason: 'no_such_decision' });
  });
  test('takes back an approval until a release has shown it, and none is being built', async () => {
    const { reference } = await sendIn(inbox);
    await approveText(inbox, by(reference), {});
    const id = await newest();
    expect([await whyNot(id), await whyNot(id, true)]).toEqual([
      [null, null],
      ['release_under_way', null],
    ]);
    await release(reference);
    await expect(undoLast()).rejects.toMatchObject({ reason: 'public_already' });
    expect((await readApplied(inbox)).publications).toHaveLength(1);
  });
  test('of a correction that was let in puts the text back that was there, released or not', async () => {
    const { reference } = await sendIn(inbox);
    await approveText(inbox, by(reference), { text: 'one' });
    await release(reference);
    await correctTo(reference, 'Otra');
    await approveText(inbox, by(reference, 2), { text: 'two' });
    expect(await whyNot(await newest(), true)).toEqual([null, null]);
    await undoLast();
    expect((await readApplied(inbox)).publications).toMatchObject([{ record: { text: 'one' } }]);
  });
  test('takes a notice back until a release has shown it', async () => {
    const act = { ...ANA, action: 'write_notice', reason: null } as const;
    await recordNotice(inbox, act, 'notice-1', { title: 'x' });
    await undoLast();
    expect((await readApplied(inbox)).notices).toEqual([]);
    await recordNotice(inbox, act, 'notice-1', { title: 'x' });
    const moment = { now_ms: NOW_MS, timestamp: 'x' };
    const revisions = new Map([
      [`${toDeskNoticeId('notice-1')}-20261120`, revise(undefined, 'x', moment)],
    ]);
    await writeLedger(inbox, { ...EMPTY_LEDGER, revisions });
    expect(await whyNot(await newest())).toEqual(['public_already', null]);
  });
  const asked = { now_ms: NOW_MS, asks: 'cancel', message: 'Llueve', dates: null } as const;
  test.each([
    ['a new text', 'ask', (of: string) => correctTo(of, 'Con dirección')],
    ['a withdrawal', 'ask', (of: string) => takeBack(inbox, of)],
    [
      'a request to cancel',
      'approve',
      (reference: string) => requestChange(inbox, { reference, ...asked }),
    ],
  ] as const)(
    'is refused once its sender has answered: %s is not lost',
    async (_, verdict, answer) => {
      const { reference } = await sendIn(inbox);
      if (verdict === 'ask') await refuse(inbox, by(reference), 'ask', 'Falta la dirección');
      else await approveText(inbox, by(reference), {});
      await answer(reference);
      const answered = await getSubmission(inbox, reference);
      await expect(undoLast()).rejects.toMatchObject({ reason: 'sender_has_answered' });
      expect(await getSubmission(inbox, reference)).toEqual(answered);
    },
  );
  test('of a granted request brings back both the request and the event', async () => {
    const { reference } = await sendIn(inbox);
    await readRows(inbox, "update changes set asks = 'cancel' where reference = ?", reference);
    await grant(inbox, by(reference), { es: 'El cantante se enfermó.' });
    expect(await listDecisions(inbox, 1)).toMatchObject([{ action: 'grant' }]);
    expect((await readApplied(inbox)).overrides.map(({ record }) => record)).toEqual([
      {
        status: 'cancelled',
        note: { es: 'El cantante se enfermó.', en: 'El cantante se enfermó.' },
      },
    ]);
    await undoLast();
    expect([(await readApplied(inbox)).overrides, (await listPending(inbox)).length]).toEqual([
      [],
      1,
    ]);
  });
});

describe('reopening', () => {
  test('lets what was decided wait again, with the reason in the log, and is undone like anything', async () => {
    const { reference } = await sendIn(inbox);
    await refuse(inbox, by(reference), 'reject', 'No es un evento');
    await reopen(inbox, EVA, reference.toLowerCase(), 'Sí lo es');
    expect(await getSubmission(inbox, reference)).toMatchObject({ state: 'waiting', reason: null });
    expect(await listDecisions(inbox, 1)).toMatchObject([
      { action: 'reopen', editor: 'eva', subject: reference, reason: 'Sí lo es' },
    ]);
    await undoLast();
    expect(await getSubmission(inbox, reference)).toMatchObject({
      state: 'refused',
      reason: 'No es un evento',
    });
  });
  test('leaves published what is published, to be changed and approved again', async () => {
    const { reference } = await sendIn(inbox);
    await approveText(inbox, by(reference), { text: 'one' });
    await release(reference);
    await reopen(inbox, EVA, reference, 'Tiene un error');
    expect(await getSubmission(inbox, reference)).toMatchObject({
      state: 'waiting',
      asks: 'edit',
      is_published: true,
    });
    await approveText(inbox, by(reference), { text: 'two' });
    expect((await readApplied(inbox)).publications).toMatchObject([{ record: { text: 'two' } }]);
  });
  test('is for reports of readers too', async () => {
    const { reference } = await sendCorrection(inbox, {
      correction: { change: 'Empieza a las nueve.', source_url: null, contact_email: null },
      about: { kind: 'event', id: 'ev_a', title: 'Noche' },
      lang: 'es',
      sender: '192.0.2.1',
      now_ms: NOW_MS,
    });
    await settleCorrection(inbox, ANA, reference, 'done', '');
    await reopen(inbox, EVA, reference, 'No quedó');
    expect((await getCorrection(inbox, reference))?.state).toBe('waiting');
  });
  test('needs a reason, something decided, and is not for what its sender took back', async () => {
    const { reference } = await sendIn(inbox);
    const tryIt = (words: string, one = reference) => expect(reopen(inbox, EVA, one, words));
    await tryIt('x').rejects.toMatchObject({ reason: 'not_decided' });
    await takeBack(inbox, reference);
    await tryIt('x').rejects.toThrow('not decided');
    await tryIt(' ').rejects.toMatchObject({ reason: 'no_reason' });
    await tryIt('x', 'HC-NOPE99').rejects.toThrow(/^reference: /);
    expect(await listDecisions(inbox, 9)).toEqual([]);
  });
});
