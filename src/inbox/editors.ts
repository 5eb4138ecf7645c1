// The sign-in library's tables, as far as they are asked here: editors by name, with the hash of a password and a
// second factor; their sessions; codes that are good once. Beside them the attempts to log in.
import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import { systemNowMs } from '../clock.ts';
import { type Inbox, ignoreDiskFull } from './open.ts';
import type { Tables } from './tables.ts';

const MINUTE_MS = 60_000;

export type Editor = Awaited<ReturnType<typeof listEditors>>[number];

/** By name. A second factor waits for its first code before the login asks for it. */
export async function listEditors(inbox: Inbox) {
  const rows = await inbox.db
    .selectFrom('user')
    .leftJoin('twoFactor', 'twoFactor.userId', 'user.id')
    .select(['name', 'createdAt as added_at', 'verified', 'backupCodes'])
    .orderBy('name')
    .execute();
  return rows.map(({ name, added_at, verified, backupCodes }) => {
    const codes: unknown = JSON.parse(backupCodes ?? '[]');
    return {
      name,
      added_at,
      factor: backupCodes === null ? 'off' : verified === 1 ? 'on' : 'waiting',
      codes_left: Array.isArray(codes) ? codes.length : 0,
    } as const;
  });
}

export const getEditor = async (inbox: Inbox, name: string): Promise<Editor | null> =>
  (await listEditors(inbox)).find((editor) => editor.name === name) ?? null;

const selectId = (inbox: Inbox, name: string) =>
  inbox.db.selectFrom('user').select('id').where('name', '=', name);

/** The library asks for an address of each: it is the name, and nothing is mailed there. */
export async function insertEditor(
  inbox: Inbox,
  { name, added_at, hash }: Pick<Editor, 'name' | 'added_at'> & { readonly hash: string },
): Promise<void> {
  const id = randomUUID();
  const times = { createdAt: added_at, updatedAt: added_at };
  const user = { id, name, email: name, emailVerified: 0, username: name, ...times } as const;
  await inbox.db.insertInto('user').values(user).execute();
  const own = { id, accountId: id, providerId: 'credential', userId: id, password: hash };
  const account = inbox.db.insertInto('account').values({ ...own, ...times });
  await account.execute();
}

export async function setPasswordHash(inbox: Inbox, name: string, password: string): Promise<void> {
  const accounts = inbox.db.updateTable('account').set({ password });
  await accounts.where('userId', '=', selectId(inbox, name)).execute();
}

export async function isPasswordInUse(inbox: Inbox, hash: string): Promise<boolean> {
  const accounts = inbox.db.selectFrom('account').select('id').where('password', '=', hash);
  return (await accounts.executeTakeFirst()) !== undefined;
}

/** With sessions and second factor. */
export async function deleteEditor(inbox: Inbox, name: string): Promise<void> {
  await inbox.db.deleteFrom('user').where('name', '=', name).execute();
}

export async function deleteSecondFactor(inbox: Inbox, name: string): Promise<void> {
  await inbox.db.deleteFrom('twoFactor').where('userId', '=', selectId(inbox, name)).execute();
  const users = inbox.db.updateTable('user').set({ twoFactorEnabled: 0 });
  await users.where('name', '=', name).execute();
}

/** Secrets as a former version kept them: a migration cannot encrypt them as the library does. */
export async function encryptLegacySecrets(
  inbox: Inbox,
  encrypt: (secret: string) => Promise<string>,
): Promise<void> {
  const plain = inbox.db.selectFrom('twoFactor').select(['id', 'secret']);
  for (const { id, secret } of await plain.where('secret', 'like', 'base32:%').execute()) {
    const changed = inbox.db.updateTable('twoFactor').set({ secret: await encrypt(secret) });
    await changed.where('id', '=', id).execute();
  }
}

/** A moment of the machine's clock, as the library writes it. */
const at = (offset_ms = 0): string => new Date(systemNowMs() + offset_ms).toISOString();
/** A session lives until the library's end of it, and for an hour after it was last seen. */
const isLive = (is: ExpressionBuilder<Tables, 'session'>) =>
  is.and([is('session.expiresAt', '>', at()), is('session.updatedAt', '>', at(-60 * MINUTE_MS))]);

