// How a submission stands: its states, what its sender wants, and the whole as it is kept
// (decisions, Submissions 2).
import type { Submission } from './submission.ts';

export const SUBMISSION_STATES = [
  'pending',
  'changes_requested',
  'approved',
  'rejected',
  'withdrawn',
] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];
/** What the sender wants: to be published, or a change of what is. */
export const SUBMISSION_ASKS = ['publish', 'change', 'cancel', 'postpone'] as const;
export type SubmissionAsk = (typeof SUBMISSION_ASKS)[number];

export interface StoredSubmission {
  /** `HC-7K3M9Q`. */
  readonly reference: string;
  readonly channel: 'form' | 'agent';
  readonly state: SubmissionState;
  readonly asks: SubmissionAsk;
  /** The reviewer's words to the sender. */
  readonly reason: string | null;
  /** The sender's words to the reviewer. */
  readonly message: string | null;
  /** Timestamp of the newest text. */
  readonly received_at: string;
  /** From 1; one more with each correction. */
  readonly revision: number;
  readonly submission: Submission;
  /** A reviewer's edits, by control; null where nobody has edited. */
  readonly draft: Readonly<Record<string, string>> | null;
  /** Something of it is approved and in the agenda. */
  readonly is_published: boolean;
}
