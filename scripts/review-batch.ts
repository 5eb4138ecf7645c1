// npm run review: a calendar that was brought in, shown and approved as one.
import { approveBatch, listWaiting } from '../src/desk/batch-review.ts';
import { listSent } from '../src/desk/batch-sent.ts';
import { toKnown } from '../src/desk/known.ts';
import { toCleanLine } from '../src/domain/clean-text.ts';
import { getBatch } from '../src/inbox/batches.ts';
import { suggestAdditions } from '../src/site/desk/batch.ts';
import type { QueueTerminal } from './review-queue.ts';

/** Its events, a line each; null where the reference is no calendar's. */
export function showBatchInTerminal({ inbox }: QueueTerminal, id: string): string | null {
  const batch = getBatch(inbox, id);
  if (batch === null) return null;
  const lines = listSent(inbox, batch).map(({ stored: { reference, state, submission } }) =>
    [reference, state.padEnd(17), submission.start.padEnd(16), toCleanLine(submission.title)].join(
      '  ',
    ),
  );
  const from = batch.url === null ? 'a file' : batch.url;
  return [`${batch.reference}  ${toCleanLine(batch.name)}  from ${from}`, ...lines].join('\n');
}

/**
 * Approves what waits of a calendar, but for the references in `except`, with what would be suggested
 * at the desk; null where the reference is no calendar's. Throws where nothing could be approved.
 */
export function approveBatchInTerminal(
  { inbox, snapshot, actor }: QueueTerminal,
  id: string,
  except: readonly string[],
): string | null {
  const batch = getBatch(inbox, id);
  if (batch === null) return null;
  const left_out = new Set(except.map((one) => one.toUpperCase()));
  const chosen = listWaiting(inbox, batch)
    .filter(({ reference }) => !left_out.has(reference))
    .map((stored) => {
      const { reference, revision } = stored;
      return { reference, revision, edits: suggestAdditions(snapshot, stored) };
    });
  const { approved, issues } = approveBatch(inbox, toKnown(snapshot), actor, batch, chosen);
  const why = issues.map(({ reference, field, why: said }) => `  ${reference} ${field}: ${said}`);
  if (approved.length === 0) throw new Error(['Nothing can be approved:', ...why].join('\n'));
  return [
    `${approved.length} of ${batch.reference} are approved. npm run review -- undo takes that back.`,
    ...(why.length === 0 ? [] : ['Not these:', ...why]),
  ].join('\n');
}
