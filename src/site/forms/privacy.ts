// Privacy section of the private pages: loads until when private data of submissions, such as email
// addresses, is retained, and erases it on request (contract 14.26). `stop`: key of an email's
// unsubscribe link.
import type { SubmissionChange } from '../../domain/change.ts';
import { erasePrivateData, getPrivateData } from '../../desk/retention.ts';
import { canUnsubscribe, unsubscribe } from '../../inbox/outbox.ts';
import { type RedirectResult, redirectAfterPost, type VisitorRequest } from '../visitor-request.ts';

export type PrivacyView = Awaited<ReturnType<typeof loadPrivacy>>;

/** Loads the privacy section of one submission, or of all submissions of a calendar. */
export async function loadPrivacy(
  { inbox, method, query }: VisitorRequest,
  submissions: readonly SubmissionChange[],
) {
  const { stop = '' } = query;
  const references = submissions.map(({ reference }) => reference);
  return {
    /** Null if no private data is stored. */
    private_data: await getPrivateData(inbox, ...references),
    /** Shows the confirmation before erasing. */
    is_erasing: method === 'GET' && query.does === 'erase',
    /**
     * Unsubscribe key of the email whose link was followed: offers to block further email. Null if
     * it has none.
     */
    unsubscribe_key: (await canUnsubscribe(inbox, references, stop)) ? stop : null,
    is_published: submissions.some((stored) => stored.is_published),
  };
}

/**
 * Erases the private data of a submission or calendar, and unsubscribes its email address if
 * requested.
 * @param reference Reference of the submission or of the whole calendar.
 * @param references References of all submissions concerned.
 * @param path Path of the private page, to which it redirects.
 */
export async function erasePrivate(
  { inbox, fields }: VisitorRequest,
  reference: string,
  references: readonly string[],
  path: string,
): Promise<RedirectResult> {
  if (fields.stop) await unsubscribe(inbox, references, fields.stop);
  await erasePrivateData(inbox, reference, null);
  return redirectAfterPost(`${path}?erased=1`);
}
