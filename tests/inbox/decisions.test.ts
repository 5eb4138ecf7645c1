// What the desk decides and the agenda is made of asks for a build; what calls off or warns does at once.
import { ANA, by, inbox, sendIn, undoNewest, useInbox } from '../fixtures/inbox.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { reopen } from '../../src/desk/decide.ts';
import { isUrgentSince, readAgendaDecision } from '../../src/inbox/decisions.ts';
import { putEdit, recordNotice, changeStatus, withdrawEvent, refuse } from '../fixtures/changes.ts';
import { approve, publish } from '../fixtures/approved.ts';

const EDIT = { kind: 'event', thing: 'ev_a', record: { tags: ['x'] }, source: {} } as const;
useInbox();

type Work = () => Promise<unknown>;
/** What is decided once it is prepared. */
type Prepare = () => Work | Promise<Work>;
const cancel = () => changeStatus(inbox, ANA, 'ev_a', 'cancel', 'Llueve');
const edit = () => putEdit(inbox, EDIT);
const undoIt = () => undoNewest(inbox, ANA);
const NOTICE = { ...ANA, action: 'write_notice', reason: null } as const;

const NOTHING: Readonly<Record<string, Prepare>> = {
  'something sent': () => () => sendIn(inbox),
  'a rejection': async () => {
    const { reference } = await sendIn(inbox);
    return () => refuse(inbox, by(reference), 'reject', 'No es un evento');
  },
  'a rejection undone': async () => {
    const { reference } = await sendIn(inbox);
    await refuse(inbox, by(reference), 'ask', 'Falta la hora');
    return undoIt;
  },
  'what is published, taken up again': async () => {
    const reference = await publish(inbox);
    return () => reopen(inbox, ANA, reference, 'Otra vez');
  },
};
const A_BUILD: Readonly<Record<string, Prepare>> = {
  'an approval': async () => {
    const { reference } = await sendIn(inbox);
    return () => approve(inbox, reference);
  },
  'an edit': () => edit,
  'an edit undone': async () => {
    await edit();
    return undoIt;
  },
};
const ONE_AT_ONCE: Readonly<Record<string, Prepare>> = {
  'a cancellation': () => cancel,
  'a cancellation undone': async () => {
    await cancel();
    return undoIt;
  },
  'one day cancelled': () => () =>
    changeStatus(inbox, ANA, 'ev_a', 'cancel', 'Llueve', {}, '2026-11-24'),
  'a withdrawal': () => () => withdrawEvent(inbox, ANA, 'ev_a', 'Un juez'),
  'a notice': () => () => recordNotice(inbox, NOTICE, 'notice-a', { title: 'Oleaje' }),
};

describe.each([
  ['nothing', NOTHING, [false, false]],
  ['a build', A_BUILD, [true, false]],
  ['one at once', ONE_AT_ONCE, [true, true]],
] as const)('%s is asked for by', (_, cases, asked) => {
  test.each(Object.entries(cases))('%s', async (_what, prepare) => {
    const work = await prepare();
    const before = await readAgendaDecision(inbox);
    await work();
    expect([
      (await readAgendaDecision(inbox)) > before,
      await isUrgentSince(inbox, before),
    ]).toEqual(asked);
  });
});

test('an error of the store says nothing of a row', async () => {
  const { reference } = await sendIn(inbox);
  const wrong = sql`update changes set title = null where reference = ${reference}`;
  const thrown = await wrong.execute(inbox.db).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Error);
  expect(JSON.stringify({ ...(thrown as object) })).not.toContain(reference);
});
