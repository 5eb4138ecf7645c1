// The names of languages, from their codes.
import type { Lang } from '../domain/lang.ts';

/** `español, inglés`; a code without a known name stays as it is. */
export function toLanguageNames(codes: readonly string[], lang: Lang): string {
  const names = new Intl.DisplayNames([lang], { type: 'language' });
  return codes.map((code) => names.of(code) ?? code).join(', ');
}
