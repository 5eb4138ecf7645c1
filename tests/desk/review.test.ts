// Verdicts: require a pending change at the reviewed revision, a matching action and, if needed, a reason; all
// are logged.
import { describe, expect, test } from 'vitest';
import { applyVerdict, type VerdictKey } from '../../src/desk/review.ts';
import { MAX_REASON_LENGTH } from '../../src/domain/change.ts';
import { loadAppliedChanges } from '../../src/inbox/applied-changes.ts';
import { getCurrentChange, getSubmission } from '../../src/inbox/changes.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { submittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { changeStatus, acceptRequest, withdrawEvent } from '../fixtures/changes.ts';
import {
  ANA,
  reviewByAna,
  inbox,
  queryRows,
  submitTestCorrection,
  submitTestEvent,
  useInbox,
} from '../fixtures/inbox.ts';

useInbox();

const SENT = {
  publish: async () => (await submitTestEvent(inbox)).reference,
  cancel: async () => {
    const { reference } = await submitTestEvent(inbox);
    await queryRows(inbox, "update changes set asks = 'cancel' where reference = ?", reference);
    return reference;
  },
  check: () => submitTestCorrection(inbox, 'Empieza a las nueve'),
} as const;

describe.each([
  ['publish', 'approve', 'applied', null],
  ['publish', 'ask', 'asked', 'no_words'],
  ['publish', 'reject', 'refused', 'no_words'],
  ['cancel', 'grant', 'applied', null],
  ['cancel', 'reject', 'refused', 'no_words'],
  ['check', 'done', 'applied', null],
  ['check', 'dismiss', 'refused', 'no_reason'],
] as const)('of what asks to %s: %s', (asks, name, state, missing) => {
  const decide = (reference: string, words: string, verdict: VerdictKey = name, revision = 1) =>
    applyVerdict(inbox, ANA, verdict, reference, [{ reference, revision, record: {} }], words);
  test('applies once and is logged with editor, time, action and reason', async () => {
    const reference = await SENT[asks]();
    await decide(reference, ' Falta la\u200b dirección ');
    const reason = 'Falta la dirección';
    expect(await getCurrentChange(inbox, reference)).toMatchObject({ state, reason, decided: 1 });
    const at = '2026-11-20T12:00:00-05:00';
    const decision = { at, editor: 'ana', action: name, subject: reference, reason };
    expect(await listDecisions(inbox, 9)).toMatchObject([decision]);
    await expect(decide(reference, 'x')).rejects.toMatchObject({ reason: 'not_pending' });
  });
  test('rejects a missing reason, another revision and another change action', async () => {
    const reference = await SENT[asks]();
    const refused = (reason: string) => expect.objectContaining({ reason });
    const long = 'x'.repeat(MAX_REASON_LENGTH + 1);
    await expect(decide(reference, long)).rejects.toThrow(refused('reason_too_long'));
    if (missing) await expect(decide(reference, ' \u200b ')).rejects.toThrow(refused(missing));
    const other = asks === 'publish' ? 'grant' : 'approve';
    await expect(decide(reference, 'x', other)).rejects.toThrow(refused('not_asked_for'));
    await expect(decide(reference, 'x', name, 2)).rejects.toThrow(refused('text_changed'));
    await expect(decide('HC-NOPE99', 'x')).rejects.toThrow(refused('no_such_submission'));
    expect(await listDecisions(inbox, 9)).toEqual([]);
    await decide(reference, 'x'.repeat(MAX_REASON_LENGTH));
  });
});

test('a status change requires a reason within the limit, except a restoration', async () => {
  const change = (asks: 'cancel' | 'restore', words: string) =>
    changeStatus(inbox, ANA, 'ev_a', asks, words);
  await expect(change('cancel', ' ')).rejects.toMatchObject({ reason: 'no_reason' });
  const long = 'x'.repeat(MAX_REASON_LENGTH + 1);
  for (const asks of ['cancel', 'restore'] as const)
    await expect(change(asks, long)).rejects.toMatchObject({ reason: 'reason_too_long' });
  await change('cancel', 'Llueve');
  await change('restore', '');
  expect((await listDecisions(inbox, 9)).map(({ reason }) => reason)).toEqual([null, 'Llueve']);
});

test('an event withdrawn for legal reasons returns only by a restoration', async () => {
  const reference = await SENT.cancel();
  const event = submittedEventId(reference);
  const record = async () => (await loadAppliedChanges(inbox, event)).overrides[0]?.record;
  await withdrawEvent(inbox, ANA, event, 'Por ley');
  const withdrawn = { reason: 'event_withdrawn' };
  await expect(acceptRequest(inbox, reviewByAna(reference))).rejects.toMatchObject(withdrawn);
  await expect(changeStatus(inbox, ANA, event, 'cancel', 'x')).rejects.toMatchObject(withdrawn);
  expect(await record()).toEqual({ status: 'withdrawn', date: '2026-11-20', reason: 'Por ley' });
  expect((await getSubmission(inbox, reference))?.state).toBe('waiting');
  await changeStatus(inbox, ANA, event, 'restore', '');
  expect(await record()).toEqual({ status: 'published' });
});
