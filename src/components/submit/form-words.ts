// What is wrong with a form, and the id of each of its controls on its page.
import type { Lang } from '../../domain/lang.ts';
import type { FormField } from '../../domain/submission/controls.ts';
import { toLabel } from '../../i18n/form-words.ts';

export const toControlId = (name: string): string => `f-${name.replaceAll('_', '-')}`;

/** One thing that is wrong with a form: the id and the label of its control, and the sentence. */
export interface IssueLine {
  readonly id: string;
  readonly label: string;
  readonly sentence: string;
}

/** What is wrong with the form of a submission. */
export const toIssueLines = (issues: ReadonlyMap<FormField, string>, lang: Lang): IssueLine[] =>
  [...issues].map(([name, sentence]) => ({
    id: toControlId(name),
    label: toLabel(name, lang),
    sentence,
  }));
