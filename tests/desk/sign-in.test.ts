// Desk sign-in: passwords, sessions, login limits and the second factor (contract 14.38).
import { Secret, TOTP } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addEditor,
  endSessions,
  hashPassword,
  MAX_QUEUED_HASHES,
  runSerially,
  removeEditor,
  removeSecondFactor,
} from '../../src/desk/editor-accounts.ts';
import {
  type BrowserSession,
  startSecondFactorSetup,
  changePassword,
  confirmSecondFactor,
  isFormOfSession,
  getSession,
  signIn,
  signInWithCode,
} from '../../src/desk/sign-in.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import {
  getEditor,
  insertEditor,
  listSessions,
  MAX_LOGIN_FAILURES,
} from '../../src/inbox/editors.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';
import { ANA, EVA, inbox, queryRows, queryValue, useInbox } from '../fixtures/inbox.ts';
import { useQuickPasswords } from '../fixtures/quick-passwords.ts';

const PASSWORD = 'quince faros y un muelle';
let hash = '';
useQuickPasswords();
beforeAll(async () => {
  hash = await hashPassword(PASSWORD);
});
useInbox();
beforeEach(async () => {
  for (const name of ['ana', 'eva'])
    await insertEditor(inbox, { name, hash, added_at: '2026-11-20' });
});

const toBrowser = (session_token: string | null = null, store = inbox): BrowserSession => ({
  inbox: store,
  ...{ session_token, cookie_name: 'desk', is_secure: false, device: 'Firefox, Linux' },
});
const toToken = (cookie: string | null): string => /^desk=([^;]+)/.exec(cookie ?? '')?.[1] ?? '';
const tryIn = (name: string, password = PASSWORD, sender = '192.0.2.1', now_ms = NOW_MS) =>
  signIn(toBrowser(), { name, password }, sender, now_ms);
const kindOf = async (...args: Parameters<typeof tryIn>) => (await tryIn(...args)).kind;
async function comeIn(name = 'ana', password = PASSWORD): Promise<BrowserSession> {
  const result = await tryIn(name, password);
  if (result.kind !== 'in') throw new Error(result.kind);
  return toBrowser(toToken(result.cookie));
}
const readLog = async () =>
  (await listDecisions(inbox, 9)).map((one) => `${one.editor} ${one.action} ${one.subject}`);
const isIn = async (browser: BrowserSession): Promise<boolean> =>
  (await getSession(browser)) !== null;
test('a password works for its own name only, and is not stored', async () => {
  const leo = await addEditor(inbox, 'Leo Ñu', NOW_MS);
  expect(leo).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
  for (const [name, password, kind] of [
    ['Leo Ñu', leo, 'in'],
    ['ana', leo, 'wrong'],
    ['nadie', leo, 'wrong'],
    ['ana', '', 'wrong'],
    ['ana', 'x'.repeat(300), 'wrong'],
  ] as const)
    expect(await kindOf(name, password), name).toBe(kind);
  expect(JSON.stringify(await queryRows(inbox, 'select * from account'))).not.toContain(leo);
});

test('a new password ends the old one and its sessions; removal ends everything', async () => {
  const session = await comeIn();
  const fresh = await addEditor(inbox, 'ana', NOW_MS);
  expect([await kindOf('ana'), await isIn(session)]).toEqual(['wrong', false]);
  const next = await comeIn('ana', fresh);
  // Her password is still queued for verification when she is removed.
  const removed = Promise.withResolvers<void>();
  void runSerially(() => removed.promise);
  const late = kindOf('ana', fresh);
  await removeEditor(inbox, EVA, 'ana');
  removed.resolve();
  await expect(() => removeEditor(inbox, EVA, 'ana')).rejects.toThrow(/^name: there is no editor/);
  expect([await late, await isIn(next)]).toEqual(['wrong', false]);
  const last = expect.objectContaining({ reason: 'last_editor' });
  await expect(() => removeEditor(inbox, EVA, 'eva')).rejects.toThrow(last);
  await addEditor(inbox, 'leo', NOW_MS, 'eva');
  expect(await readLog()).toEqual([
    ...['eva add_editor leo', 'eva remove_editor ana', 'setup new_password ana'],
  ]);
});

test.each(['', 'a', ' ana', 'a\nb', '<b>', 'x'.repeat(41)])(
  'rejects %j as a name',
  async (name) => {
    await expect(addEditor(inbox, name, NOW_MS)).rejects.toThrow(/^name: /);
  },
);

const POOR = ['corta', 'aaaaaaaaaaaaaaaa', 'ana ana ana ana', 'x'.repeat(201), '            '];
test.each(POOR)('rejects %j as a new password', async (next) => {
  await expect(changePassword(toBrowser(), ANA, 'x', next)).rejects.toThrow(/^password: at l/);
});

