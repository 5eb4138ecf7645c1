// What is wrong with a form, and the id of each of its controls on its page.
import type { Lang } from '../../domain/lang.ts';
import type { Control, FormField } from '../../domain/submission/controls.ts';
import type { FormState } from '../../site/forms/read-form.ts';
import { toLabel } from '../../i18n/form-words.ts';

/** The id of the list of known places. */
export const PLACES = 'f-venue-name-known';

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

/** Of a form that nobody has filled in: the language of the page. */
const GIVEN: readonly FormField[] = ['lang', 'languages'];

/** Whether something stands in these controls that was not there from the start, or is wrong with them. */
export const isFilledIn = (
  controls: readonly Control[],
  { values, issues }: FormState,
  lang: Lang,
): boolean =>
  controls.some(
    ({ name }) =>
      issues.has(name) ||
      (Boolean(values[name]) && !(GIVEN.includes(name) && values[name] === lang)),
  );
