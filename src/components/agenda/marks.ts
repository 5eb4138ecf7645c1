// What stands along the water of an agenda and where it leads: the hours of a day to what begins from
// then on, the days of several to their parts. Pure.
import { Temporal } from 'temporal-polyfill';
import { countDays, type DayRange, startOfDayMs } from '../../domain/cancun-time.ts';
import type { EventCard } from '../../domain/agenda.ts';
import type { Lang } from '../../domain/lang.ts';
import { toHour, toShortWeekday } from '../../i18n/dates.ts';
import { t, tCount } from '../../i18n/translate.ts';
import type { AgendaGroup } from './agenda-groups.ts';

/** One mark, in the middle of its part of the water. */
export interface Mark {
  readonly text: string;
  /** Where it leads on the page, and that in words; null where there is nothing to lead to. */
  readonly link: { readonly href: string; readonly label: string } | null;
}

export interface Marks {
  readonly kind: 'hours' | 'days';
  readonly marks: readonly Mark[];
  /** The ids of the rows that are led to. */
  readonly ids: ReadonlyMap<EventCard, string>;
}

/** Far enough apart for a thumb on the narrowest telephone; each speaks for the hours up to the next. */
export const MARK_HOURS = [4, 8, 12, 16, 20] as const;
const STEP_HOURS = 4;
const HOUR_MS = 3_600_000;

/** The start of a card by its hour; null where it has none. */
const toStart = ({ next }: EventCard): number | null =>
  next === null || next.all_day ? null : next.start_ms;

/** A card with the group that it stands in. */
interface Placed {
  readonly card: EventCard;
  readonly group: AgendaGroup;
  readonly start_ms: number;
}

/** What begins at a known hour from an instant on and is not over, in order of time. */
const listFrom = (groups: readonly AgendaGroup[], from_ms: number): readonly Placed[] =>
  groups
    .filter(({ key }) => key !== 'ended')
    .flatMap((group) =>
      group.cards.flatMap((card) => {
        const start_ms = toStart(card);
        return start_ms === null || start_ms < from_ms ? [] : [{ card, group, start_ms }];
      }),
    )
    .sort((a, b) => a.start_ms - b.start_ms);

/**
 * The hours of one day. What is folded cannot be scrolled to, so its heading stands for it; an hour that
 * is over leads nowhere, the one that goes on to what is on.
 */
function toHourMarks(
  day: Temporal.PlainDate,
  groups: readonly AgendaGroup[],
  now_ms: number | null,
  lang: Lang,
): Marks {
  const ids = new Map<EventCard, string>();
  const midnight_ms = startOfDayMs(day);
  const marks = MARK_HOURS.map((hour): Mark => {
    const text = toHour(new Temporal.PlainTime(hour), lang);
    const from_ms = midnight_ms + hour * HOUR_MS;
    if (now_ms !== null && from_ms + STEP_HOURS * HOUR_MS <= now_ms) return { text, link: null };
    const ahead = listFrom(groups, from_ms);
    const first = ahead.find(({ group }) => group.fold === null) ?? ahead[0];
    if (!first) return { text, link: null };
    const events = tCount(lang, 'events.count', ahead.length);
    const label = t(lang, 'tide.from', { hour: text, events });
    if (first.group.fold !== null || (now_ms !== null && first.start_ms <= now_ms))
      return { text, link: { href: `#${first.group.key}`, label } };
    const id = ids.get(first.card) ?? `h${hour}`;
    ids.set(first.card, id);
    return { text, link: { href: `#${id}`, label } };
  });
  return { kind: 'hours', marks, ids };
}

/** The days of several, each to its part of the list. */
function toDayMarks(range: DayRange, groups: readonly AgendaGroup[], lang: Lang): Marks {
  const marks = Array.from({ length: countDays(range) }, (_, at): Mark => {
    const day = range.from.add({ days: at });
    const group = groups.find(({ key }) => key === `d${day}`);
    const text = toShortWeekday(day, lang);
    const label = (count: number): string =>
      t(lang, 'tide.day_of', {
        day: `${text} ${day.day}`,
        events: tCount(lang, 'events.count', count),
      });
    return { text, link: group ? { href: `#${group.key}`, label: label(group.count ?? 0) } : null };
  });
  return { kind: 'days', marks, ids: new Map() };
}

/** The marks of an agenda whose list is `groups`; `now_ms` where it is told by the hour. */
export const toMarks = (
  range: DayRange,
  groups: readonly AgendaGroup[],
  now_ms: number | null,
  lang: Lang,
): Marks =>
  countDays(range) === 1
    ? toHourMarks(range.from, groups, now_ms, lang)
    : toDayMarks(range, groups, lang);
