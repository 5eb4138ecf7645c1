// Attempts to come in: guessed by nobody, and nobody is locked out by somebody else.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Secret, TOTP } from 'otpauth';
import { countAttempt, LOGIN_LIMITS, SLOW } from '../../src/desk/attempts.ts';
import { createGate } from '../../src/desk/gate.ts';
import { login, loginWithCode } from '../../src/desk/login.ts';
import { hashPassword } from '../../src/desk/password.ts';
import {
  beginFactor,
  checkCode,
  confirm,
  hasFactor,
  removeFactor,
  toFactorUri,
} from '../../src/desk/second-factor.ts';
import { toDigest } from '../../src/desk/secret.ts';
import { endSession, readSession } from '../../src/desk/sessions.ts';
import { putEditor } from '../../src/inbox/editors.ts';
import { countCodes, getFactor } from '../../src/inbox/second-factors.ts';
import { openFixtureInbox } from '../fixtures/inbox.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';

let opened: ReturnType<typeof openFixtureInbox>;
const password = 'quince faros y un muelle';
let hash: string;
beforeAll(async () => {
  hash = await hashPassword(password);
});
const waits: number[] = [];
const wait = (ms: number): Promise<void> => {
  waits.push(ms);
  return Promise.resolve();
};
beforeEach(() => {
  opened = openFixtureInbox();
  for (const name of ['ana', 'eva'])
    putEditor(opened.inbox, { name, hash, added_at: '2026-11-20' });
  waits.length = 0;
});
afterEach(() => opened.close());

const ANA = { editor: 'ana', now_ms: NOW_MS };
const from = (address: string, former: string | null = null, now_ms = NOW_MS) => ({
  address,
  former,
  now_ms,
});
const tryIn = async (word: string, where = from('192.0.2.1'), name = 'ana') =>
  login(opened.inbox, { ...where, name, password: word }, wait);
const kindOf = async (...args: Parameters<typeof tryIn>): Promise<string> =>
  (await tryIn(...args)).kind;
/** A session of ana; gives its token. */
async function comeIn(where = from('192.0.2.200')): Promise<string> {
  const result = await tryIn(password, where);
  if (result.kind !== 'in') throw new Error(result.kind);
  return result.token;
}
/** A password that is not the right one, counted and not looked at; null where it is refused. */
const fail = (where = from('192.0.2.1'), name = 'ana'): number | null =>
  countAttempt(opened.inbox, {
    ...where,
    name,
    device: where.former === null ? null : toDigest(where.former),
  })?.wait_ms ?? null;
const failTimes = (times: number, name = 'ana', is_spread = true): readonly (number | null)[] =>
  Array.from({ length: times }, (_, at) =>
    fail(from(is_spread ? `198.51.100.${at}` : '192.0.2.1'), name),
  );

describe('wrong passwords', () => {
  test('are counted by address, whatever name is tried, and not looked at beyond the limit', async () => {
    for (let at = 1; at < LOGIN_LIMITS.address; at += 1) fail(from('192.0.2.1'), `name ${at}`);
    expect([await kindOf('wrong'), await kindOf(password)]).toEqual(['wrong', 'too_many']);
    expect(await kindOf(password, from('192.0.2.2'))).toBe('in');
    expect(fail(from('192.0.2.1', null, NOW_MS + 15 * 60_000))).not.toBeNull();
  });
  test('of a name slow strangers down, and keep nobody out', async () => {
    const slowed = failTimes(30);
    expect(slowed.slice(SLOW.from - 1, SLOW.from + 2)).toEqual([
      0,
      SLOW.first_ms,
      SLOW.first_ms * 2,
    ]);
    expect(slowed.at(-1)).toBe(SLOW.longest_ms);
    expect([await kindOf(password, from('203.0.113.1')), waits]).toEqual(['in', [SLOW.longest_ms]]);
    expect(fail(from('203.0.113.2'), 'eva')).toBe(0);
  });
  test('spare a device from which the editor came in, also after its session', async () => {
    const token = await comeIn();
    endSession(opened.inbox, token);
    failTimes(LOGIN_LIMITS.address, 'ana', false);
    failTimes(20);
    expect(fail()).toBeNull();
    expect([await kindOf(password, from('192.0.2.1', token)), waits]).toEqual(['in', []]);
  });
  test('from a known device have a limit too, and it is known for its editor alone', async () => {
    const token = await comeIn();
    failTimes(LOGIN_LIMITS.address, 'eva', false);
    expect(await kindOf(password, from('192.0.2.1', token), 'eva')).toBe('too_many');
    for (let at = 0; at < LOGIN_LIMITS.device; at += 1)
      expect(fail(from('192.0.2.1', token))).toBe(0);
    expect(await kindOf(password, from('192.0.2.1', token))).toBe('too_many');
  });
  test('are not cleared by somebody who comes in from the same address', async () => {
    failTimes(LOGIN_LIMITS.address - 1, 'ana', false);
    expect(await kindOf(password, from('192.0.2.1'), 'eva')).toBe('in');
    expect([fail(), fail()]).toEqual([expect.any(Number), null]);
  });
  test('of a clock that ran ahead keep nobody out once it is set right', () => {
    const late_ms = NOW_MS + 99 * 86_400_000;
    for (let at = 0; at < LOGIN_LIMITS.address; at += 1) fail(from('192.0.2.1', null, late_ms));
    expect(fail()).toBe(0);
  });
});

