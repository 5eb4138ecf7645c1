// The library's table of sessions, and what it does not see to: an hour without use ends one, a code is good once.
// The times are those of the machine's clock, as the library writes them.
import type { ExpressionBuilder } from 'kysely';
import { readMachineMs } from '../clock.ts';
import { type Inbox, unlessFull } from './open.ts';
import type { Tables } from './tables.ts';

const MINUTE_MS = 60_000;
/** As the library writes it. */
const at = (offset_ms = 0): string => new Date(readMachineMs() + offset_ms).toISOString();
/** A session lives until the library's end of it, and so long after it was last seen. */
const isLive = (is: ExpressionBuilder<Tables, 'session'>) =>
  is.and([is('session.expiresAt', '>', at()), is('session.updatedAt', '>', at(-60 * MINUTE_MS))]);

export interface StoredSession {
  readonly id: string;
  readonly editor: string;
  readonly device: string;
  readonly started_ms: number;
  readonly seen_ms: number;
}

/** Those of an editor, or of everybody (null), that live; last seen first. */
export async function listSessions(
  inbox: Inbox,
  editor: string | null,
): Promise<readonly StoredSession[]> {
  const rows = await inbox.db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .select(['session.id', 'name', 'userAgent', 'session.createdAt', 'session.updatedAt'])
    .where(isLive)
    .$if(editor !== null, (query) => query.where('name', '=', editor ?? ''))
    .orderBy('session.updatedAt', 'desc')
    .orderBy('session.id')
    .execute();
  return rows.map(({ id, name, userAgent, createdAt, updatedAt }) => ({
    id,
    editor: name,
    device: userAgent ?? '',
    started_ms: Date.parse(createdAt),
    seen_ms: Date.parse(updatedAt),
  }));
}

/** Whether a session lives; it is seen now. */
export async function seeSession(inbox: Inbox, id: string): Promise<boolean> {
  const seen = await inbox.db
    .selectFrom('session')
    .select('updatedAt')
    .where('id', '=', id)
    .where(isLive)
    .executeTakeFirst();
  // Not each time: every page would wait for the disk. Whoever is in goes on reading where the disk takes no
  // more, or somebody else writes.
  if (seen !== undefined && seen.updatedAt <= at(-MINUTE_MS)) {
    const note = () =>
      inbox.db.updateTable('session').set({ updatedAt: at() }).where('id', '=', id).execute();
    await unlessFull(() => inbox.withoutWaiting(note));
  }
  return seen !== undefined;
}

/** By its id, or by its token. */
export async function deleteSession(inbox: Inbox, key: string): Promise<void> {
  await inbox.db
    .deleteFrom('session')
    .where((is) => is.or([is('id', '=', key), is('token', '=', key)]))
    .execute();
}

export async function deleteOldSessions(inbox: Inbox): Promise<void> {
  await inbox.db
    .deleteFrom('session')
    .where((is) => is.not(isLive(is)))
    .execute();
}

/** Those of an editor, but the one of an id. */
export async function deleteSessionsOf(inbox: Inbox, editor: string, but = ''): Promise<void> {
  await inbox.db
    .deleteFrom('session')
    .where('userId', '=', inbox.db.selectFrom('user').select('id').where('name', '=', editor))
    .where('id', '<>', but)
    .execute();
}

/** Uses up a code of an editor; false where it was used while it is good. The library forgets it after that. */
export async function useCode(inbox: Inbox, editor: string, code: string): Promise<boolean> {
  const id = `used ${editor} ${code}`;
  const { numInsertedOrUpdatedRows = 0n } = await inbox.db
    .insertInto('verification')
    .values({
      id,
      identifier: id,
      value: '',
      expiresAt: at(3 * MINUTE_MS),
      createdAt: at(),
      updatedAt: at(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}
