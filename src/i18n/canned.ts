// The reasons an editor chooses, as their sender reads them.
import type { Rejection, Wish } from '../domain/canned.ts';
import type { Lang } from '../domain/lang.ts';
import { t } from './translate.ts';

/** A chosen reason with the words written beside it, in the sender's language. */
export const toReason = (chosen: Rejection | Wish | null, words: string, lang: Lang): string =>
  [chosen === null ? '' : t(lang, `canned.${chosen}`), words.trim()]
    .filter((part) => part !== '')
    .join(' ');
