// The text that a reviewer looks at: what was sent, with the edits made to it, understood like any
// submission.
import type { StoredSubmission } from '../domain/submission/state.ts';
import {
  FORM_FIELDS,
  type FormValues,
  toFormValues,
  toSubmissionInput,
} from '../domain/submission/form.ts';
import {
  type KnownPlaces,
  readSubmission,
  type Submission,
  type SubmissionIssue,
} from '../domain/submission/submission.ts';
import { ADDITIONS, type Additions } from '../sources/inbox/publication.ts';

export interface ReviewedText {
  readonly values: FormValues;
  readonly additions: Additions;
  /** Null where there are faults. */
  readonly submission: Submission | null;
  readonly issues: readonly SubmissionIssue[];
}

/** `edits` by control, or null for what was kept of them; what nobody edited is what was sent. */
export function readReviewedText(
  stored: StoredSubmission,
  edits: Readonly<Record<string, string>> | null,
  places: KnownPlaces,
  now_ms: number,
): ReviewedText {
  const fields = edits ?? stored.draft;
  const additions: Additions = Object.fromEntries(
    ADDITIONS.flatMap((name) => (fields?.[name] ? [[name, fields[name]]] : [])),
  );
  const edited: FormValues = Object.fromEntries(
    FORM_FIELDS.flatMap((name) => (fields?.[name] ? [[name, fields[name]]] : [])),
  );
  // After a correction only the additions are kept of a draft.
  const values =
    edits === null && Object.keys(edited).length === 0 ? toFormValues(stored.submission) : edited;
  const { input, issues } = toSubmissionInput(values);
  const reading = readSubmission(input, places, now_ms, true);
  const all = [...issues, ...reading.issues];
  return { values, additions, submission: all.length > 0 ? null : reading.submission, issues: all };
}

/** What is worth keeping of a sent review form. */
export const toDraft = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    [...FORM_FIELDS, ...ADDITIONS].flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])),
  );
