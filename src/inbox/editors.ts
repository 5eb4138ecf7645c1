// Editor accounts: queries the sign-in library's tables (better-auth) for editors, password hashes, second factors,
// sessions and used codes, and counts login attempts.
import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import { systemNowMs } from '../clock.ts';
import { type Inbox, ignoreDiskFull } from './open.ts';
import type { Tables } from './tables.ts';

const MINUTE_MS = 60_000;

/** Account of an editor, as listEditors returns it. */
export type Editor = Awaited<ReturnType<typeof listEditors>>[number];

/**
 * Lists editors by name. `factor`, the second factor, is `waiting` until its first code is entered; until then the
 * login does not require it. `codes_left` is the number of unused backup codes.
 */
export async function listEditors(inbox: Inbox) {
  const rows = await inbox.db
    .selectFrom('user')
    .leftJoin('twoFactor', 'twoFactor.userId', 'user.id')
    .select(['name', 'createdAt as added_at', 'verified', 'backupCodes'])
    .orderBy('name')
    .execute();
  return rows.map(({ name, added_at, verified, backupCodes }) => {
    const codes: unknown = JSON.parse(backupCodes ?? '[]');
    const enrolled_factor = verified === 1 ? 'on' : 'waiting';
    return {
      name,
      added_at,
      factor: backupCodes === null ? 'off' : enrolled_factor,
      codes_left: Array.isArray(codes) ? codes.length : 0,
    } as const;
  });
}

export const getEditor = async (inbox: Inbox, name: string): Promise<Editor | null> =>
  (await listEditors(inbox)).find((editor) => editor.name === name) ?? null;

const selectId = (inbox: Inbox, name: string) =>
  inbox.db.selectFrom('user').select('id').where('name', '=', name);

/**
 * Inserts an editor. `hash` is the password's hash in the format of the library. The library requires an email address:
 * the name is stored as one, but never used for mail.
 */
export async function insertEditor(
  inbox: Inbox,
  { name, added_at, hash }: Pick<Editor, 'name' | 'added_at'> & { readonly hash: string },
): Promise<void> {
  const id = randomUUID();
  const times = { createdAt: added_at, updatedAt: added_at };
  const user = { id, name, email: name, emailVerified: 0, username: name, ...times } as const;
  await inbox.db.insertInto('user').values(user).execute();
  const account = { id, accountId: id, providerId: 'credential', userId: id, password: hash };
  await inbox.db
    .insertInto('account')
    .values({ ...account, ...times })
    .execute();
}

export async function setPasswordHash(inbox: Inbox, name: string, hash: string): Promise<void> {
  const accounts = inbox.db.updateTable('account').set({ password: hash });
  await accounts.where('userId', '=', selectId(inbox, name)).execute();
}

/** Tells if any editor has this password hash. */
export async function isPasswordInUse(inbox: Inbox, hash: string): Promise<boolean> {
  const accounts = inbox.db.selectFrom('account').select('id').where('password', '=', hash);
  return (await accounts.executeTakeFirst()) !== undefined;
}

/** Deletes an editor; sessions and second factor follow by cascade. */
export async function deleteEditor(inbox: Inbox, name: string): Promise<void> {
  await inbox.db.deleteFrom('user').where('name', '=', name).execute();
}

/** Turns two-step verification off for an editor. */
export async function deleteSecondFactor(inbox: Inbox, name: string): Promise<void> {
  await inbox.db.deleteFrom('twoFactor').where('userId', '=', selectId(inbox, name)).execute();
  const users = inbox.db.updateTable('user').set({ twoFactorEnabled: 0 });
  await users.where('name', '=', name).execute();
}

/**
 * Returns the system time plus an offset as ISO 8601, the library's format. The system time, because the library
 * ignores CLOCK_START.
 */
const formatSystemTime = (offset_ms = 0): string =>
  new Date(systemNowMs() + offset_ms).toISOString();
/** SQL condition: the session has not expired, and its last request was less than an hour ago. */
const isLive = (is: ExpressionBuilder<Tables, 'session'>) =>
  is.and([
    is('session.expiresAt', '>', formatSystemTime()),
    is('session.updatedAt', '>', formatSystemTime(-60 * MINUTE_MS)),
  ]);

/** Lists the live sessions of an editor, or of all editors (null), by their last request, newest first. */
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

