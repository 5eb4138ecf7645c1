// Newsletter subscribers (contract 14.44): stores their preferences under the digest of the token in their private
// address. Their email is stored until they unsubscribe, or until the confirmation period ends.
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

/** Time to confirm a subscription before it is deleted. */
const CONFIRM_MS = 7 * 24 * 3_600_000;
/** Permanently rejected newsletters in a row after which a subscriber is deleted: the mailbox is gone. */
const MAX_FAILURES = 3;

type Row = Selectable<Tables['readers']>;
/** Row of `readers` (tables.ts), with the token of the private address. */
export type Subscriber = Row & { readonly token: string };
/** `query` is the query string of a feed: it selects the events. */
type SubscriptionPreferences = Pick<Row, 'lang' | 'query'>;

const deriveSubscriberToken = (inbox: Inbox, email: string): string =>
  deriveStatusToken(inbox, emailRecipientDigest(inbox, email));

export async function getSubscriber(inbox: Inbox, token_hash: string): Promise<Subscriber | null> {
  const subscribers = inbox.db.selectFrom('readers').selectAll();
  const row = await subscribers.where('token_hash', '=', token_hash).executeTakeFirst();
  return row ? { ...row, token: deriveSubscriberToken(inbox, row.email) } : null;
}

/**
 * Queues a confirmation email for an entered address. Existing subscribers keep their preferences and receive the link to
 * them; unsubscribed addresses receive nothing. The response does not reveal which case applies.
 */
export async function requestSubscription(
  inbox: Inbox,
  email: string,
  preferences: SubscriptionPreferences,
  asked_ms: number,
) {
  if (!(await canSendTo(inbox, email))) return;
  const token_hash = sha256Hex(deriveSubscriberToken(inbox, email));
  const request = { ...preferences, asked_ms };
  await inbox.db
    .insertInto('readers')
    .values({ ...request, token_hash, email })
    .onConflict((conflict) =>
      conflict.column('token_hash').doUpdateSet(request).where('readers.confirmed_ms', 'is', null),
    )
    .execute();
  await enqueueEmail(inbox, 'confirm', token_hash, asked_ms);
}

/** Confirms a subscription, or changes its preferences. */
export async function confirmSubscriber(
  inbox: Inbox,
  subscriber: Subscriber,
  preferences: SubscriptionPreferences,
  now_ms: number,
) {
  const { token_hash, confirmed_ms } = subscriber;
  const values = { ...preferences, confirmed_ms: confirmed_ms ?? now_ms };
  await inbox.db.updateTable('readers').set(values).where('token_hash', '=', token_hash).execute();
  // A former subscriber has subscribed again.
  await inbox.db.deleteFrom('mail_stops').where('reader', '=', token_hash).execute();
}

/** Deletes the subscribers that match a condition, with their queued emails. @returns the number of deleted ones. */
const deleteSubscribersWhere = (
  inbox: Inbox,
  condition: (is: ExpressionBuilder<Tables, 'readers'>) => Expression<SqlBool>,
): Promise<number> =>
  inbox.transaction(async () => {
    const deleted = await inbox.db.deleteFrom('readers').where(condition).returningAll().execute();
    for (const { token_hash, confirmed_ms } of deleted) {
      const emails = inbox.db.deleteFrom('letters').where('subject', '=', token_hash);
      await emails.where('kind', 'in', SUBSCRIBER_MAIL_KINDS).execute();
      // So that restoring an older backup deletes them again.
      if (confirmed_ms !== null) await insertUnsubscription(inbox, token_hash);
    }
    if (deleted.length > 0) await markErased(inbox);
    return deleted.length;
  });

export const deleteSubscriber = (inbox: Inbox, { token_hash }: Subscriber) =>
  deleteSubscribersWhere(inbox, (is) => is('token_hash', '=', token_hash));

export const deleteUnconfirmedSubscribers = (inbox: Inbox, now_ms: number) =>
  deleteSubscribersWhere(inbox, (is) =>
    is.and({ confirmed_ms: null }).and('asked_ms', '<=', now_ms - CONFIRM_MS),
  );

/** Deletes the subscribers of a restored backup who unsubscribed after it was made. */
export const deleteFormerSubscribers = (inbox: Inbox) =>
  deleteSubscribersWhere(inbox, (is) =>
    is('token_hash', 'in', is.selectFrom('mail_stops').select('reader')),
  );

/** Queues the newsletter if it is due, once per subscriber and week. */
export async function enqueueNewsletter(inbox: Inbox, queued_ms: number): Promise<void> {
  const newsletter_date = findDueNewsletterDate(queued_ms);
  if (newsletter_date === null) return;
  await inbox.transaction(async () => {
    const subscribers = inbox.db.updateTable('readers').set({ last_week: newsletter_date });
    const due = subscribers
      .where('confirmed_ms', 'is not', null)
      .where((is) => is.or([is('last_week', 'is', null), is('last_week', '<', newsletter_date)]));
    const email = { kind: 'weekly', detail: newsletter_date, queued_ms } as const;
    for (const { token_hash } of await due.returning('token_hash').execute())
      await insertQueuedEmail(inbox, { ...email, subject: token_hash });
  });
}

/** Records if a newsletter was delivered, and deletes the subscriber after too many failures in a row. */
export async function recordDelivery(inbox: Inbox, email: string, is_sent: boolean): Promise<void> {
  const token_hash = sha256Hex(deriveSubscriberToken(inbox, email));
  const update = inbox.db
    .updateTable('readers')
    .set((is) => ({ failures: is_sent ? is.val(0) : is('failures', '+', 1) }));
  await update.where('token_hash', '=', token_hash).execute();
  await deleteSubscribersWhere(inbox, (is) =>
    is.and({ token_hash }).and('failures', '>=', MAX_FAILURES),
  );
}
