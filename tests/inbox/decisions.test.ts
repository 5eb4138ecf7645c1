// What the desk decides and the agenda is made of asks for a build; what calls off or warns does at once.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordNotice } from '../../src/desk/notices.ts';
import { changeStatus, withdrawEvent } from '../../src/desk/override.ts';
import { recordOverride } from '../fixtures/changes.ts';
import { reopen } from '../../src/desk/reopen.ts';
import { refuse } from '../../src/desk/review.ts';
import { isUrgentSince, readAgendaDecision } from '../../src/inbox/decisions.ts';
import { putEdit } from '../fixtures/changes.ts';
import { approve, publish } from '../fixtures/approved.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { openFixtureInbox, sendIn, undoNewest } from '../fixtures/inbox.ts';

const ANA = { editor: 'ana', now_ms: FRIDAY_NOON_MS };
const EDIT = { kind: 'event', thing: 'ev_a', record: { tags: ['x'] }, source: {} } as const;
let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

/** Whether a build is due after some work, and at once. */
function look(work: () => void): readonly [is_due: boolean, is_urgent: boolean] {
  const before = readAgendaDecision(opened.inbox);
  work();
  return [readAgendaDecision(opened.inbox) > before, isUrgentSince(opened.inbox, before)];
}
const cancel = (): void => changeStatus(opened.inbox, ANA, 'ev_a', 'cancel', 'Llueve');
const edit = (): void => {
  putEdit(opened.inbox, EDIT);
};
const by = (reference: string) => ({ ...ANA, reference, revision: 1 });
const NOTICE = { ...ANA, action: 'write_notice', reason: null } as const;

test.each<readonly [string, () => () => void, boolean, boolean]>([
  ['something sent', () => () => void sendIn(opened.inbox), false, false],
  [
    'a rejection',
    () => {
      const { reference } = sendIn(opened.inbox);
      return () => refuse(opened.inbox, by(reference), 'reject', 'No es un evento');
    },
    false,
    false,
  ],
  [
    'a rejection undone',
    () => {
      const { reference } = sendIn(opened.inbox);
      refuse(opened.inbox, by(reference), 'ask', 'Falta la hora');
      return () => undoNewest(opened.inbox, ANA);
    },
    false,
    false,
  ],
  [
    'what is published, taken up again',
    () => {
      const reference = publish(opened.inbox);
      return () => void reopen(opened.inbox, ANA, reference, 'Otra vez');
    },
    false,
    false,
  ],
  [
    'an approval',
    () => {
      const { reference } = sendIn(opened.inbox);
      return () => approve(opened.inbox, reference);
    },
    true,
    false,
  ],
  ['an edit', () => edit, true, false],
  [
    'an edit undone',
    () => {
      edit();
      return () => undoNewest(opened.inbox, ANA);
    },
    true,
    false,
  ],
  ['a cancellation', () => cancel, true, true],
  [
    'a cancellation undone',
    () => {
      cancel();
      return () => undoNewest(opened.inbox, ANA);
    },
    true,
    true,
  ],
  [
    'one day cancelled',
    () => () => {
      const change = { date: '2026-11-24', status: 'cancelled' } as const;
      const decision = { ...ANA, action: 'change_date', reason: 'Llueve' } as const;
      recordOverride(opened.inbox, decision, 'ev_a', change.date, { change });
    },
    true,
    true,
  ],
  ['a withdrawal', () => () => withdrawEvent(opened.inbox, ANA, 'ev_a', 'Un juez'), true, true],
  [
    'a notice',
    () => () => recordNotice(opened.inbox, NOTICE, 'notice-a', { title: 'Oleaje' }),
    true,
    true,
  ],
])('%s', (_what, prepare, is_due, is_urgent) => {
  expect(look(prepare())).toEqual([is_due, is_urgent]);
});
