// What was sent of a calendar: its submissions, whom a letter about them goes to, and its private address.
import type { BatchItem, StoredBatch } from '../domain/batch/batch.ts';
import { listBatchItems } from '../inbox/batches.ts';
import { inTurn } from '../inbox/in-turn.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission } from '../inbox/submissions.ts';
import { readToken, toBatchToken } from './secret.ts';

/**
 * In the order of sending, each with the token of its own address; null where that cannot be told any
 * more.
 */
export async function listSent(
  inbox: Inbox,
  { id }: StoredBatch,
): Promise<readonly (BatchItem & { readonly token: string | null })[]> {
  const items = await listBatchItems(inbox, id);
  const sent = await inTurn(items, async ({ reference, uid, digest }) => {
    const stored = await getSubmission(inbox, reference);
    return stored && { uid, digest, stored, token: await readToken(inbox, reference) };
  });
  return sent.filter((one) => one !== null);
}

/** The e-mail that its sender gave last; null where none is held. */
export async function readBatchEmail(inbox: Inbox, batch: StoredBatch): Promise<string | null> {
  const newest_first = (await listSent(inbox, batch))
    .map(({ stored }) => stored)
    .reverse()
    .sort((one, other) => other.received_at.localeCompare(one.received_at));
  const held = newest_first.find(({ submission }) => submission.contact_email !== null);
  return held?.submission.contact_email ?? null;
}

/** The token of its private address, which is stored nowhere; null of one from an older version. */
export const readBatchToken = (inbox: Inbox, { seed }: StoredBatch): string | null =>
  seed === null ? null : toBatchToken(inbox, seed);
