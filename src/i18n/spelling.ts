// That a slip in a searched word was forgiven, in words (contract 7.15).
import type { Lang } from '../domain/lang.ts';
import type { Spelling } from '../domain/search-words.ts';
import { t, toLocale } from './translate.ts';

/** `No hay nada con «muisca»; esto es lo que hay con «musica».`, a sentence for each such word. */
export const toSpellingSentences = (spellings: readonly Spelling[], lang: Lang): string[] =>
  spellings.map(({ word, read_as }) => {
    const words = read_as.map((each) => t(lang, 'search.quoted', { word: each }));
    const list = new Intl.ListFormat(toLocale(lang), { type: 'disjunction' }).format(words);
    return t(lang, 'search.spelling', { word: t(lang, 'search.quoted', { word }), read_as: list });
  });