/** Those of an editor, or of everybody (null), that live; last seen first. */
export const listSessions = (inbox: Inbox, editor: string | null) =>
  inbox.db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .select(['session.id', 'name as editor', 'userAgent as device'])
    .select(['session.createdAt as started_at', 'session.updatedAt as seen_at'])
    .where(isLive)
    .$if(editor !== null, (query) => query.where('name', '=', editor ?? ''))
    .orderBy('session.updatedAt', 'desc')
    .orderBy('session.id')
    .execute();

/** Whether a session lives; it is seen now. */
export async function touchSession(inbox: Inbox, id: string): Promise<boolean> {
  const sessions = inbox.db.selectFrom('session').select('updatedAt').where('id', '=', id);
  const seen = await sessions.where(isLive).executeTakeFirst();
  // Not each time: every page would wait for the disk. Whoever is in goes on reading where the disk takes no
  // more, or somebody else writes.
  if (seen !== undefined && seen.updatedAt <= at(-MINUTE_MS)) {
    const note = () =>
      inbox.db.updateTable('session').set({ updatedAt: at() }).where('id', '=', id).execute();
    await ignoreDiskFull(() => inbox.withoutWaiting(note));
  }
  return seen !== undefined;
}

/** The one of an id, or all but one; gives how many. */
export async function deleteSessions(
  inbox: Inbox,
  editor: string,
  { id, but = '' }: { readonly id?: string; readonly but?: string },
): Promise<number> {
  const { numDeletedRows } = await inbox.db
    .deleteFrom('session')
    .where('userId', '=', selectId(inbox, editor))
    .where('id', '<>', but)
    .$if(id !== undefined, (sessions) => sessions.where('id', '=', id ?? ''))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** By the token that the library knows it by. */
export async function deleteSession(inbox: Inbox, token: string): Promise<void> {
  await inbox.db.deleteFrom('session').where('token', '=', token).execute();
}

export async function deleteExpiredSessions(inbox: Inbox): Promise<void> {
  const sessions = inbox.db.deleteFrom('session');
  await sessions.where((is) => is.not(isLive(is))).execute();
}

/** Uses up a code of an editor; false where it was used while it is good. The library forgets it after that. */
export async function consumeCode(inbox: Inbox, editor: string, code: string): Promise<boolean> {
  const id = `used ${editor} ${code}`;
  const times = { expiresAt: at(3 * MINUTE_MS), createdAt: at(), updatedAt: at() };
  const { numInsertedOrUpdatedRows = 0n } = await inbox.db
    .insertInto('verification')
    .values({ id, identifier: id, value: '', ...times })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

const ATTEMPTS_MS = 15 * MINUTE_MS;
/** Failures of an address within the window. */
export const MAX_LOGIN_FAILURES = 8;

/**
 * Counts an attempt to log in as one that failed, until it is taken back: shared by all serving processes, and a restart
 * forgets none (contract 14.38). Gives what it is taken back by; null where there were too many, and then the
 * password is not to be looked at.
 */
export async function recordLoginAttempt(inbox: Inbox, who: string, now_ms: number) {
  const [from_ms, to_ms] = [now_ms - ATTEMPTS_MS, now_ms + ATTEMPTS_MS];
  const isFull = async (): Promise<boolean> => {
    const attempts = inbox.db.selectFrom('login_attempts').select('id').where('who', '=', who);
    const recent = attempts.where('at_ms', '>', from_ms).where('at_ms', '<=', to_ms);
    return (await recent.limit(MAX_LOGIN_FAILURES).execute()).length >= MAX_LOGIN_FAILURES;
  };
  // A look alone: whoever is refused must cost no writing.
  if (await isFull()) return null;
  return inbox.transaction(async () => {
    // What a clock that ran ahead has counted would count until it is that late.
    await inbox.db
      .deleteFrom('login_attempts')
      .where((is) => is.or([is('at_ms', '<=', from_ms), is('at_ms', '>', to_ms)]))
      .execute();
    if (await isFull()) return null;
    const attempt = inbox.db.insertInto('login_attempts').values({ who, at_ms: now_ms });
    return (await attempt.returning('id').executeTakeFirstOrThrow()).id;
  });
}

/** It did not fail: only this attempt is forgotten, so that nobody clears the others by it. */
export async function forgetLoginAttempt(inbox: Inbox, id: number): Promise<void> {
  await inbox.db.deleteFrom('login_attempts').where('id', '=', id).execute();
}
