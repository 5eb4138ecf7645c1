// What was sent of a calendar: its submissions, whom a letter about them goes to, and its private address.
import type { BatchItem, StoredBatch } from '../domain/batch/batch.ts';
import { listBatchItems } from '../inbox/batches.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission } from '../inbox/submissions.ts';
import { readToken, toBatchToken } from './secret.ts';

/**
 * In the order of sending, each with the token of its own address; null where that cannot be told any
 * more.
 */
export const listSent = (
  inbox: Inbox,
  { id }: StoredBatch,
): readonly (BatchItem & { readonly token: string | null })[] =>
  listBatchItems(inbox, id).flatMap(({ reference, uid, digest }) => {
    const stored = getSubmission(inbox, reference);
    return stored === null ? [] : [{ uid, digest, stored, token: readToken(inbox, reference) }];
  });

/** The e-mail that its sender gave last; null where none is held. */
export function readBatchEmail(inbox: Inbox, batch: StoredBatch): string | null {
  const newest_first = listSent(inbox, batch)
    .map(({ stored }) => stored)
    .reverse()
    .sort((one, other) => other.received_at.localeCompare(one.received_at));
  const held = newest_first.find(({ submission }) => submission.contact_email !== null);
  return held?.submission.contact_email ?? null;
}

/** The token of its private address, which is stored nowhere; null of one from an older version. */
export const readBatchToken = (inbox: Inbox, { seed }: StoredBatch): string | null =>
  seed === null ? null : toBatchToken(inbox, seed);
