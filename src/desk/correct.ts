// What a sender may still do with a submission: correct it, withdraw it, ask that what is published
// be cancelled or postponed.
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { FORM_FIELDS } from '../domain/submission/form.ts';
import type { Submission } from '../domain/submission/submission.ts';
import type { StoredSubmission } from '../domain/submission/state.ts';
import { getSubmission } from '../inbox/submissions.ts';
import type { Inbox } from '../inbox/open.ts';
import { countSender } from './submit.ts';

/** Characters of a sender's words with a request. */
export const MAX_MESSAGE = 600;

/** Whose submission and when; `sender` is counted as for a new one. */
interface Change {
  readonly reference: string;
  readonly sender: string;
  readonly now_ms: number;
}

function read(inbox: Inbox, reference: string): StoredSubmission {
  const stored = getSubmission(inbox, reference);
  if (stored === null) throw new AppError('not_found', 'reference: there is no such submission');
  return stored;
}

/**
 * A new text, to be reviewed like the first; what is published stays until then. Throws AppError
 * rate_limited.
 */
export function correctSubmission(
  inbox: Inbox,
  { reference, sender, now_ms, submission }: Change & { readonly submission: Submission },
): void {
  inbox
    .transaction(() => {
      const stored = read(inbox, reference);
      const record = JSON.stringify(submission);
      if (record === JSON.stringify(stored.submission) && stored.state === 'pending') return;
      countSender(inbox, sender, now_ms);
      const at = formatTimestamp(now_ms);
      inbox
        .prepare(
          "update submissions set state = 'pending', asks = ?, reason = null, message = null, draft = ?, revision = ?, record = ?, received_at = ? where reference = ?",
        )
        .run(
          stored.is_published ? 'change' : 'publish',
          keepAdditions(stored),
          stored.revision + 1,
          record,
          at,
          reference,
        );
      inbox
        .prepare('insert into submission_texts values (?, ?, ?, ?)')
        .run(reference, stored.revision + 1, at, record);
    })
    .immediate();
}

/**
 * What a reviewer wrote beside the text, the other language above all, stays; edits of the text
 * itself go with that text.
 */
function keepAdditions({ draft }: StoredSubmission): string | null {
  const own: readonly string[] = FORM_FIELDS;
  const rest = Object.entries(draft ?? {}).filter(([name]) => !own.includes(name));
  return rest.length === 0 ? null : JSON.stringify(Object.fromEntries(rest));
}

/**
 * Takes back what waits; what is published stays published. Throws AppError where nothing waits.
 */
export function withdrawSubmission(inbox: Inbox, reference: string): void {
  inbox
    .transaction(() => {
      const stored = read(inbox, reference);
      if (stored.state !== 'pending' && stored.state !== 'changes_requested')
        throw new AppError('invalid_parameter', 'state: nothing waits that could be withdrawn');
      inbox
        .prepare('update submissions set state = ?, message = null where reference = ?')
        .run(stored.is_published ? 'approved' : 'withdrawn', reference);
    })
    .immediate();
}

/**
 * Asks a person to cancel or postpone what is published. Throws AppError where nothing is, or
 * rate_limited.
 */
export function requestChange(
  inbox: Inbox,
  {
    reference,
    sender,
    now_ms,
    asks,
    message,
  }: Change & { readonly asks: 'cancel' | 'postpone'; readonly message: string },
): void {
  inbox
    .transaction(() => {
      const stored = read(inbox, reference);
      if (!stored.is_published)
        throw new AppError(
          'invalid_parameter',
          'state: it is not published, so there is nothing to change',
        );
      if (stored.state === 'pending' && stored.asks === asks && stored.message === message) return;
      countSender(inbox, sender, now_ms);
      inbox
        .prepare(
          "update submissions set state = 'pending', asks = ?, message = ?, reason = null, revision = revision + 1, received_at = ? where reference = ?",
        )
        .run(asks, message.slice(0, MAX_MESSAGE), formatTimestamp(now_ms), reference);
    })
    .immediate();
}
