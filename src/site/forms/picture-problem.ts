// What is wrong with a picture that was sent along: in words, and as a status.
import type { Lang } from '../../domain/lang.ts';
import type { PictureProblem } from '../../domain/submission/picture.ts';
import { t } from '../../i18n/translate.ts';
import { toRetry } from './refused.ts';

/** Where the picture alone is at fault; 422 for what can be put right on the page. */
const PROBLEM_STATUS: Readonly<Partial<Record<PictureProblem, number>>> = {
  too_large: 413,
  too_many: 429,
  busy: 503,
  not_stored: 503,
};
export const toPictureStatus = (problem: PictureProblem | null): number =>
  (problem && PROBLEM_STATUS[problem]) ?? 422;

/** `retry_at_ms`: when pictures are taken again, where that is known. */
export const toPictureSentence = (
  problem: PictureProblem,
  lang: Lang,
  retry_at_ms: number | null,
  now_ms: number,
): string =>
  t(lang, `submit.picture.${problem}`, { when: toRetry(retry_at_ms, lang, now_ms).when });
