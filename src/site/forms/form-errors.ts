// Why what was sent is not taken in, in words for who sent it: no person filled it in, too much of it, a
// disk that takes no more, a picture that is none; and when it works again, where that is known.
import { verifyFormToken, createFormToken } from '../../inbox/secrets.ts';
import { AppError } from '../../domain/app-error.ts';
import { toLocalTime } from '../../domain/local-time.ts';
import type { Lang } from '../../domain/lang.ts';
import type { PictureProblem } from '../../domain/submission/submitted-picture.ts';
import { formatAtTime } from '../../i18n/format-dates.ts';
import { type MessageKey, t } from '../../i18n/translate.ts';
import type { PageMeta } from '../page-meta.ts';
import { pageResult, type PageResult, type VisitorRequest } from '../visitor-request.ts';

const MINUTE_MS = 60_000;
const BUSY_SECONDS = 30;

/** The head of a form; unless it says otherwise, only its holder knows its address. */
export const formMeta = (
  meta: Pick<PageMeta, 'lang' | 'site' | 'paths' | 'title' | 'description'> & Partial<PageMeta>,
): PageMeta => ({ markdown: null, calendar: null, json_ld: null, entry: null, ...meta });

/** The hidden stamp of a form that is shown (contract 14.5); the first moment counts, also where it is shown again. */
export function reuseFormToken(visit: VisitorRequest, now_ms: number): string {
  const sent = visit.fields.stamp ?? '';
  const verdict = verifyFormToken(visit.inbox, sent, now_ms);
  return verdict === 'ok' || verdict === 'too_soon' ? sent : createFormToken(visit.inbox, now_ms);
}

/** What somebody is told whose stamp is not ours, too young or too old; null where nothing is wrong with it. */
export function findFormTokenIssue(
  { inbox, fields }: VisitorRequest,
  now_ms: number,
): MessageKey | null {
  const verdict = verifyFormToken(inbox, fields.stamp ?? '', now_ms);
  return verdict === 'ok' ? null : `submit.refused.${verdict}`;
}

/** When it works again: as words of a sentence, and in seconds; nothing where that is not known. */
export function formatRetry(
  retry_at_ms: number | null,
  lang: Lang,
  now_ms: number,
): { readonly when: string; readonly retry_seconds: number | undefined } {
  if (retry_at_ms === null) return { when: '', retry_seconds: undefined };
  const whole_ms = Math.ceil(retry_at_ms / MINUTE_MS) * MINUTE_MS;
  return {
    when: formatAtTime(toLocalTime(whole_ms), lang),
    retry_seconds: Math.max(1, Math.ceil((retry_at_ms - now_ms) / 1000)),
  };
}

/** What `take` leads to, or the page again with why it could not be taken in just now. Any other error rises. */
export async function tryToStore<T, P>(
  take: () => Promise<T>,
  lang: Lang,
  now_ms: number,
  toPage: (notice: string) => P,
): Promise<T | PageResult<P>> {
  try {
    return await take();
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const { reason, retry_at_ms } = thrown;
    const again = (
      status: number,
      key: MessageKey,
      retry_seconds?: number,
      when = '',
    ): PageResult<P> => ({
      ...pageResult(toPage(t(lang, key, { when })), status),
      retry_seconds,
    });
    if (reason === 'not_stored') return again(503, 'submit.refused.not_stored');
    if (reason === 'inbox_busy') return again(503, 'submit.refused.busy', BUSY_SECONDS);
    if (retry_at_ms === null) throw thrown;
    const { when, retry_seconds } = formatRetry(retry_at_ms, lang, now_ms);
    const is_change = reason === 'too_many_changes';
    const key = is_change ? 'submit.refused.too_often' : 'submit.refused.too_many';
    return again(429, key, retry_seconds, when);
  }
}

/** Where the picture alone is at fault; 422 for what can be put right on the page. */
const PICTURE_STATUS: Readonly<Partial<Record<PictureProblem, number>>> = {
  too_large: 413,
  too_many: 429,
  busy: 503,
  not_stored: 503,
};
export const pictureProblemStatus = (problem: PictureProblem | null): number =>
  (problem && PICTURE_STATUS[problem]) ?? 422;

/** What is wrong with a picture; `retry_at_ms`: when pictures are taken again, where that is known. */
export const formatPictureProblem = (
  problem: PictureProblem,
  lang: Lang,
  retry_at_ms: number | null,
  now_ms: number,
): string =>
  t(lang, `submit.picture.${problem}`, { when: formatRetry(retry_at_ms, lang, now_ms).when });
