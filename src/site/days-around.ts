// The days around a page: seven in a strip with how much each has, the ones before and after, and
// the span that can be asked for. What is not there is never linked.
import type { Lang } from '../domain/lang.ts';
import type { Temporal } from 'temporal-polyfill';
import type { AgendaKind } from '../domain/agenda-words.ts';
import { fromDayNumber, toCancunDay, toDayNumber, type DayRange } from '../domain/cancun-time.ts';
import type { EventFilter } from '../domain/query/event-query.ts';
import type { ParameterTexts } from '../domain/query/parameters.ts';
import { withQuery } from '../i18n/api-paths.ts';
import { toDayPath } from '../i18n/paths.ts';
import { countEvents } from '../snapshot/count-events.ts';
import type { Snapshot } from '../snapshot/open.ts';
import type { SiteState } from './state.ts';

type Day = Temporal.PlainDate;

/** One day of the strip. */
export interface StripDay {
  readonly day: Day;
  readonly path: string;
  readonly count: number;
  /** Whether it is among the days of the page. */
  readonly is_here: boolean;
}

/** A day with the address of its page. */
export interface DayLink {
  readonly day: Day;
  readonly path: string;
}

/** The ways from a page to other days. */
export interface DaysAround {
  readonly strip: readonly StripDay[];
  readonly before: DayLink | null;
  readonly after: DayLink | null;
  /** The first and the last day that have a page. */
  readonly span: DayRange;
  /** The filters of the page, which go along. */
  readonly texts: ParameterTexts;
}

/** Days after today that have a page in the release: the longest range of the API. */
export const DAYS_AHEAD = 92;
const STRIP_DAYS = 7;
/** Days of the strip before that of the page, by its kind: tomorrow's begins today. */
const LEAD: Readonly<Partial<Record<AgendaKind, number>>> = { tomorrow: 1, day: 1 };

/**
 * The days that have a page as long as a release serves: from the first date or the day before it
 * was made to the last date or the last one built ahead.
 */
export function toKnownSpan(snapshot: Snapshot): DayRange {
  const made = toDayNumber(toCancunDay(snapshot.generated_ms));
  const { first, last } = snapshot.index.span ?? { first: made, last: made };
  return {
    from: fromDayNumber(Math.min(first, made - 1)),
    to: fromDayNumber(Math.max(last, made + DAYS_AHEAD)),
  };
}

/** Whether days have a page at an instant: they may be known, or built ahead. */
export function isKnownRange(
  { snapshot, now_ms }: Pick<SiteState, 'snapshot' | 'now_ms'>,
  range: DayRange,
): boolean {
  const today = toDayNumber(toCancunDay(now_ms));
  const { from, to } = toKnownSpan(snapshot);
  return (
    toDayNumber(range.to) >= Math.min(toDayNumber(from), today - 1) &&
    toDayNumber(range.from) <= Math.max(toDayNumber(to), today + DAYS_AHEAD)
  );
}

interface AgendaDays {
  readonly agenda: AgendaKind;
  readonly range: DayRange;
}

const toStripDays = ({ agenda, range }: AgendaDays): readonly Day[] => {
  const first = range.from.subtract({ days: LEAD[agenda] ?? 0 });
  return Array.from({ length: STRIP_DAYS }, (_, at) => first.add({ days: at }));
};

/** The days around those of an agenda; `texts` is its query in one spelling. */
export function toDaysAround(
  snapshot: Snapshot,
  { agenda, range, lang }: AgendaDays & { readonly lang: Lang },
  filter: EventFilter,
  texts: ParameterTexts,
): DaysAround {
  const span = toKnownSpan(snapshot);
  const isKnown = (day: Day): boolean =>
    toDayNumber(day) >= toDayNumber(span.from) && toDayNumber(day) <= toDayNumber(span.to);
  const toLink = (day: Day): DayLink => ({
    day,
    path: withQuery(toDayPath(day.toString(), lang), texts),
  });
  const days = toStripDays({ agenda, range });
  const [before, after] = [range.from.subtract({ days: 1 }), range.to.add({ days: 1 })];
  return {
    strip: days.filter(isKnown).map((day) => ({
      ...toLink(day),
      count: countEvents(snapshot, { ...filter, range: { from: day, to: day } }),
      is_here:
        toDayNumber(day) >= toDayNumber(range.from) && toDayNumber(day) <= toDayNumber(range.to),
    })),
    before: isKnown(before) ? toLink(before) : null,
    after: isKnown(after) ? toLink(after) : null,
    span,
    texts,
  };
}
