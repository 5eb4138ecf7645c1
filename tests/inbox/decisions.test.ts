// Decisions and builds: decisions that affect the agenda request a build, cancellations and notices an immediate one.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { reopenChange } from '../../src/desk/decisions.ts';
import { hasUrgentDecisionSince, getLastAgendaDecisionId } from '../../src/inbox/decisions.ts';
import { approve } from '../fixtures/approved.ts';
import {
  changeStatus,
  saveOverride,
  recordNotice,
  returnSubmission,
  withdrawEvent,
} from '../fixtures/changes.ts';
import {
  ANA,
  reviewByAna,
  inbox,
  submitTestEvent,
  undoNewestDecision,
  useInbox,
} from '../fixtures/inbox.ts';

useInbox();

type Step = (reference: string) => Promise<unknown>;
const EDIT = { kind: 'event', thing: 'ev_a', record: { tags: ['x'] }, source: {} } as const;
const NOTICE = { ...ANA, action: 'write_notice', reason: null } as const;
const edit: Step = () => saveOverride(inbox, EDIT);
const publish: Step = (reference) => approve(inbox, reference);
const undo: Step = () => undoNewestDecision(inbox, ANA);
const reject: Step = (reference) =>
  returnSubmission(inbox, reviewByAna(reference), 'reject', 'No es un evento');
const reopen: Step = (reference) => reopenChange(inbox, ANA, reference, 'Otra vez');
const cancel =
  (date: string | null = null): Step =>
  () =>
    changeStatus(inbox, ANA, 'ev_a', 'cancel', 'Llueve', {}, date);
const NO_BUILD = [false, false];
const A_BUILD = [true, false];
const AN_URGENT_BUILD = [true, true];

test.each<readonly [string, readonly Step[], readonly boolean[] | undefined]>([
  ['a new submission', [() => submitTestEvent(inbox, { title: 'Otra' })], NO_BUILD],
  ['a rejection undone', [reject, undo], NO_BUILD],
  ['a published submission reopened', [publish, reopen], NO_BUILD],
  ['an approval', [publish], A_BUILD],
  ['an edit undone', [edit, undo], A_BUILD],
  ['a cancellation', [cancel()], AN_URGENT_BUILD],
  ['a cancellation undone', [cancel(), undo], AN_URGENT_BUILD],
  ['one day cancelled', [cancel('2026-11-24')], AN_URGENT_BUILD],
  ['a withdrawal', [() => withdrawEvent(inbox, ANA, 'ev_a', 'Un juez')], AN_URGENT_BUILD],
  [
    'a notice',
    [() => recordNotice(inbox, NOTICE, 'notice-a', { title: 'Oleaje' })],
    AN_URGENT_BUILD,
  ],
])('%s requests the expected build', async (_, steps, expected) => {
  const { reference } = await submitTestEvent(inbox);
  let before = 0;
  for (const step of steps) {
    before = await getLastAgendaDecisionId(inbox);
    await step(reference);
  }
  const is_newer = (await getLastAgendaDecisionId(inbox)) > before;
  expect([is_newer, await hasUrgentDecisionSince(inbox, before)]).toEqual(expected);
});

test('a database error does not contain values of the row', async () => {
  const { reference } = await submitTestEvent(inbox);
  const invalid_update = sql`update changes set title = null where reference = ${reference}`;
  const thrown = await invalid_update.execute(inbox.db).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Error);
  expect(JSON.stringify({ ...(thrown as object) })).not.toContain(reference);
});
