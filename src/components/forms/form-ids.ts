// The ids of controls on their page, and what is wrong with a form as lines of its summary.
import type { Lang } from '../../domain/lang.ts';
import type { RecordKind } from '../../domain/record-history.ts';
import { controlLabel } from '../../i18n/format-forms.ts';

/** The id of the list of known places. */
export const VENUE_DATALIST_ID = 'f-venue-name-known';

export const controlId = (name: string): string => `f-${name.replaceAll(/[_.]/g, '-')}`;

/** One thing that is wrong with a form: the id and the label of its control, and the sentence. */
export interface IssueLine {
  readonly id: string;
  readonly label: string;
  readonly sentence: string;
}

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
