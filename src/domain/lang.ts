// Languages: the languages of the service, and texts that exist in each of them.
import * as v from 'valibot';
import { TOWN } from '../town.ts';

export const LANGS = ['es', 'en'] as const;
export type Lang = (typeof LANGS)[number];

/** The language without a path prefix: `/hoy`, but `/en/today`, in every town. */
export const UNPREFIXED_LANG: Lang = LANGS[0];

/** The language of pages, tools and emails if none is requested. */
export const DEFAULT_LANG: Lang = TOWN.languages[0];

export type ByLang<T> = Readonly<Record<Lang, T>>;

/** A text in each language. None is missing; the snapshot's checks make sure of it. */
export type LocalText = ByLang<string>;

/** Creates a value for each language. */
export function byLang<T>(createValue: (lang: Lang) => T): ByLang<T>;
export function byLang(createValue: (lang: Lang) => unknown): object {
  return Object.fromEntries(LANGS.map((lang) => [lang, createValue(lang)]));
}

export const LocalTextSchema = v.object(byLang(() => v.string()));

export function localized(text: LocalText | null, lang: Lang): string | null {
  return text === null ? null : text[lang];
}
