// Submission limits: flagged submissions, floods, and the limit of each token (contract 14.4, 14.6, 14.7).
import { reviewByAna, SUBMISSION, inbox, queryValue, useInbox } from '../fixtures/inbox.ts';
import { expect, test } from 'vitest';
import {
  SOFT_LIMITS,
  HARD_LIMITS_PER_HOUR,
  TOKEN_LIMITS,
  networkPrefix,
} from '../../src/desk/submission-limits.ts';
import {
  amendSubmission,
  requestStatusChange,
  submitEvent,
  withdrawSubmission,
} from '../../src/desk/submissions.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import { approveRecord } from '../fixtures/changes.ts';

const HOUR_MS = 3_600_000;
useInbox();

let titles = 0;
async function send(sender: string, now_ms = NOW_MS, channel: 'form' | 'agent' = 'form') {
  const submission = { ...SUBMISSION, title: `Noche número ${titles++}` };
  return (await submitEvent(inbox, { submission, channel, sender, now_ms })).reference;
}
const sendMany = (count: number, toSender: (at: number) => string): Promise<readonly string[]> =>
  Array.fromAsync(Array(count).keys(), (at) => send(toSender(at)));
const isDoubtful = async (reference: string): Promise<boolean> =>
  (await queryValue(inbox, 'select is_doubtful from changes where reference = ?', reference)) === 1;
const isFlagged = async (...how: Parameters<typeof send>): Promise<boolean> =>
  isDoubtful(await send(...how));

test('the network of an address is its /24, or the /48 of a /64; any other text is its own', () => {
  const networks = ['192.0.2.7', '2001:db8:1:2::/64', 'unknown'].map(networkPrefix);
  expect(networks).toEqual(['192.0.2.0/24', '2001:db8:1::/48', 'unknown']);
});

test('flags submissions of an address beyond five an hour, but not the earlier ones', async () => {
  const receipts = await sendMany(SOFT_LIMITS.sender.hour + 2, () => '192.0.2.1');
  const listDoubts = async () => (await Array.fromAsync(receipts, isDoubtful)).map(Number).join('');
  expect(await listDoubts()).toBe('0000011');
  expect(await isFlagged('198.51.100.1')).toBe(false);
  expect(await isFlagged('192.0.2.1', NOW_MS + HOUR_MS)).toBe(false);
  await sendMany(SOFT_LIMITS.network.hour * 2, (at) => `192.0.2.${at % 3}`);
  expect(await listDoubts()).toBe('0000011');
});

test('a sender over the hard limit gets retry_at_ms and does not use up a token’s limit', async () => {
  const reference = await send('192.0.2.1', NOW_MS - 60_000);
  await approveRecord(inbox, reviewByAna(reference), {});
  await sendMany(HARD_LIMITS_PER_HOUR.sender - 1, () => '192.0.2.1');
  const retry_at_ms = NOW_MS - 60_000 + HOUR_MS;
  const refused = { code: 'rate_limited', retry_at_ms };
  for (const now_ms of [NOW_MS, retry_at_ms - 1])
    await expect(send('192.0.2.1', now_ms)).rejects.toMatchObject(refused);
  await send('192.0.2.1', retry_at_ms);
  await send('192.0.2.2');
  const request = { reference, now_ms: NOW_MS, message: 'Llueve', dates: null };
  await requestStatusChange(inbox, { ...request, asks: 'cancel' });
  expect(await getSubmission(inbox, reference)).toMatchObject({ asks: 'cancel' });
});

test('an address that sent nothing may submit from a network over the hard limit', async () => {
  await sendMany(SOFT_LIMITS.network.hour, (at) => `192.0.2.${at}`);
  expect(await isFlagged('192.0.2.99')).toBe(true);
  await sendMany(
    HARD_LIMITS_PER_HOUR.network - SOFT_LIMITS.network.hour - 1,
    (at) => `192.0.2.${at % 100}`,
  );
  await expect(send('192.0.2.99')).rejects.toMatchObject({ retry_at_ms: NOW_MS + HOUR_MS });
  expect(await isFlagged('192.0.2.200')).toBe(true);
  expect(await isFlagged('192.0.3.1')).toBe(false);
});

test('over a channel’s limit, only the first submission of a network is not flagged', async () => {
  const first = await Array.fromAsync(Array(SOFT_LIMITS.channel_day.agent).keys(), (at) =>
    send(`10.0.${at}.1`, NOW_MS, 'agent'),
  );
  expect(await isFlagged('10.0.0.9', NOW_MS, 'agent')).toBe(true);
  expect(await isFlagged('10.1.0.1', NOW_MS, 'agent')).toBe(false);
  expect(await isFlagged('10.0.0.9', NOW_MS, 'form')).toBe(false);
  expect(await Array.fromAsync(first, isDoubtful)).not.toContain(true);
});

test('limits the changes of a token, but not its withdrawal', async () => {
  const reference = await send('192.0.2.1');
  const change = (at: number, now_ms = NOW_MS) =>
    amendSubmission(inbox, {
      reference,
      now_ms,
      submission: { ...SUBMISSION, title: `Otra vez ${at}` },
    });
  for (let at = 1; at <= TOKEN_LIMITS.hour; at++) await change(at);
  // An identical repeat does not count.
  await change(TOKEN_LIMITS.hour);
  const refused = { reason: 'too_many_changes', retry_at_ms: NOW_MS + HOUR_MS };
  await expect(change(99)).rejects.toMatchObject(refused);
  expect(await getSubmission(inbox, reference)).toMatchObject({ title: 'Otra vez 10' });
  await withdrawSubmission(inbox, reference);
  await change(99, NOW_MS + HOUR_MS);
});
