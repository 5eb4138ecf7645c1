// Why something sound was not taken in: too much of it, or a disk that takes no more; with when it works
// again, where that is known.
import { AppError } from '../../domain/app-error.ts';
import { toCancunTime } from '../../domain/cancun-time.ts';
import type { Lang } from '../../domain/lang.ts';
import { toAtHour } from '../../i18n/dates.ts';
import { t } from '../../i18n/translate.ts';

const MINUTE_MS = 60_000;
const BUSY_SECONDS = 30;

interface Refused {
  readonly status: 429 | 503;
  /** In words for who sent it. */
  readonly notice: string;
  readonly retry_seconds: number | undefined;
}

/** Null of every other error. */
export function toRefused(thrown: unknown, lang: Lang, now_ms: number): Refused | null {
  if (!(thrown instanceof AppError)) return null;
  const { reason, retry_at_ms } = thrown;
  if (reason === 'not_stored')
    return { status: 503, notice: t(lang, 'submit.refused.not_stored'), retry_seconds: undefined };
  if (reason === 'inbox_busy')
    return { status: 503, notice: t(lang, 'submit.refused.busy'), retry_seconds: BUSY_SECONDS };
  if (retry_at_ms === null) return null;
  const { when, retry_seconds } = toRetry(retry_at_ms, lang, now_ms);
  const key =
    reason === 'too_many_changes' ? 'submit.refused.too_often' : 'submit.refused.too_many';
  return { status: 429, notice: t(lang, key, { when }), retry_seconds };
}

/** When it works again: as words of a sentence, and in seconds; nothing where that is not known. */
export function toRetry(
  retry_at_ms: number | null,
  lang: Lang,
  now_ms: number,
): { readonly when: string; readonly retry_seconds: number | undefined } {
  if (retry_at_ms === null) return { when: '', retry_seconds: undefined };
  const whole_ms = Math.ceil(retry_at_ms / MINUTE_MS) * MINUTE_MS;
  return {
    when: toAtHour(toCancunTime(whole_ms), lang),
    retry_seconds: Math.max(1, Math.ceil((retry_at_ms - now_ms) / 1000)),
  };
}
