// The names of languages, from their codes.
import type { Lang } from '../domain/lang.ts';
import { type Key, t } from './translate.ts';

/** Spoken here and unknown to most machines: Yucatec Maya, Mexican Sign Language (ISO 639-3). */
const OWN: Readonly<Record<string, Key>> = { yua: 'language.yua', mfs: 'language.mfs' };

/** `español, inglés`; a code without a known name stays as it is. */
export function toLanguageNames(codes: readonly string[], lang: Lang): string {
  const names = new Intl.DisplayNames([lang], { type: 'language' });
  return codes
    .map((code) => (OWN[code] ? t(lang, OWN[code]) : (names.of(code) ?? code)))
    .join(', ');
}
