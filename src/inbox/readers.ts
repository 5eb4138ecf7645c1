// Readers of Thursday's letter (contract 14.44), by the digest of the token of their private address. Their e-mail is
// held until they leave, or have not said yes in time.
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
import { findWeekDue, READER_MAIL } from '../domain/mail.ts';
import { noteErased } from './erase.ts';
import { insertLetter, insertMailStop, mayWriteTo, queueLetter, toMailReader } from './letters.ts';
import type { Inbox } from './open.ts';
import { toDigest, toToken } from './secret.ts';
import type { Tables } from './tables.ts';

const CONFIRM_MS = 7 * 24 * 3_600_000;
/** Letters in a row that were refused for good: the box is not there any more. */
const MAX_FAILURES = 3;

type Row = Selectable<Tables['readers']>;
export type Reader = Row & { readonly token: string };
/** `query`: the calendar's choices. */
type Choice = Pick<Row, 'lang' | 'query'>;

const toReaderToken = (inbox: Inbox, email: string): string =>
  toToken(inbox, toMailReader(inbox, email));

export async function findReader(inbox: Inbox, token_hash: string): Promise<Reader | null> {
  const found = inbox.db.selectFrom('readers').selectAll().where('token_hash', '=', token_hash);
  const row = await found.executeTakeFirst();
  return row ? { ...row, token: toReaderToken(inbox, row.email) } : null;
}

/**
 * Somebody typed an address, and its holder is asked. Who is a reader already keeps their choice and is sent the way to
 * it; who wants no mail is not written to. Nobody can tell these apart from outside.
 */
export async function askReader(inbox: Inbox, email: string, choice: Choice, asked_ms: number) {
  if (!(await mayWriteTo(inbox, email))) return;
  const token_hash = toDigest(toReaderToken(inbox, email));
  const asked = { ...choice, asked_ms };
  await inbox.db
    .insertInto('readers')
    .values({ ...asked, token_hash, email })
    .onConflict((known) =>
      known.column('token_hash').doUpdateSet(asked).where('readers.confirmed_ms', 'is', null),
    )
    .execute();
  await queueLetter(inbox, 'confirm', token_hash, asked_ms);
}

/** They say yes, or choose anew. */
export async function keepReader(inbox: Inbox, reader: Reader, choice: Choice, now_ms: number) {
  const { token_hash, confirmed_ms } = reader;
  const kept = { ...choice, confirmed_ms: confirmed_ms ?? now_ms };
  await inbox.db.updateTable('readers').set(kept).where('token_hash', '=', token_hash).execute();
  await inbox.db.deleteFrom('mail_stops').where('reader', '=', token_hash).execute();
}

/** Erases them, with the letters that wait for them; how many. */
const remove = (
  inbox: Inbox,
  which: (is: ExpressionBuilder<Tables, 'readers'>) => Expression<SqlBool>,
): Promise<number> =>
  inbox.transaction(async () => {
    const gone = await inbox.db.deleteFrom('readers').where(which).returningAll().execute();
    for (const { token_hash, confirmed_ms } of gone) {
      const letters = inbox.db.deleteFrom('letters').where('subject', '=', token_hash);
      await letters.where('kind', 'in', READER_MAIL).execute();
      if (confirmed_ms !== null) await insertMailStop(inbox, token_hash);
    }
    if (gone.length > 0) await noteErased(inbox);
    return gone.length;
  });

export const removeReader = (inbox: Inbox, { token_hash }: Reader) =>
  remove(inbox, (is) => is('token_hash', '=', token_hash));

/** Who did not say yes in time. */
export const forgetUnconfirmed = (inbox: Inbox, now_ms: number) =>
  remove(inbox, (is) => is.and({ confirmed_ms: null }).and('asked_ms', '<=', now_ms - CONFIRM_MS));

/** Those of a backup who have left since. */
export const removeLeft = (inbox: Inbox) =>
  remove(inbox, (is) => is('token_hash', 'in', is.selectFrom('mail_stops').select('reader')));

/** Queues Thursday's letter where it is due, once for each reader and week. */
export async function queueWeekly(inbox: Inbox, queued_ms: number): Promise<void> {
  const detail = findWeekDue(queued_ms);
  if (detail === null) return;
  await inbox.transaction(async () => {
    const due = inbox.db.updateTable('readers').set({ last_week: detail });
    const fresh = due
      .where('confirmed_ms', 'is not', null)
      .where((is) => is.or([is('last_week', 'is', null), is('last_week', '<', detail)]));
    for (const { token_hash: subject } of await fresh.returning('token_hash').execute())
      await insertLetter(inbox, { kind: 'weekly', subject, detail, queued_ms });
  });
}

/** What came of Thursday's letter; who cannot be reached again and again is no reader any more. */
export async function noteDelivery(inbox: Inbox, email: string, is_sent: boolean): Promise<void> {
  const token_hash = toDigest(toReaderToken(inbox, email));
  const noted = inbox.db
    .updateTable('readers')
    .set((is) => ({ failures: is_sent ? is.val(0) : is('failures', '+', 1) }));
  await noted.where('token_hash', '=', token_hash).execute();
  await remove(inbox, (is) => is.and({ token_hash }).and('failures', '>=', MAX_FAILURES));
}
