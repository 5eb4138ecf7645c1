// An intake that nobody shuts: what is doubtful, what a flood is, and that a token has an allowance of its
// own (contract 14.6, 14.7, 14.4).
import { by, SUBMISSION, inbox, readValue, useInbox } from '../fixtures/inbox.ts';
import { describe, expect, test } from 'vitest';
import { CLEAR, FLOOD_AN_HOUR, TOKEN_ALLOWANCE, toNetwork } from '../../src/desk/allowances.ts';
import { correct, requestChange, submit, takeBack } from '../../src/desk/propose.ts';
import { getSubmission } from '../../src/inbox/changes.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import { approveText } from '../fixtures/changes.ts';

const HOUR_MS = 3_600_000;
useInbox();

let titles = 0;
async function send(sender: string, now_ms = NOW_MS, channel: 'form' | 'agent' = 'form') {
  const submission = { ...SUBMISSION, title: `Noche número ${titles++}` };
  return (await submit(inbox, { submission, channel, sender, now_ms })).reference;
}
const isDoubtful = async (reference: string): Promise<boolean> =>
  (await readValue(inbox, 'select is_doubtful from changes where reference = ?', reference)) === 1;
const sendMany = (count: number, toSender: (at: number) => string): Promise<readonly string[]> =>
  Array.fromAsync(Array(count).keys(), (at) => send(toSender(at)));
/** What a call throws. */
async function caught(call: () => Promise<unknown>): Promise<AppError> {
  const thrown: unknown = await call().catch((error: unknown) => error);
  if (thrown instanceof AppError) return thrown;
  throw new Error('It threw no AppError');
}

test('a network is a /24, or the /48 of a /64; anything else is its own', () => {
  expect(['192.0.2.7', '2001:db8:1:2::/64', '2001:db8:0:0::/64', 'unknown'].map(toNetwork)).toEqual(
    ['192.0.2.0/24', '2001:db8:1::/48', '2001:db8:0::/48', 'unknown'],
  );
});

describe('many behind one address', () => {
  test('are taken in, beyond five an hour as doubtful, and clear again an hour later', async () => {
    const sent = await sendMany(CLEAR.sender.hour + 2, () => '192.0.2.1');
    const doubts = await Array.fromAsync(sent, isDoubtful);
    expect(doubts.map(Number).join('')).toBe('0000011');
    expect(await isDoubtful(await send('198.51.100.1'))).toBe(false);
    expect(await isDoubtful(await send('192.0.2.1', NOW_MS + HOUR_MS))).toBe(false);
  });
  test('leave clear what was, however many follow', async () => {
    const [concert] = await sendMany(1, () => '192.0.2.1');
    await sendMany(CLEAR.network.hour * 2, (at) => `192.0.2.${at % 3}`);
    expect(await isDoubtful(concert ?? '')).toBe(false);
  });
  test('wait only where they flood, and are told until when', async () => {
    await send('192.0.2.1', NOW_MS - 60_000);
    await sendMany(FLOOD_AN_HOUR.sender - 1, () => '192.0.2.1');
    const refused = await caught(() => send('192.0.2.1'));
    expect(refused).toMatchObject({ code: 'rate_limited', retry_at_ms: NOW_MS - 60_000 + HOUR_MS });
    await expect(() => send('192.0.2.1', (refused.retry_at_ms ?? 0) - 1)).rejects.toThrow(AppError);
    await send('192.0.2.1', refused.retry_at_ms ?? 0);
    await send('192.0.2.2');
  });
});

test('of a network that floods, an address that has sent nothing is still taken', async () => {
  await sendMany(CLEAR.network.hour, (at) => `192.0.2.${at}`);
  expect(await isDoubtful(await send('192.0.2.99'))).toBe(true);
  await sendMany(FLOOD_AN_HOUR.network - CLEAR.network.hour - 1, (at) => `192.0.2.${at % 100}`);
  expect((await caught(() => send('192.0.2.99'))).retry_at_ms).toBe(NOW_MS + HOUR_MS);
  expect(await isDoubtful(await send('192.0.2.200'))).toBe(true);
  expect(await isDoubtful(await send('192.0.3.1'))).toBe(false);
});

test('a channel that is full is clear only for who is the first of a network, the others as ever', async () => {
  const day = CLEAR.channel_day.agent;
  const first = await Array.fromAsync(Array(day).keys(), (at) =>
    send(`10.0.${at}.1`, NOW_MS, 'agent'),
  );
  expect(await isDoubtful(await send('10.0.0.9', NOW_MS, 'agent'))).toBe(true);
  expect(await isDoubtful(await send('10.1.0.1', NOW_MS, 'agent'))).toBe(false);
  expect(await isDoubtful(await send('10.0.0.9', NOW_MS, 'form'))).toBe(false);
  expect(await Array.fromAsync(first, isDoubtful)).not.toContain(true);
});

describe('a token', () => {
  test('has an allowance that no stranger behind the same address uses up', async () => {
    const reference = await send('192.0.2.1');
    await approveText(inbox, by(reference), {});
    await sendMany(FLOOD_AN_HOUR.sender - 1, () => '192.0.2.1');
    await expect(() => send('192.0.2.1')).rejects.toThrow(AppError);
    await requestChange(inbox, {
      reference,
      now_ms: NOW_MS,
      asks: 'cancel',
      message: 'Llueve',
      dates: null,
    });
    expect(await getSubmission(inbox, reference)).toMatchObject({ asks: 'cancel' });
  });
  test('ends where it is changed too often, with the moment it works again; to withdraw works always', async () => {
    const reference = await send('192.0.2.1');
    const change = (at: number, now_ms = NOW_MS) =>
      correct(inbox, { reference, now_ms, submission: { ...SUBMISSION, title: `Otra vez ${at}` } });
    for (let at = 0; at < TOKEN_ALLOWANCE.hour; at++) await change(at);
    expect(await caught(() => change(99))).toMatchObject({
      reason: 'too_many_changes',
      retry_at_ms: NOW_MS + HOUR_MS,
    });
    await takeBack(inbox, reference);
    await change(99, NOW_MS + HOUR_MS);
  });
});

test('what a clock that ran ahead has counted is forgotten once it is set right', async () => {
  for (let at = 0; at < CLEAR.sender.hour; at++)
    await send('192.0.2.1', NOW_MS + 99 * 24 * HOUR_MS);
  expect(await isDoubtful(await send('192.0.2.1'))).toBe(false);
});
