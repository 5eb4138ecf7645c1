// The text that a reviewer looks at: what was sent, with the edits made to it, understood like any
// submission.
import type { KeptSubmission } from '../domain/submission/state.ts';
import {
  FORM_FIELDS,
  type FormValues,
  toFormValues,
  toSubmissionInput,
} from '../domain/submission/form.ts';
import {
  type KnownTown,
  readSubmission,
  type Submission,
  type SubmissionFault,
} from '../domain/submission/submission.ts';
import { ADDITIONS, type Additions } from '../sources/inbox/publication.ts';

export interface ReviewedText {
  readonly values: FormValues;
  readonly additions: Additions;
  /** Null where there are faults. */
  readonly submission: Submission | null;
  readonly faults: readonly SubmissionFault[];
}

/** `edits` by control, or null for what was kept of them; what nobody edited is what was sent. */
export function readReviewedText(
  kept: KeptSubmission,
  edits: Readonly<Record<string, string>> | null,
  town: KnownTown,
  now_ms: number,
): ReviewedText {
  const fields = edits ?? kept.draft;
  const additions: Additions = Object.fromEntries(
    ADDITIONS.flatMap((name) => (fields?.[name] ? [[name, fields[name]]] : [])),
  );
  const edited: FormValues = Object.fromEntries(
    FORM_FIELDS.flatMap((name) => (fields?.[name] ? [[name, fields[name]]] : [])),
  );
  // After a correction only the additions are kept of a draft.
  const values =
    edits === null && Object.keys(edited).length === 0 ? toFormValues(kept.submission) : edited;
  const { input, faults } = toSubmissionInput(values);
  const reading = readSubmission(input, town, now_ms, true);
  const all = [...faults, ...reading.faults];
  return { values, additions, submission: all.length > 0 ? null : reading.submission, faults: all };
}

/** What is worth keeping of a sent review form. */
export const toDraft = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    [...FORM_FIELDS, ...ADDITIONS].flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])),
  );
