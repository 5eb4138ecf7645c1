// The words of the form's controls, and the id of each on its page.
import { type Lang, LANGS } from '../../domain/lang.ts';
import { type Control, type FormField, isHinted } from '../../domain/submission/controls.ts';
import { OFFERED_LANGUAGES } from '../../domain/submission/fields.ts';
import { type Key, t, toLanguageNames } from '../../i18n/translate.ts';

export const toControlId = (name: string): string => `f-${name.replaceAll('_', '-')}`;

export const toLabel = (name: FormField, lang: Lang): string => t(lang, `submit.label.${name}`);

/** The help of a control that has some. */
export const toHint = ({ name }: Control, lang: Lang): string | null =>
  isHinted(name) ? t(lang, `submit.hint.${name}`) : null;

const CHOICES: Readonly<Record<string, Key>> = {
  ...Object.fromEntries(LANGS.map((one) => [`lang.${one}`, `submit.choice.lang.${one}`])),
  'repeat.': 'submit.choice.repeat.never',
  'repeat.daily': 'submit.choice.repeat.daily',
  'repeat.weekly': 'submit.choice.repeat.weekly',
  'repeat.biweekly': 'submit.choice.repeat.biweekly',
  'repeat.monthly': 'submit.choice.repeat.monthly',
  'price_kind.free': 'submit.choice.price.free',
  'price_kind.fixed': 'submit.choice.price.fixed',
  'price_kind.unknown': 'submit.choice.price.unknown',
};

/** The word for one fixed choice of a control. */
export function toChoiceLabel(name: FormField, value: string, lang: Lang): string {
  const key = CHOICES[`${name}.${value}`];
  if (key) return t(lang, key);
  return OFFERED_LANGUAGES.some((code) => code === value) ? toLanguageNames([value], lang) : value;
}

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
