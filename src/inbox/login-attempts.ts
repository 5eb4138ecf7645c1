// The table of attempts to log in: shared by all serving processes, and a restart forgets none. Each is one that failed
// until it is taken back (contract 14.38).
import type { Inbox } from './open.ts';

const WINDOW_MS = 15 * 60_000;
/** Failures of an address within the window. */
export const MOST_FAILURES = 8;

/** Gives what it is taken back by; null where there were too many, and then the password is not to be looked at. */
export async function countAttempt(
  inbox: Inbox,
  who: string,
  now_ms: number,
): Promise<number | null> {
  const [from_ms, to_ms] = [now_ms - WINDOW_MS, now_ms + WINDOW_MS];
  const isFull = async (): Promise<boolean> => {
    const failed = await inbox.db
      .selectFrom('login_attempts')
      .select('id')
      .where('who', '=', who)
      .where('at_ms', '>', from_ms)
      .where('at_ms', '<=', to_ms)
      .limit(MOST_FAILURES)
      .execute();
    return failed.length >= MOST_FAILURES;
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
    const { id } = await inbox.db
      .insertInto('login_attempts')
      .values({ who, at_ms: now_ms })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** It did not fail: only this attempt is forgotten, so that nobody clears the others by it. */
export async function takeBack(inbox: Inbox, id: number): Promise<void> {
  await inbox.db.deleteFrom('login_attempts').where('id', '=', id).execute();
}
