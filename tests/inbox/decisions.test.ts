// What the desk decides and the agenda is made of asks for a build; what calls off or warns does at once.
import { ANA, by, inbox, sendIn, undoNewest, useInbox } from '../fixtures/inbox.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { recordNotice } from '../../src/desk/notices.ts';
import { changeStatus, withdrawEvent } from '../../src/desk/status.ts';
import { reopen } from '../../src/desk/decide.ts';
import { refuse } from '../../src/desk/review.ts';
import { isUrgentSince, readAgendaDecision } from '../../src/inbox/decisions.ts';
import { recordOverride } from '../fixtures/changes.ts';
import { putEdit } from '../fixtures/changes.ts';
import { approve, publish } from '../fixtures/approved.ts';

const EDIT = { kind: 'event', thing: 'ev_a', record: { tags: ['x'] }, source: {} } as const;
useInbox();

type Work = () => Promise<void>;
/** Whether a build is due after some work, and at once. */
async function look(
  work: () => Promise<void>,
): Promise<readonly [is_due: boolean, is_urgent: boolean]> {
  const before = await readAgendaDecision(inbox);
  await work();
  return [(await readAgendaDecision(inbox)) > before, await isUrgentSince(inbox, before)];
}
const cancel = (): Promise<void> => changeStatus(inbox, ANA, 'ev_a', 'cancel', 'Llueve');
const edit = async (): Promise<void> => {
  await putEdit(inbox, EDIT);
};
const NOTICE = { ...ANA, action: 'write_notice', reason: null } as const;

test.each<readonly [string, () => Work | Promise<Work>, boolean, boolean]>([
  ['something sent', () => async () => void (await sendIn(inbox)), false, false],
  [
    'a rejection',
    async () => {
      const { reference } = await sendIn(inbox);
      return () => refuse(inbox, by(reference), 'reject', 'No es un evento');
    },
    false,
    false,
  ],
  [
    'a rejection undone',
    async () => {
      const { reference } = await sendIn(inbox);
      await refuse(inbox, by(reference), 'ask', 'Falta la hora');
      return () => undoNewest(inbox, ANA);
    },
    false,
    false,
  ],
  [
    'what is published, taken up again',
    async () => {
      const reference = await publish(inbox);
      return async () => void (await reopen(inbox, ANA, reference, 'Otra vez'));
    },
    false,
    false,
  ],
  [
    'an approval',
    async () => {
      const { reference } = await sendIn(inbox);
      return () => approve(inbox, reference);
    },
    true,
    false,
  ],
  ['an edit', () => edit, true, false],
  [
    'an edit undone',
    async () => {
      await edit();
      return () => undoNewest(inbox, ANA);
    },
    true,
    false,
  ],
  ['a cancellation', () => cancel, true, true],
  [
    'a cancellation undone',
    async () => {
      await cancel();
      return () => undoNewest(inbox, ANA);
    },
    true,
    true,
  ],
  [
    'one day cancelled',
    () => async () => {
      const change = { date: '2026-11-24', status: 'cancelled' } as const;
      const decision = { ...ANA, action: 'change_date', reason: 'Llueve' } as const;
      await recordOverride(inbox, decision, 'ev_a', change.date, { change });
    },
    true,
    true,
  ],
  ['a withdrawal', () => () => withdrawEvent(inbox, ANA, 'ev_a', 'Un juez'), true, true],
  [
    'a notice',
    () => () => recordNotice(inbox, NOTICE, 'notice-a', { title: 'Oleaje' }),
    true,
    true,
  ],
])('%s', async (_what, prepare, is_due, is_urgent) => {
  expect(await look(await prepare())).toEqual([is_due, is_urgent]);
});

test('an error of the store says nothing of a row', async () => {
  const { reference } = await sendIn(inbox);
  const wrong = sql`update changes set title = null where reference = ${reference}`;
  const thrown = await wrong.execute(inbox.db).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Error);
  expect(JSON.stringify({ ...(thrown as object) })).not.toContain(reference);
});