describe('a session', () => {
  test('starts with a signed cookie, hidden from scripts and plain HTTP', async () => {
    const secure = { ...toBrowser(), cookie_name: '__Host-desk', is_secure: true };
    const result = await signIn(secure, { name: 'ana', password: PASSWORD }, 'x', NOW_MS);
    expect(result.kind === 'in' && result.cookie).toMatch(
      /^__Host-desk=[\w.%]{40,}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const stored = await queryValue(inbox, 'select token from session');
    expect(await getSession({ ...secure, session_token: String(stored) })).toBeNull();
  });
  test.each([
    // Each use extends it; then it is unused for an hour.
    ['an hour without use', ['updatedAt'], [-59, -59, -60]],
    ['a day of work, however busy', ['createdAt', 'expiresAt'], [-719, -1]],
  ] as const)('ends after %s', async (_, columns, steps) => {
    const browser = await comeIn();
    for (const [at, minutes] of steps.entries()) {
      for (const column of columns) {
        const stored = String(await queryValue(inbox, `select "${column}" from session`));
        const shifted = new Date(Date.parse(stored) + minutes * 60_000).toISOString();
        await queryRows(inbox, `update session set "${column}" = ?`, shifted);
      }
      expect(await isIn(browser)).toBe(at < steps.length - 1);
    }
    expect(await listSessions(inbox, null)).toEqual([]);
  });
  test('accepts forms of its own pages only', async () => {
    const [one, other] = [await getSession(await comeIn()), await getSession(await comeIn())];
    if (!one || !other) throw new Error('no session');
    const are_own = [one.csrf, other.csrf, ''].map((csrf) => isFormOfSession(one, csrf));
    expect(are_own).toEqual([true, false, false]);
  });
  test("is listed while it is active, and can be ended there: one's own, or another editor's", async () => {
    const [one, two, hers] = [await comeIn(), await comeIn(), await comeIn('eva')];
    const idOf = async (browser: BrowserSession) => (await getSession(browser))?.id ?? '';
    const id = await idOf(hers);
    expect(await listSessions(inbox, null)).toHaveLength(3);
    expect(await listSessions(inbox, 'eva')).toMatchObject([{ id, device: 'Firefox, Linux' }]);
    await expect(() => endSessions(inbox, ANA, 'ana', { id })).rejects.toThrow(
      /no session has this id/,
    );
    await endSessions(inbox, ANA, 'eva', { id });
    await endSessions(inbox, ANA, 'ana', { but: await idOf(one) });
    expect(await readLog()).toEqual(['ana end_sessions eva']);
    expect([await isIn(one), await isIn(two), await isIn(hers)]).toEqual([true, false, false]);
  });
});

describe('wrong passwords', () => {
  test('are counted by address for any name, and not verified beyond the limit', async () => {
    for (let at = 1; at < MAX_LOGIN_FAILURES; at += 1) await kindOf(`name ${at}`, '');
    expect(await kindOf('eva'), 'clears no failure').toBe('in');
    expect([await kindOf('ana', 'wrong'), await kindOf('ana')]).toEqual(['wrong', 'too_many']);
    expect(await kindOf('ana', PASSWORD, '192.0.2.2'), 'nobody else is kept out').toBe('in');
    expect(await kindOf('ana', PASSWORD, '192.0.2.1', NOW_MS + 15 * 60_000)).toBe('in');
  });
  test('counted while the clock was ahead do not block logins afterwards', async () => {
    const late_ms = NOW_MS + 99 * 86_400_000;
    for (let at = 0; at < MAX_LOGIN_FAILURES; at += 1)
      await kindOf('ana', '', '192.0.2.1', late_ms);
    expect(await kindOf('ana')).toBe('in');
  });
});

test('verifies passwords one at a time, and rejects at once if too many wait', async () => {
  const full = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await full.promise;
    running -= 1;
  };
  const all = Array.from({ length: MAX_QUEUED_HASHES }, () => runSerially(work));
  expect(() => runSerially(work)).toThrow(expect.objectContaining({ reason: 'busy' }));
  expect(await kindOf('ana')).toBe('busy');
  full.resolve();
  await Promise.all(all);
  expect([most, await kindOf('ana')]).toEqual([1, 'in']);
});

async function askForCode(store = inbox): Promise<string> {
  const known = { name: 'ana', password: PASSWORD };
  const result = await signIn(toBrowser(null, store), known, 'x', NOW_MS);
  if (result.kind !== 'code') throw new Error(result.kind);
  return result.ticket;
}
const give = async (ticket: string, code: string, store = inbox) =>
  (await signInWithCode(toBrowser(null, store), ticket, code)).kind;

