// Readers of Thursday's letter (contract 14.44), by the digest of the token of their private address. Their e-mail is
// held until they leave, or have not said yes in time.
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
import { findDueNewsletterDate, SUBSCRIBER_MAIL_KINDS } from '../domain/mail-limits.ts';
import { markErased } from './erase.ts';
import {
  insertQueuedEmail,
  insertUnsubscription,
  canSendTo,
  enqueueEmail,
  emailRecipientDigest,
} from './outbox.ts';
import type { Inbox } from './open.ts';
import { sha256Hex, deriveStatusToken } from './secrets.ts';
import type { Tables } from './tables.ts';

const CONFIRM_MS = 7 * 24 * 3_600_000;
/** Letters in a row that were refused for good: the box is not there any more. */
const MAX_FAILURES = 3;

type Row = Selectable<Tables['readers']>;
export type Subscriber = Row & { readonly token: string };
/** `query`: the calendar's choices. */
type SubscriptionPreferences = Pick<Row, 'lang' | 'query'>;

const toReaderToken = (inbox: Inbox, email: string): string =>
  deriveStatusToken(inbox, emailRecipientDigest(inbox, email));

export async function getSubscriber(inbox: Inbox, token_hash: string): Promise<Subscriber | null> {
  const found = inbox.db.selectFrom('readers').selectAll().where('token_hash', '=', token_hash);
  const row = await found.executeTakeFirst();
  return row ? { ...row, token: toReaderToken(inbox, row.email) } : null;
}

/**
 * Somebody typed an address, and its holder is asked. Who is a reader already keeps their choice and is sent the way to
 * it; who wants no mail is not written to. Nobody can tell these apart from outside.
 */
export async function requestSubscription(
  inbox: Inbox,
  email: string,
  choice: SubscriptionPreferences,
  asked_ms: number,
) {
  if (!(await canSendTo(inbox, email))) return;
  const token_hash = sha256Hex(toReaderToken(inbox, email));
  const asked = { ...choice, asked_ms };
  await inbox.db
    .insertInto('readers')
    .values({ ...asked, token_hash, email })
    .onConflict((known) =>
      known.column('token_hash').doUpdateSet(asked).where('readers.confirmed_ms', 'is', null),
    )
    .execute();
  await enqueueEmail(inbox, 'confirm', token_hash, asked_ms);
}

/** They say yes, or choose anew. */
export async function confirmSubscriber(
  inbox: Inbox,
  reader: Subscriber,
  choice: SubscriptionPreferences,
  now_ms: number,
) {
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
      await letters.where('kind', 'in', SUBSCRIBER_MAIL_KINDS).execute();
      if (confirmed_ms !== null) await insertUnsubscription(inbox, token_hash);
    }
    if (gone.length > 0) await markErased(inbox);
    return gone.length;
  });

export const deleteSubscriber = (inbox: Inbox, { token_hash }: Subscriber) =>
  remove(inbox, (is) => is('token_hash', '=', token_hash));

/** Who did not say yes in time. */
export const deleteUnconfirmedSubscribers = (inbox: Inbox, now_ms: number) =>
  remove(inbox, (is) => is.and({ confirmed_ms: null }).and('asked_ms', '<=', now_ms - CONFIRM_MS));

/** Those of a backup who have left since. */
export const deleteSubscribersWhoLeft = (inbox: Inbox) =>
  remove(inbox, (is) => is('token_hash', 'in', is.selectFrom('mail_stops').select('reader')));

/** Queues Thursday's letter where it is due, once for each reader and week. */
export async function enqueueNewsletter(inbox: Inbox, queued_ms: number): Promise<void> {
  const detail = findDueNewsletterDate(queued_ms);
  if (detail === null) return;
  await inbox.transaction(async () => {
    const due = inbox.db.updateTable('readers').set({ last_week: detail });
    const fresh = due
      .where('confirmed_ms', 'is not', null)
      .where((is) => is.or([is('last_week', 'is', null), is('last_week', '<', detail)]));
    for (const { token_hash: subject } of await fresh.returning('token_hash').execute())
      await insertQueuedEmail(inbox, { kind: 'weekly', subject, detail, queued_ms });
  });
}

/** What came of Thursday's letter; who cannot be reached again and again is no reader any more. */
export async function recordDelivery(inbox: Inbox, email: string, is_sent: boolean): Promise<void> {
  const token_hash = sha256Hex(toReaderToken(inbox, email));
  const noted = inbox.db
    .updateTable('readers')
    .set((is) => ({ failures: is_sent ? is.val(0) : is('failures', '+', 1) }));
  await noted.where('token_hash', '=', token_hash).execute();
  await remove(inbox, (is) => is.and({ token_hash }).and('failures', '>=', MAX_FAILURES));
}
