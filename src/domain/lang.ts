// The languages of the service, and text that exists in each of them.
import * as v from 'valibot';
import { TOWN } from '../town.ts';

export const LANGS = ['es', 'en'] as const;
export type Lang = (typeof LANGS)[number];

/** Whose addresses begin with nothing: `/hoy`, `/en/today` in every town. */
export const UNPREFIXED_LANG: Lang = LANGS[0];

/** In which a page, a tool or a letter is where nobody says which. */
export const DEFAULT_LANG: Lang = TOWN.languages[0];

export type ByLang<T> = Readonly<Record<Lang, T>>;

/** A text in each language; all are always there (the snapshot's checks refuse less). */
export type LocalText = ByLang<string>;

/** Makes a value for each language; the loop over LANGS gives every key of ByLang. */
export function byLang<T>(make: (lang: Lang) => T): ByLang<T>;
export function byLang(make: (lang: Lang) => unknown): object {
  return Object.fromEntries(LANGS.map((lang) => [lang, make(lang)]));
}

export const LocalTextSchema = v.object(byLang(() => v.string()));

export function localized(text: LocalText | null, lang: Lang): string | null {
  return text === null ? null : text[lang];
}
