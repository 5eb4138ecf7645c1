// Form errors: formats why a submitted form cannot be stored (form token, rate limit, full disk,
// invalid picture), and the time of a retry. Also builds the metadata of form pages, and their form
// tokens: a signed time in a hidden control, which shows how long the form was open.
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
/** Value of `Retry-After` while the inbox is busy. */
const BUSY_SECONDS = 30;

/** Builds the metadata of a form page: by default without Markdown, calendar or menu entry. */
export const formMeta = (
  meta: Pick<PageMeta, 'lang' | 'site' | 'paths' | 'title' | 'description'> & Partial<PageMeta>,
): PageMeta => ({ markdown: null, calendar: null, json_ld: null, entry: null, ...meta });

/**
 * Returns the form token for the hidden control `stamp` (contract 14.5). A form that is shown again
 * keeps a valid token, also one that is still too new, so that its age counts from the first time.
 */
export function reuseFormToken(visit: VisitorRequest, now_ms: number): string {
  const token = visit.fields.stamp ?? '';
  const result = verifyFormToken(visit.inbox, token, now_ms);
  return result === 'ok' || result === 'too_soon' ? token : createFormToken(visit.inbox, now_ms);
}

/**
 * Returns the message for a form token that is foreign, too new or expired, or null if it is valid.
 */
export function findFormTokenIssue(
  { inbox, fields }: VisitorRequest,
  now_ms: number,
): MessageKey | null {
  const result = verifyFormToken(inbox, fields.stamp ?? '', now_ms);
  return result === 'ok' ? null : `submit.refused.${result}`;
}

/**
 * Formats the time of a retry as part of a sentence (`when`), rounded up to a minute, and in
 * seconds for `Retry-After`. Without a time, `when` is empty.
 */
export function formatRetry(
  retry_at_ms: number | null,
  lang: Lang,
  now_ms: number,
): { readonly when: string; readonly retry_seconds: number | undefined } {
  if (retry_at_ms === null) return { when: '', retry_seconds: undefined };
  const minute_ms = Math.ceil(retry_at_ms / MINUTE_MS) * MINUTE_MS;
  return {
    when: formatAtTime(toLocalTime(minute_ms), lang),
    retry_seconds: Math.max(1, Math.ceil((retry_at_ms - now_ms) / 1000)),
  };
}

/**
 * Runs `store` and returns its result. If the disk is full, the inbox busy or the rate limit
 * exceeded, returns a page (`kind: 'page'`) with that message instead; rethrows any other error.
 */
export async function tryToStore<T, P>(
  store: () => Promise<T>,
  lang: Lang,
  now_ms: number,
  buildPage: (banner: string) => P,
): Promise<T | PageResult<P>> {
  try {
    return await store();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { reason, retry_at_ms } = error;
    const failure = (
      status: number,
      key: MessageKey,
      retry_seconds?: number,
      when = '',
    ): PageResult<P> => ({
      ...pageResult(buildPage(t(lang, key, { when })), status),
      retry_seconds,
    });
    if (reason === 'not_stored') return failure(503, 'submit.refused.not_stored');
    if (reason === 'inbox_busy') return failure(503, 'submit.refused.busy', BUSY_SECONDS);
    // Only an exceeded rate limit has a time of a retry.
    if (retry_at_ms === null) throw error;
    const { when, retry_seconds } = formatRetry(retry_at_ms, lang, now_ms);
    const is_change = reason === 'too_many_changes';
    const key = is_change ? 'submit.refused.too_often' : 'submit.refused.too_many';
    return failure(429, key, retry_seconds, when);
  }
}

/** Statuses of a form whose only problem is its picture; 422 for all others. */
const PICTURE_STATUSES: Readonly<Partial<Record<PictureProblem, number>>> = {
  too_large: 413,
  too_many: 429,
  busy: 503,
  not_stored: 503,
};
export const pictureProblemStatus = (problem: PictureProblem | null): number =>
  (problem && PICTURE_STATUSES[problem]) ?? 422;

/**
 * Formats the problem of an uploaded picture.
 * @param retry_at_ms Time from which uploads are accepted again; null if unknown.
 */
export const formatPictureProblem = (
  problem: PictureProblem,
  lang: Lang,
  retry_at_ms: number | null,
  now_ms: number,
): string =>
  t(lang, `submit.picture.${problem}`, { when: formatRetry(retry_at_ms, lang, now_ms).when });
