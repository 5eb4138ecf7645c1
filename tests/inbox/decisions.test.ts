// What the desk decides and the agenda is made of asks for a build; what calls off or warns does at once.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { reopenChange } from '../../src/desk/decisions.ts';
import { hasUrgentDecisionSince, getLastAgendaDecisionId } from '../../src/inbox/decisions.ts';
import { approve } from '../fixtures/approved.ts';
import { changeStatus, putEdit, recordNotice, refuse, withdrawEvent } from '../fixtures/changes.ts';
import { ANA, by, inbox, sendIn, undoNewest, useInbox } from '../fixtures/inbox.ts';

useInbox();

type Step = (reference: string) => Promise<unknown>;
const EDIT = { kind: 'event', thing: 'ev_a', record: { tags: ['x'] }, source: {} } as const;
const NOTICE = { ...ANA, action: 'write_notice', reason: null } as const;
const edit: Step = () => putEdit(inbox, EDIT);
const publish: Step = (reference) => approve(inbox, reference);
const undo: Step = () => undoNewest(inbox, ANA);
const reject: Step = (reference) => refuse(inbox, by(reference), 'reject', 'No es un evento');
const takeUp: Step = (reference) => reopenChange(inbox, ANA, reference, 'Otra vez');
const cancel =
  (date: string | null = null): Step =>
  () =>
    changeStatus(inbox, ANA, 'ev_a', 'cancel', 'Llueve', {}, date);
const NOTHING = [false, false];
const A_BUILD = [true, false];
const ONE_AT_ONCE = [true, true];

test.each<readonly [string, readonly Step[], readonly boolean[] | undefined]>([
  ['something sent', [() => sendIn(inbox, { title: 'Otra' })], NOTHING],
  ['a rejection undone', [reject, undo], NOTHING],
  ['what is published, taken up again', [publish, takeUp], NOTHING],
  ['an approval', [publish], A_BUILD],
  ['an edit undone', [edit, undo], A_BUILD],
  ['a cancellation', [cancel()], ONE_AT_ONCE],
  ['a cancellation undone', [cancel(), undo], ONE_AT_ONCE],
  ['one day cancelled', [cancel('2026-11-24')], ONE_AT_ONCE],
  ['a withdrawal', [() => withdrawEvent(inbox, ANA, 'ev_a', 'Un juez')], ONE_AT_ONCE],
  ['a notice', [() => recordNotice(inbox, NOTICE, 'notice-a', { title: 'Oleaje' })], ONE_AT_ONCE],
])('of %s, what is asked for', async (_, steps, asked) => {
  const { reference } = await sendIn(inbox);
  let before = 0;
  for (const step of steps) {
    before = await getLastAgendaDecisionId(inbox);
    await step(reference);
  }
  const is_newer = (await getLastAgendaDecisionId(inbox)) > before;
  expect([is_newer, await hasUrgentDecisionSince(inbox, before)]).toEqual(asked);
});

test('an error of the store says nothing of a row', async () => {
  const { reference } = await sendIn(inbox);
  const wrong = sql`update changes set title = null where reference = ${reference}`;
  const thrown = await wrong.execute(inbox.db).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Error);
  expect(JSON.stringify({ ...(thrown as object) })).not.toContain(reference);
});
