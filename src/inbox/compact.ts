// What erased words leave behind: where SQLite moves rows from page to page, their old bytes stay in the unused
// part of a page, and secure_delete does not reach them. Only writing the file anew does (contract 14.26).
import { type Inbox, inTransaction, toNotStored } from './open.ts';
import { getSecret } from './secrets.ts';

/** The row of `secrets` that is there while erased words may lie in the file: another value with each erasure. */
const MARK = 'erased';

/** Something was erased. Within the transaction that erases. */
export const noteErased = (inbox: Inbox): void =>
  void inbox
    .prepare(
      'insert into secrets values (?, randomblob(16)) on conflict do update set value = excluded.value',
    )
    .run(MARK);

/** Whether the file is to be compacted. */
export const isCompactDue = (inbox: Inbox): boolean => getSecret(inbox, MARK) !== null;

/**
 * Writes the inbox anew where something was erased, and empties its journal: a second with 10,000 submissions, in
 * which nobody else writes, and its size in memory and in the journal. False where somebody reads an older
 * state just now, whose bytes stay: to be done again. Throws AppError not_stored, inbox_busy.
 */
export function compact(inbox: Inbox): boolean {
  const mark = getSecret(inbox, MARK);
  if (mark === null) return true;
  // The rows wait in memory: a file of SQLite's own would have their bytes, too.
  inbox.pragma('temp_store = memory');
  try {
    inbox.exec('vacuum');
    if (inbox.pragma('wal_checkpoint(truncate)', { simple: true }) !== 0) return false;
  } catch (thrown) {
    throw toNotStored(thrown);
  }
  inTransaction(inbox, () =>
    inbox.prepare('delete from secrets where name = ? and value = ?').run(MARK, mark),
  );
  return true;
}
