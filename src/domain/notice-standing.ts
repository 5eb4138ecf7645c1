// How grave a notice counts, and whether it is only what other years were like: a warning is one
// where somebody announced it for this year (contract 5.10).
import type { Temporal } from 'temporal-polyfill';
import { parseDay } from './cancun-time.ts';
import type { NoticeRecord } from './notice.ts';

/** A bulletin of December also speaks for the first days of January. */
const BULLETIN_DAYS = 31;

export interface NoticeClaim {
  readonly severity: NoticeRecord['severity'];
  readonly is_season: boolean;
  /** Its days come round each year by a rule; nobody has listed them. */
  readonly is_yearly: boolean;
  /** The day of its official announcement, YYYY-MM-DD. */
  readonly bulletin: string | null;
  /** The day on which its newest source was published; null where no source says. */
  readonly published: string | null;
}

type NoticeStanding = Pick<NoticeRecord, 'severity' | 'inferred' | 'evidence'>;

/**
 * The standing of the notice that begins on `first`. Without a bulletin of its year it is `info`
 * whatever was claimed, and inferred where its days come from a yearly rule and no source of that
 * year supports it. `this_year`: the year of the release, for "last year".
 */
export function toStanding(
  claim: NoticeClaim,
  first: Temporal.PlainDate,
  this_year: number,
): NoticeStanding {
  const is_confirmed = isConfirmed(claim.bulletin, first);
  const severity = is_confirmed ? claim.severity : 'info';
  const newest = [claim.published, claim.bulletin]
    .flatMap((day) => day ?? [])
    .sort()
    .at(-1);
  const year = newest === undefined ? null : Number(newest.slice(0, 4));
  const inferred =
    claim.is_yearly && !claim.is_season && !is_confirmed && (year === null || year < first.year);
  const was_last_year = first.year === this_year && year === this_year - 1;
  return {
    severity,
    inferred,
    evidence: inferred && year !== null ? { year, was_last_year } : null,
  };
}

function isConfirmed(bulletin: string | null, first: Temporal.PlainDate): boolean {
  const day = bulletin === null ? null : parseDay(bulletin);
  if (day === null) return false;
  const days_later = day.until(first).days;
  return day.year === first.year || (days_later >= 0 && days_later <= BULLETIN_DAYS);
}
