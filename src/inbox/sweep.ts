// What erased words leave behind: where SQLite moves rows from page to page, their old bytes stay in the unused
// part of a page, and secure_delete does not reach them. Only writing a table anew does (contract 14.26).
import * as v from 'valibot';
import { type Inbox, inTransaction } from './open.ts';

/** Where private words stand: in a row, in an older text of it, or in the rows that a decision holds. */
const TABLES = ['submissions', 'submission_texts', 'corrections', 'decisions'] as const;

/** Something was erased whose bytes may still lie in the file. Within the transaction that erases. */
export const noteUnswept = (inbox: Inbox): void =>
  void inbox.prepare('insert into unswept values (null)').run();

/** The newest of what was erased since the file was swept; null where nothing was. */
const findUnswept = (inbox: Inbox): number | null =>
  v.parse(v.nullable(v.number()), inbox.prepare('select max(erasure) from unswept').pluck().get());

/** Whether the file is to be swept. */
export const isUnswept = (inbox: Inbox): boolean => findUnswept(inbox) !== null;

/**
 * Writes those tables anew where something was erased, each in a transaction of its own: a table that is emptied
 * leaves blank pages, and only what stands in its rows comes back. One of 10,000 rows takes a third of a second,
 * in which nobody else writes, and as much room in memory and in the journal. False where somebody reads
 * an older state just now, whose bytes stay in the journal: to be done again. Throws AppError not_stored,
 * inbox_busy.
 */
export function sweep(inbox: Inbox): boolean {
  const newest = findUnswept(inbox);
  if (newest === null) return true;
  inbox.pragma('secure_delete = on');
  // The rows wait in memory: a file of SQLite's own would have their bytes, too.
  inbox.pragma('temp_store = memory');
  for (const table of TABLES)
    inTransaction(inbox, () =>
      inbox.exec(
        `create temp table held as select * from main.${table}; delete from main.${table};
         insert into main.${table} select * from held; drop table held`,
      ),
    );
  if (!emptyJournal(inbox)) return false;
  inTransaction(inbox, () => inbox.prepare('delete from unswept where erasure <= ?').run(newest));
  return true;
}

/** Works the journal into the file and empties it. False where somebody reads an older state just now. */
export const emptyJournal = (inbox: Inbox): boolean =>
  inbox.pragma('wal_checkpoint(truncate)', { simple: true }) === 0;