describe('a second factor', () => {
  const STEP_MS = 30_000;
  let browser: BrowserSession;
  let totp: TOTP;
  let codes: readonly string[];
  /** Uses the machine's clock, as the library does. */
  const codeAt = (offset_ms = 0): string => totp.generate({ timestamp: Date.now() + offset_ms });
  beforeEach(async () => {
    browser = await comeIn();
    const begun = await startSecondFactorSetup(browser, PASSWORD, 'Hoy Cancún');
    expect(begun.totpURI).toMatch(/^otpauth:\/\/totp\/Hoy%20Canc%C3%BAn:ana\?secret=[A-Z2-7]{52}&/);
    const secret = new URL(begun.totpURI).searchParams.get('secret') ?? '';
    totp = new TOTP({ secret: Secret.fromBase32(secret) });
    codes = begun.backupCodes;
  });
  const turnOn = (code = codeAt()) => confirmSecondFactor(browser, ANA, code);

  test('requires the password, is active after its first valid code, and is required then', async () => {
    await expect(startSecondFactorSetup(browser, 'x', '')).rejects.toThrow(/^password: /);
    await expect(turnOn('000000')).rejects.toThrow(/^code: /);
    expect(await kindOf('ana')).toBe('in');
    browser = toBrowser(toToken(await turnOn()));
    expect(await readLog()).toEqual(['ana factor_on ana']);
    await expect(startSecondFactorSetup(browser, PASSWORD, '')).rejects.toThrow(/^factor: /);
    const code = codeAt(STEP_MS);
    expect(await give(await askForCode(), ` ${code.slice(0, 3)} ${code.slice(3)}`)).toBe('in');
  });
  test('accepts each code once, including the one that confirmed it, and no old codes', async () => {
    const first = codeAt();
    await turnOn(first);
    expect(await give(await askForCode(), first), 'it has confirmed').toBe('used_code');
    const ticket = await askForCode();
    const code = codeAt(STEP_MS);
    const kinds: string[] = [];
    for (const typed of [codeAt(-STEP_MS * 3), code, code]) kinds.push(await give(ticket, typed));
    expect(kinds).toEqual(['wrong_code', 'in', 'ended']);
    const { length } = await listSessions(inbox, 'ana');
    expect(await give(await askForCode(), code)).toBe('used_code');
    expect(await listSessions(inbox, 'ana')).toHaveLength(length);
  });
  test('locks codes for a while after six wrong ones', async () => {
    await turnOn();
    const ticket = await askForCode();
    for (let times = 0; times < 5; times += 1)
      expect(await give(ticket, '000000')).toBe('wrong_code');
    expect(await give(ticket, '000000'), 'a ticket is good for five').toBe('ended');
    expect(await give(await askForCode(), codes[0]?.replace('-', 'x') ?? '')).toBe('wrong_code');
    expect(await give(await askForCode(), codeAt(STEP_MS))).toBe('too_many');
    const past = new Date(Date.now() - 1).toISOString();
    await queryRows(inbox, 'update "twoFactor" set "lockedUntil" = ?', past);
    expect(await give(await askForCode(), codeAt(STEP_MS))).toBe('in');
  });
  test('has ten recovery codes, each valid once and stored as a digest', async () => {
    await turnOn();
    expect(new Set(codes).size).toBe(10);
    const [one = ''] = codes;
    expect(await give(await askForCode(), one.toUpperCase())).toBe('in');
    expect(await give(await askForCode(), one)).toBe('wrong_code');
    expect((await getEditor(inbox, 'ana'))?.codes_left).toBe(9);
    const stored = JSON.stringify(await queryRows(inbox, 'select * from "twoFactor"'));
    for (const code of codes) expect(stored).not.toContain(code);
    await removeSecondFactor(inbox, ANA, 'ana');
    expect(await kindOf('ana')).toBe('in');
  });
  test('rejects tickets that are forged, expired or of a removed editor', async () => {
    await turnOn();
    const ticket = await askForCode();
    const [code, signed] = [codeAt(STEP_MS), ticket.slice(ticket.indexOf('.'))];
    for (const forged of ['', 'a; b', `2fa-x${signed}`, `x${ticket}`])
      expect(await give(forged, code), forged).toBe('ended');
    await queryRows(inbox, `update verification set "expiresAt" = '2026-01-01T00:00:00.000Z'`);
    expect(await give(ticket, code)).toBe('ended');
    const last = await askForCode();
    await removeEditor(inbox, EVA, 'ana');
    expect(await give(last, code)).toBe('ended');
  });
});