/** Tells if a session is live, and records the request as its last one. */
export async function touchSession(inbox: Inbox, id: string): Promise<boolean> {
  const sessions = inbox.db.selectFrom('session').select('updatedAt').where('id', '=', id);
  const session = await sessions.where(isLive).executeTakeFirst();
  // At most once a minute, or every page would wait for the disk. Best effort: a full disk or another writer must not
  // lock editors out.
  if (session !== undefined && session.updatedAt <= formatSystemTime(-MINUTE_MS)) {
    const recordRequest = () =>
      inbox.db
        .updateTable('session')
        .set({ updatedAt: formatSystemTime() })
        .where('id', '=', id)
        .execute();
    await ignoreDiskFull(() => inbox.withoutWaiting(recordRequest));
  }
  return session !== undefined;
}

/**
 * Deletes sessions of an editor: only the one with `id`, or all except the one with the id `but`.
 * @returns the number of deleted sessions.
 */
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

/** Deletes a session by its secret token, which the cookie contains. */
export async function deleteSession(inbox: Inbox, token: string): Promise<void> {
  await inbox.db.deleteFrom('session').where('token', '=', token).execute();
}

/** Deletes expired sessions, and expired marks of used codes. */
export async function deleteExpiredSessions(inbox: Inbox): Promise<void> {
  const sessions = inbox.db.deleteFrom('session');
  await sessions.where((is) => is.not(isLive(is))).execute();
  const marks = inbox.db.deleteFrom('verification');
  await marks.where('expiresAt', '<=', formatSystemTime()).execute();
}

/**
 * Marks a second-factor code of an editor as used, so that it cannot be used twice within its validity.
 * @returns false if it was used before. The library deletes the mark once the code has expired.
 */
export async function consumeCode(inbox: Inbox, editor: string, code: string): Promise<boolean> {
  const id = `used ${editor} ${code}`;
  const times = {
    expiresAt: formatSystemTime(3 * MINUTE_MS),
    createdAt: formatSystemTime(),
    updatedAt: formatSystemTime(),
  };
  const { numInsertedOrUpdatedRows = 0n } = await inbox.db
    .insertInto('verification')
    .values({ id, identifier: id, value: '', ...times })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

const LOGIN_WINDOW_MS = 15 * MINUTE_MS;
/** Failed logins of an address within the window; further attempts are rejected unchecked. */
export const MAX_LOGIN_FAILURES = 8;

/**
 * Counts a login attempt as failed until forgetLoginAttempt removes it. Attempts are in the database, so that all serving
 * processes share them and a restart keeps them (contract 14.38).
 * @param client Digest of the client's address.
 * @returns the id for forgetLoginAttempt, or null after too many failures: then the password must not be checked.
 */
export async function recordLoginAttempt(inbox: Inbox, client: string, now_ms: number) {
  const [oldest_ms, newest_ms] = [now_ms - LOGIN_WINDOW_MS, now_ms + LOGIN_WINDOW_MS];
  const isLimitReached = async (): Promise<boolean> => {
    const attempts = inbox.db.selectFrom('login_attempts').select('id').where('who', '=', client);
    const recent = attempts.where('at_ms', '>', oldest_ms).where('at_ms', '<=', newest_ms);
    return (await recent.limit(MAX_LOGIN_FAILURES).execute()).length >= MAX_LOGIN_FAILURES;
  };
  // Check without a transaction first: a rejected attempt must not cost a write.
  if (await isLimitReached()) return null;
  return inbox.transaction(async () => {
    await pruneLoginAttempts(inbox, now_ms);
    if (await isLimitReached()) return null;
    const attempt = inbox.db.insertInto('login_attempts').values({ who: client, at_ms: now_ms });
    return (await attempt.returning('id').executeTakeFirstOrThrow()).id;
  });
}

/** Deletes attempts before the window, and those in the future, which a fast clock dated. */
export async function pruneLoginAttempts(inbox: Inbox, now_ms: number): Promise<void> {
  const [oldest_ms, newest_ms] = [now_ms - LOGIN_WINDOW_MS, now_ms + LOGIN_WINDOW_MS];
  const attempts = inbox.db.deleteFrom('login_attempts');
  await attempts
    .where((is) => is.or([is('at_ms', '<=', oldest_ms), is('at_ms', '>', newest_ms)]))
    .execute();
}

/** Removes a sign-in attempt that succeeded. Only this one, so that a success does not clear an attacker's failures. */
export async function forgetLoginAttempt(inbox: Inbox, id: number): Promise<void> {
  await inbox.db.deleteFrom('login_attempts').where('id', '=', id).execute();
}
