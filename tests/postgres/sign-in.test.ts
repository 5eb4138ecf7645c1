// The life of an editor's access in PostgreSQL: what the sign-in library and we ask of it. The rules are held by
// tests/desk/sign-in.test.ts.
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { addEditor, endSessions, removeEditor, removeFactor } from '../../src/desk/editors.ts';
import {
  beginFactor,
  changePassword,
  confirmFactor,
  readSession,
  signIn,
  signInWithCode,
} from '../../src/desk/sign-in.ts';
import { getEditor, listSessions, MOST_FAILURES } from '../../src/inbox/editors.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { ANA, EVA, inbox, readRows, useInbox } from '../fixtures/inbox.ts';
import { toVisit } from '../fixtures/visit.ts';

useInbox();
const toBrowser = (cookie: string | null = null) =>
  toVisit(inbox, { session_token: /=([^;]+)/.exec(cookie ?? '')?.[1] ?? null });
const tryIn = (password: string, name = 'ana') =>
  signIn(toBrowser(), { name, password }, 'x', FRIDAY_NOON_MS);
async function comeIn(password: string, name = 'ana') {
  const result = await tryIn(password, name);
  if (result.kind !== 'in') throw new Error(result.kind);
  return toBrowser(result.cookie);
}

test('an editor comes in, with a second factor too, changes the password and is sent out', async () => {
  const [given, hers] = [
    await addEditor(inbox, 'ana', FRIDAY_NOON_MS),
    await addEditor(inbox, 'eva', FRIDAY_NOON_MS),
  ];
  const [first, eva] = [await comeIn(given), await comeIn(hers, 'eva')];
  expect((await listSessions(inbox, null)).map(({ editor }) => editor).sort()).toEqual([
    ...['ana', 'eva'],
  ]);
  const own = 'un caballo azul en Puerto Juárez';
  const browser = toBrowser(await changePassword(first, ANA, given, own));
  expect([await readSession(first), (await tryIn(given)).kind]).toEqual([null, 'wrong']);

  const { totpURI, backupCodes } = await beginFactor(browser, own, 'Hoy Cancún');
  const secret = Secret.fromBase32(new URL(totpURI).searchParams.get('secret') ?? '');
  const codeAt = (offset_ms: number) =>
    new TOTP({ secret }).generate({ timestamp: Date.now() + offset_ms });
  const inside = toBrowser(await confirmFactor(browser, ANA, codeAt(0)));
  const give = async (code: string) => {
    const asked = await tryIn(own);
    if (asked.kind !== 'code') throw new Error(asked.kind);
    return (await signInWithCode(toBrowser(), asked.ticket, code)).kind;
  };
  const [spare = ''] = backupCodes;
  const kinds = [codeAt(0), codeAt(30_000), spare, spare].map((code) => () => give(code));
  expect(await Array.fromAsync(kinds, (next) => next())).toEqual([
    ...['used_code', 'in', 'in', 'wrong_code'],
  ]);
  expect(await getEditor(inbox, 'ana')).toMatchObject({ factor: 'on', codes_left: 9 });

  const now = await readSession(inside);
  await endSessions(inbox, ANA, 'ana', { but: now?.id ?? '' });
  await endSessions(inbox, ANA, 'eva', { id: (await readSession(eva))?.id ?? '' });
  expect([await listSessions(inbox, null), await readSession(eva)]).toMatchObject([
    [{ id: now?.id }],
    null,
  ]);
  await readRows(inbox, `update session set "updatedAt" = '2026-01-01T00:00:00.000Z'`);
  expect([await readSession(inside), await listSessions(inbox, 'ana')]).toEqual([null, []]);
  await removeFactor(inbox, EVA, 'ana');
  await comeIn(own);
  for (let at = 0; at < MOST_FAILURES; at++) await tryIn('');
  expect((await tryIn(own)).kind).toBe('too_many');
  await removeEditor(inbox, EVA, 'ana');
  expect([await getEditor(inbox, 'ana'), await listSessions(inbox, 'ana')]).toEqual([null, []]);
});
