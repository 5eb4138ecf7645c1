// Form ids: derives the DOM ids of controls, and builds the lines of the issue summary that link to
// them.
import type { Lang } from '../../domain/lang.ts';
import type { RecordKind } from '../../domain/record-history.ts';
import { controlLabel } from '../../i18n/format-forms.ts';

/** DOM id of the datalist of venues. */
export const VENUE_DATALIST_ID = 'f-venue-name-known';

/** Returns the DOM id of a control: `f-start-date` for `start_date`. */
export const controlId = (name: string): string => `f-${name.replaceAll(/[_.]/g, '-')}`;

/** An issue with the DOM id and label of its control. */
export interface IssueLine {
  readonly id: string;
  readonly label: string;
  readonly sentence: string;
}

/**
 * Builds the lines of an issue summary.
 * @param issues Sentences, by name of the control.
 * @param kind Kind of the edited record, for its labels; undefined in the sender's form.
 */
export const buildIssueLines = (
  issues: ReadonlyMap<string, string>,
  lang: Lang,
  kind?: RecordKind,
): IssueLine[] =>
  [...issues].map(([name, sentence]) => ({
    id: controlId(name),
    label: controlLabel(name, lang, kind),
    sentence,
  }));
