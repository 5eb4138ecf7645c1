// What is private of what somebody sent, on its private page: until when it is held, whether its sender is
// asked to have it erased, and the erasing (contract 14.26).
import type { SubmissionChange } from '../../domain/change.ts';
import { erasePrivateData, getPrivateData } from '../../desk/retention.ts';
import { canUnsubscribe, unsubscribe } from '../../inbox/outbox.ts';
import { type RedirectResult, redirectAfterPost, type VisitorRequest } from '../visitor-request.ts';

export type PrivacyView = Awaited<ReturnType<typeof loadPrivacy>>;

/** Of one submission, or of all of a calendar. */
export async function loadPrivacy(
  { inbox, method, query }: VisitorRequest,
  sent: readonly SubmissionChange[],
) {
  const { stop = '' } = query;
  const references = sent.map(({ reference }) => reference);
  return {
    /** Null where nothing is held. */
    held: await getPrivateData(inbox, ...references),
    /** Its sender is asked whether to erase that. */
    is_erasing: method === 'GET' && query.does === 'erase',
    /** What a letter to its address has: then nobody writes there again, if its reader wants that. */
    stop_key: (await canUnsubscribe(inbox, references, stop)) ? stop : null,
    is_published: sent.some((stored) => stored.is_published),
  };
}

/** Erases what is private under a reference, and has its address left alone where its reader wants that. */
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
