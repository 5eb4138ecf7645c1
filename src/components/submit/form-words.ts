// The words of the form's controls.
import type { FormField } from '../../domain/submission/form.ts';
import { OFFERED_LANGUAGES } from '../../domain/submission/form.ts';
import type { Lang } from '../../domain/lang.ts';
import { toLanguageNames, type Key, t } from '../../i18n/translate.ts';
import type { Control } from './form-sections.ts';

export const toLabel = (name: FormField, lang: Lang): string => t(lang, `submit.label.${name}`);

const HINTS: Readonly<Partial<Record<FormField, Key>>> = {
  title: 'submit.hint.title',
  description: 'submit.hint.description',
  end_date: 'submit.hint.end_date',
  end_time: 'submit.hint.end_time',
  dates: 'submit.hint.dates',
  venue: 'submit.hint.venue',
  price_note: 'submit.hint.price_note',
  source_url: 'submit.hint.source_url',
  age_restriction: 'submit.hint.age_restriction',
  image_url: 'submit.hint.image_url',
  contact_email: 'submit.hint.contact_email',
};

/** The help of a control that has some. */
export function toHint({ name, has_hint }: Control, lang: Lang): string | null {
  const key = HINTS[name];
  return has_hint && key ? t(lang, key) : null;
}

const CHOICES: Readonly<Record<string, Key>> = {
  'lang.es': 'submit.choice.lang.es',
  'lang.en': 'submit.choice.lang.en',
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
