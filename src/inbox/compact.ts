// What erased words leave behind in the files of a store goes when they are written anew (contract 14.26).
import { randomBytes } from 'node:crypto';
import type { Inbox } from './open.ts';

/** The row of `secrets` that is there while erased words may lie in the files: another value with each erasure. */
const MARK = 'erased';

/** Something was erased. Within the transaction that erases. */
export async function noteErased(inbox: Inbox): Promise<void> {
  await inbox.db
    .insertInto('secrets')
    .values({ name: MARK, value: randomBytes(16) })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ value: row.ref('excluded.value') })),
    )
    .execute();
}

const readMark = (inbox: Inbox) =>
  inbox.db.selectFrom('secrets').select('value').where('name', '=', MARK).executeTakeFirst();

/** Whether the inbox is to be compacted. */
export const isCompactDue = async (inbox: Inbox): Promise<boolean> =>
  (await readMark(inbox)) !== undefined;

/**
 * Writes the inbox anew where something was erased: a second with 10,000 submissions, in which nobody else writes,
 * and its size in memory and in the journal. False where somebody reads an older state just now, whose bytes
 * stay: to be done again. Throws AppError not_stored, inbox_busy.
 */
export async function compact(inbox: Inbox): Promise<boolean> {
  const mark = await readMark(inbox);
  if (mark === undefined) return true;
  if (!(await inbox.compact())) return false;
  await inbox.transaction(() =>
    inbox.db
      .deleteFrom('secrets')
      .where('name', '=', MARK)
      .where('value', '=', mark.value)
      .execute(),
  );
  return true;
}
