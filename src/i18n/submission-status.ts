// How a submission stands, in words: its page and the tool that follows it say the same.
import type { ShownAs } from '../domain/submission/sender-acts.ts';
import type { StoredSubmission } from '../domain/submission/submission.ts';
import { parseDay } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import { toShortDay } from './dates.ts';
import { type Key, t, toLocale } from './translate.ts';

export interface StatusWords {
  /** `Lo recibimos. Está en espera de revisión.` */
  readonly stage: string;
  /** What comes next, or what its sender should do. */
  readonly next: string;
}

function toStageKey(
  { state, asks, dates, is_published, submission }: StoredSubmission,
  shown: ShownAs,
): Key {
  if (state === 'pending' && is_published && dates !== null && asks !== 'publish')
    return asks === 'cancel'
      ? 'status.stage.pending_cancel_dates'
      : 'status.stage.pending_postpone_dates';
  if (state === 'pending' && is_published)
    return `status.stage.pending_${asks === 'publish' ? 'change' : asks}`;
  if (state === 'rejected' && is_published) return 'status.stage.change_rejected';
  if (state === 'approved' && shown === 'past' && submission.open_end)
    return 'status.stage.past_open';
  return state === 'approved' && shown !== 'none'
    ? `status.stage.${shown}`
    : `status.stage.${state}`;
}

/** `shown`: as what a release shows its event. */
export function toStatusWords(stored: StoredSubmission, shown: ShownAs, lang: Lang): StatusWords {
  const { state } = stored;
  const next = state === 'approved' && shown !== 'none' ? shown : state;
  const dates = toDayWords(stored.dates ?? [], lang);
  return {
    stage: t(lang, toStageKey(stored, shown), { dates }),
    next: t(lang, `status.next.${next}`),
  };
}

/** `sáb 5 dic y dom 6 dic` · `Sat, Dec 5 and Sun, Dec 6`, from days as YYYY-MM-DD. */
export function toDayWords(dates: readonly string[], lang: Lang): string {
  const words = dates.map((date) => {
    const day = parseDay(date);
    return day === null ? date : toShortDay(day, lang);
  });
  return new Intl.ListFormat(toLocale(lang), { type: 'conjunction' }).format(words);
}
