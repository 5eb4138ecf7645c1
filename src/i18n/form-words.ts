// The words of the form's controls: what each asks for, what helps, what there is to choose from.
import { WEEKDAYS } from '../domain/edit/rule-fields.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import { type Control, type FormField, isHinted } from '../domain/submission/controls.ts';
import { OFFERED_LANGUAGES } from '../domain/submission/fields.ts';
import { type Key, t, toLanguageNames } from './translate.ts';

/** What a control asks for. */
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
  'repeat.monthly_weekday': 'submit.choice.repeat.monthly_weekday',
  'repeat.monthly_last': 'submit.choice.repeat.monthly_last',
  ...Object.fromEntries(WEEKDAYS.map((day) => [`weekdays.${day}`, `recurrence.weekday.${day}`])),
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