test('a gate lets few through at once, the known first, and refuses beyond its queue', async () => {
  const gate = createGate(1, 2);
  const order: string[] = [];
  const open: (() => void)[] = [];
  const enter = (name: string, comer: 'known' | 'stranger'): Promise<void> =>
    gate(comer, async () => {
      order.push(name);
      await new Promise<void>((resolve) => open.push(resolve));
    });
  const all = [enter('a', 'stranger'), enter('b', 'stranger'), enter('c', 'stranger')];
  await expect(enter('d', 'stranger')).rejects.toMatchObject({ reason: 'busy' });
  all.push(enter('e', 'known'));
  for (let at = 0; at < 4; at += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toHaveLength(at + 1);
    open[at]?.();
  }
  await Promise.all(all);
  expect(order).toEqual(['a', 'e', 'b', 'c']);
});

describe('a second factor', () => {
  const STEP_MS = 30_000;
  const codeAt = (now_ms: number): string =>
    new TOTP({ secret: Secret.fromBase32(getFactor(opened.inbox, 'ana')?.secret ?? '') }).generate({
      timestamp: now_ms,
    });
  const turnOn = (): readonly string[] => {
    beginFactor(opened.inbox, 'ana');
    return confirm(opened.inbox, ANA, codeAt(NOW_MS));
  };
  const askForCode = async (now_ms = NOW_MS): Promise<string> => {
    const result = await tryIn(password, from('203.0.113.9', null, now_ms));
    if (result.kind !== 'code') throw new Error(result.kind);
    return result.ticket;
  };
  const give = (ticket: string, code: string, now_ms = NOW_MS + STEP_MS) =>
    loginWithCode(opened.inbox, { ...from('203.0.113.9', null, now_ms), ticket, code });

  test('is on only once its first code was right, and is asked for from then on', async () => {
    beginFactor(opened.inbox, 'ana');
    expect(toFactorUri(getFactor(opened.inbox, 'ana')?.secret ?? '', 'ana', 'Hoy Cancún')).toMatch(
      /^otpauth:\/\/totp\/Hoy%20Canc%C3%BAn:ana\?issuer=Hoy%20Canc%C3%BAn&secret=[A-Z2-7]{32}&/,
    );
    expect(() => confirm(opened.inbox, ANA, '000000')).toThrow(/^code: /);
    expect([hasFactor(opened.inbox, 'ana'), await kindOf(password)]).toEqual([false, 'in']);
    confirm(opened.inbox, ANA, codeAt(NOW_MS));
    expect(() => beginFactor(opened.inbox, 'ana')).toThrow(/^factor: /);
    const ticket = await askForCode();
    const result = give(ticket, codeAt(NOW_MS + STEP_MS));
    if (result.kind !== 'in') throw new Error(result.kind);
    expect(readSession(opened.inbox, result.token, NOW_MS + STEP_MS)?.editor).toBe('ana');
  });
  test('takes each code once, the one that confirmed it too, and none of long ago', async () => {
    turnOn();
    const ticket = await askForCode();
    expect(give(ticket, codeAt(NOW_MS), NOW_MS).kind, 'it has confirmed').toBe('wrong_code');
    const code = codeAt(NOW_MS + STEP_MS);
    expect([give(ticket, code).kind, give(ticket, code).kind]).toEqual(['in', 'wrong_code']);
    const late_ms = NOW_MS + STEP_MS * 5;
    const [before, now] = [codeAt(late_ms - STEP_MS * 3), codeAt(late_ms)];
    expect([before, `${now}0`].map((one) => give(ticket, one, late_ms).kind)).toEqual([
      'wrong_code',
      'wrong_code',
    ]);
    expect(give(ticket, ` ${now.slice(0, 3)} ${now.slice(3)}`, late_ms).kind).toBe('in');
  });
  test('stops guessing after six wrong codes, for a while', async () => {
    turnOn();
    const ticket = await askForCode();
    const kinds = Array.from({ length: 7 }, () => give(ticket, '000000').kind);
    expect(kinds.slice(-2)).toEqual(['wrong_code', 'too_many']);
    expect(give(ticket, codeAt(NOW_MS + STEP_MS)).kind).toBe('too_many');
  });
  test('has ten codes for a lost telephone, each good once and stored as a digest', async () => {
    const codes = turnOn();
    expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
    const stored = JSON.stringify(opened.inbox.prepare('select * from recovery_codes').all());
    for (const code of codes) expect(stored).not.toContain(code);
    const [one = ''] = codes;
    const typed = one.toUpperCase();
    expect([
      give(await askForCode(), typed).kind,
      give(await askForCode(), typed).kind,
      countCodes(opened.inbox, 'ana'),
    ]).toEqual(['in', 'wrong_code', 9]);
    removeFactor(opened.inbox, ANA, 'ana');
    expect([
      await kindOf(password),
      checkCode(opened.inbox, 'ana', codes[1] ?? '', NOW_MS),
    ]).toEqual(['in', false]);
  });
  test('is given no entry by a ticket that is forged, old, or of an older password', async () => {
    turnOn();
    const ticket = await askForCode();
    const code = codeAt(NOW_MS + STEP_MS);
    const [until, , signature] = ticket.split('.');
    const eva = Buffer.from('eva').toString('base64url');
    expect([
      give('', code).kind,
      give(`${until}.${eva}.${signature}`, code).kind,
      give(ticket, code, NOW_MS + 5 * 60_000).kind,
    ]).toEqual(['ended', 'ended', 'ended']);
    putEditor(opened.inbox, { name: 'ana', hash: 'other', added_at: 'x' });
    expect(give(ticket, code).kind).toBe('ended');
  });
});
