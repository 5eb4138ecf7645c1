// Editors: a password shown once, sessions that end, attempts that are counted.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addEditor, findEditor } from '../../src/desk/editors.ts';
import {
  beginSession,
  countAttempt,
  endSession,
  forgiveAttempts,
  isOwnForm,
  LOGIN_LIMITS,
  readSession,
  SESSION_IDLE_MS,
  SESSION_LONGEST_MS,
} from '../../src/desk/login.ts';
import { listEditors, removeEditor } from '../../src/inbox/editors.ts';
import { openFixtureInbox } from '../fixtures/inbox.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';

let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

test('a password opens for its own name only, and is nowhere in the file', async () => {
  const [ana, eva] = [
    await addEditor(opened.inbox, 'ana', NOW_MS),
    await addEditor(opened.inbox, 'Eva María', NOW_MS),
  ];
  expect(ana).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
  expect(await findEditor(opened.inbox, 'ana', ana)).toBe('ana');
  expect([
    await findEditor(opened.inbox, 'ana', eva),
    await findEditor(opened.inbox, 'nadie', ana),
    await findEditor(opened.inbox, 'ana', ''),
    await findEditor(opened.inbox, 'ana', 'x'.repeat(300)),
  ]).toEqual([null, null, null, null]);
  expect(JSON.stringify(opened.inbox.prepare('select * from editors').all())).not.toContain(ana);
});

test('a new password ends the old one and its sessions; removing ends everything', async () => {
  const old = await addEditor(opened.inbox, 'ana', NOW_MS);
  const session = beginSession(opened.inbox, 'ana', NOW_MS);
  const fresh = await addEditor(opened.inbox, 'ana', NOW_MS);
  expect([
    await findEditor(opened.inbox, 'ana', old),
    readSession(opened.inbox, session, NOW_MS),
  ]).toEqual([null, null]);
  const next = beginSession(opened.inbox, 'ana', NOW_MS);
  const late = findEditor(opened.inbox, 'ana', fresh);
  expect([removeEditor(opened.inbox, 'ana'), removeEditor(opened.inbox, 'ana')]).toEqual([
    true,
    false,
  ]);
  expect(await late, 'removed while the password was looked at').toBeNull();
  expect([
    await findEditor(opened.inbox, 'ana', fresh),
    readSession(opened.inbox, next, NOW_MS),
    listEditors(opened.inbox),
  ]).toEqual([null, null, []]);
});

test.each(['', 'a', ' ana', 'a\nb', '<b>', 'x'.repeat(41)])('%j is no name', async (name) => {
  await expect(addEditor(opened.inbox, name, NOW_MS)).rejects.toThrow(/^name: /);
});

describe('a session', () => {
  beforeEach(async () => {
    await addEditor(opened.inbox, 'ana', NOW_MS);
  });
  test('is kept as a hash and ends when it is ended', () => {
    const token = beginSession(opened.inbox, 'ana', NOW_MS);
    expect(JSON.stringify(opened.inbox.prepare('select * from sessions').all())).not.toContain(
      token,
    );
    expect(readSession(opened.inbox, token, NOW_MS)?.editor).toBe('ana');
    expect([
      readSession(opened.inbox, `${token}x`, NOW_MS),
      readSession(opened.inbox, '', NOW_MS),
      readSession(opened.inbox, null, NOW_MS),
    ]).toEqual([null, null, null]);
    endSession(opened.inbox, token);
    expect(readSession(opened.inbox, token, NOW_MS)).toBeNull();
  });
  test('ends when idle', () => {
    const token = beginSession(opened.inbox, 'ana', NOW_MS);
    expect(readSession(opened.inbox, token, NOW_MS + SESSION_IDLE_MS - 1)).not.toBeNull();
    expect(readSession(opened.inbox, token, NOW_MS + 2 * SESSION_IDLE_MS - 2)).not.toBeNull();
    expect(readSession(opened.inbox, token, NOW_MS + 3 * SESSION_IDLE_MS - 2)).toBeNull();
  });
  test('ends after a day of work, however busy', () => {
    const token = beginSession(opened.inbox, 'ana', NOW_MS);
    for (let at = 0; at < SESSION_LONGEST_MS; at += SESSION_IDLE_MS / 2)
      expect(readSession(opened.inbox, token, NOW_MS + at)).not.toBeNull();
    expect(readSession(opened.inbox, token, NOW_MS + SESSION_LONGEST_MS)).toBeNull();
  });
  test('takes forms of its own pages only', () => {
    const [one, other] = [
      beginSession(opened.inbox, 'ana', NOW_MS),
      beginSession(opened.inbox, 'ana', NOW_MS),
    ].map((token) => readSession(opened.inbox, token, NOW_MS));
    if (!one || !other) throw new Error('no session');
    expect([isOwnForm(one, one.csrf), isOwnForm(one, other.csrf), isOwnForm(one, '')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('attempts', () => {
  const tryAt = (address: string, name: string, now_ms = NOW_MS): boolean =>
    countAttempt(opened.inbox, address, name, now_ms);
  test('are limited by address, whatever name is tried, and forgiven after a while', () => {
    for (let times = 0; times < LOGIN_LIMITS.address; times += 1)
      expect(tryAt('192.0.2.1', `name ${times}`)).toBe(true);
    expect([tryAt('192.0.2.1', 'ana'), tryAt('192.0.2.2', 'ana')]).toEqual([false, true]);
    expect(tryAt('192.0.2.1', 'ana', NOW_MS + 15 * 60_000)).toBe(true);
  });
  test('are limited by name, from wherever they come', () => {
    for (let times = 0; times < LOGIN_LIMITS.name; times += 1)
      expect(tryAt(`192.0.2.${times}`, 'ana')).toBe(true);
    expect([tryAt('198.51.100.1', 'ana'), tryAt('198.51.100.1', 'eva')]).toEqual([false, true]);
  });
  test('of a clock that ran ahead keep nobody out once it is set right, and its sessions end', async () => {
    await addEditor(opened.inbox, 'ana', NOW_MS);
    const token = beginSession(opened.inbox, 'ana', NOW_MS + 99 * 86_400_000);
    for (let times = 0; times < LOGIN_LIMITS.address; times += 1)
      tryAt('192.0.2.1', 'ana', NOW_MS + 99 * 86_400_000);
    expect([tryAt('192.0.2.1', 'ana'), readSession(opened.inbox, token, NOW_MS)]).toEqual([
      true,
      null,
    ]);
  });
  test('are forgotten with a right password', () => {
    for (let times = 0; times < LOGIN_LIMITS.address; times += 1) tryAt('192.0.2.1', 'ana');
    forgiveAttempts(opened.inbox, '192.0.2.1', 'ana');
    expect(tryAt('192.0.2.1', 'ana')).toBe(true);
  });
});
