// Which events stand under which heading of a page, in order: the parts of a day or of today, the days
// of several, the months of all that comes up; and where the marks along the water lead.
import { Temporal } from 'temporal-polyfill';
import {
  type PartKey,
  isRun,
  isSmallHours,
  type Part,
  splitByHour,
  splitDay,
  splitDays,
} from '../domain/agenda-parts.ts';
import type { Agenda, EventCard } from '../domain/agenda.ts';
import {
  countDays,
  type DayRange,
  fromDayNumber,
  startOfDayMs,
  toDayNumber,
} from '../domain/cancun-time.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import {
  toDayOfYear,
  toHour,
  toMonthOfYear,
  toShortWeekday,
  toWeekdayWord,
} from '../i18n/dates.ts';
import { toDayPath } from '../i18n/paths.ts';
import { t, tCount } from '../i18n/translate.ts';

/** What the column of a row says: the hours, the day too, until when it goes on, or its last day. */
export type Column = 'hour' | 'day' | 'now' | 'until';

export interface EventGroup {
  /** Unique on the page; the heading's id. */
  readonly key: string;
  readonly title: string;
  readonly column: Column;
  readonly cards: readonly EventCard[];
  /** Closed, so that what is for everybody stands before it; or open, where it may be closed. */
  readonly fold?: 'closed' | 'open';
  readonly for_adults?: true;
  readonly count?: number;
  readonly rest?: { readonly href: string; readonly text: string } | null;
  /** What stands there without rows. */
  readonly empty?: string;
}

const COLUMNS: Readonly<Partial<Record<PartKey, Column>>> = {
  now: 'now',
  now_nightclubs: 'now',
  run: 'until',
  begun: 'until',
};

/** A part of a day under its heading; nightclubs are folded but where they are what there is. */
function toGroup(
  { key, cards }: Part,
  fold_now: 'closed' | 'open',
  is_today: boolean,
  lang: Lang,
): EventGroup {
  const title = t(lang, `agenda.${key === 'nightclubs' && is_today ? 'nightclubs.tonight' : key}`);
  const group = { key, title, cards, column: COLUMNS[key] ?? 'hour' };
  const folded = { ...group, fold: 'closed', count: cards.length } as const;
  if (key === 'ended') return folded;
  if (key === 'nightclubs') return { ...folded, for_adults: true };
  return key === 'now_nightclubs' ? { ...folded, fold: fold_now, for_adults: true } : group;
}

/**
 * The groups of an agenda; `occurrences` are all of its range, `now_ms` the minute of one that begins
 * today and null for any other.
 */
export function groupAgenda(
  agenda: Agenda,
  occurrences: readonly OccurrenceRecord[],
  now_ms: number | null,
  is_today: boolean,
  lang: Lang,
): readonly EventGroup[] {
  if (!agenda.from.equals(agenda.to))
    return [...groupStillOn(agenda, now_ms, lang), ...groupDays(agenda, occurrences, now_ms, lang)];
  if (now_ms === null)
    return splitDay(agenda).map((part) => toGroup(part, 'closed', is_today, lang));
  const fold_now = isSmallHours(now_ms) ? 'open' : 'closed';
  return splitByHour(agenda, now_ms).map((part) => toGroup(part, fold_now, true, lang));
}

const groupStillOn = (
  { still_on, from }: Agenda,
  now_ms: number | null,
  lang: Lang,
): readonly EventGroup[] =>
  now_ms === null
    ? []
    : splitByHour({ events: [], still_on, from }, now_ms).map((part) => ({
        ...toGroup(part, 'open', true, lang),
        ...(part.key === 'now' && { title: t(lang, 'agenda.last_night') }),
      }));

/** What is on every day, each day with its count and a way to the rest, nightclubs. */
function groupDays(
  agenda: Agenda,
  occurrences: readonly OccurrenceRecord[],
  now_ms: number | null,
  lang: Lang,
): readonly EventGroup[] {
  const { daily, daily_count, days, nightclubs } = splitDays(agenda, occurrences, now_ms);
  const group = (key: string, title: string, cards: readonly EventCard[], count: number) =>
    ({ key, title, cards, count, column: 'hour' }) as const;
  const isFull = ({ cards }: EventGroup): boolean => cards.length > 0;
  const of_days = days.flatMap(({ day, cards, ended, count }): EventGroup[] => {
    const weekday = toWeekdayWord(day, lang);
    const rest = {
      href: toDayPath(day.toString(), lang),
      text: t(lang, 'agenda.rest', { count, weekday }),
    };
    const over = group('ended', t(lang, 'agenda.ended_today'), ended, ended.length);
    return [
      {
        ...group(`d${day}`, toDayOfYear(day, lang), cards, count),
        rest: cards.length + ended.length === count ? null : rest,
        empty: t(lang, count === 0 ? 'agenda.day_empty' : 'agenda.day_usual'),
      },
      ...[{ ...over, fold: 'closed' } as const].filter(isFull),
    ];
  });
  const clubs = group('nightclubs', t(lang, 'agenda.nightclubs'), nightclubs, nightclubs.length);
  return [
    ...[group('daily', t(lang, 'agenda.daily'), daily, daily_count)].filter(isFull),
    ...of_days,
    ...[{ ...clubs, column: 'day', fold: 'closed', for_adults: true } as const].filter(isFull),
  ];
}

/**
 * Whatever comes up from a day on, by the month of its next occurrence; what began earlier stands
 * around it, but last night's party with its own day.
 */
export function groupByMonth(
  cards: readonly EventCard[],
  today: Temporal.PlainDate,
  lang: Lang,
): readonly EventGroup[] {
  const from = toDayNumber(today);
  const known = cards.filter(({ next }) => next !== null);
  const hasBegun = ({ next }: EventCard): boolean =>
    next !== null && next.first_day < from && next.last_day >= from;
  const toMonth = ({ next }: EventCard): string =>
    fromDayNumber(next?.first_day ?? from)
      .toPlainYearMonth()
      .toString();
  const begun = known.filter(hasBegun);
  const toBegun = (key: 'run' | 'begun', some: readonly EventCard[]): EventGroup => ({
    key,
    title: t(lang, `agenda.${key}`),
    cards: some,
    column: 'until',
  });
  const months = Map.groupBy(
    known.filter((card) => !hasBegun(card)),
    toMonth,
  );
  return [
    toBegun('run', begun.filter(isRun)),
    ...[...months].map(
      ([month, own]): EventGroup => ({
        key: `m${month}`,
        title: toMonthOfYear(Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 }), lang),
        cards: own,
        column: 'day',
      }),
    ),
    toBegun(
      'begun',
      begun.filter((card) => !isRun(card)),
    ),
  ].filter((group) => group.cards.length > 0);
}

/** One mark along the water, in the middle of its part; `link` says where it leads on the page. */
interface Mark {
  readonly text: string;
  readonly link: { readonly href: string; readonly label: string } | null;
}

export interface Marks {
  readonly kind: 'hours' | 'days';
  readonly marks: readonly Mark[];
  readonly ids: ReadonlyMap<EventCard, string>;
}

/** Far enough apart for a thumb on the narrowest telephone; each speaks for the hours up to the next. */
const MARK_HOURS = [4, 8, 12, 16, 20] as const;
const STEP_MS = 4 * 3_600_000;

/** The marks of an agenda whose list is `groups`; `now_ms` where it is told by the hour. */
export const toMarks = (
  range: DayRange,
  groups: readonly EventGroup[],
  now_ms: number | null,
  lang: Lang,
): Marks =>
  countDays(range) === 1
    ? toHourMarks(range.from, groups, now_ms, lang)
    : toDayMarks(range, groups, lang);

/** What begins at a known hour from an instant on and is not over, in order of time. */
const listFrom = (groups: readonly EventGroup[], from_ms: number) =>
  groups
    .filter(({ key }) => key !== 'ended')
    .flatMap((group) =>
      group.cards.flatMap((card) => {
        const start_ms = card.next?.all_day === false ? card.next.start_ms : null;
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
  groups: readonly EventGroup[],
  now_ms: number | null,
  lang: Lang,
): Marks {
  const ids = new Map<EventCard, string>();
  const marks = MARK_HOURS.map((hour): Mark => {
    const text = toHour(new Temporal.PlainTime(hour), lang);
    const from_ms = startOfDayMs(day) + hour * 3_600_000;
    if (now_ms !== null && from_ms + STEP_MS <= now_ms) return { text, link: null };
    const ahead = listFrom(groups, from_ms);
    const first = ahead.find(({ group }) => group.fold === undefined) ?? ahead[0];
    if (!first) return { text, link: null };
    const events = tCount(lang, 'events.count', ahead.length);
    const label = t(lang, 'tide.from', { hour: text, events });
    if (first.group.fold !== undefined || (now_ms !== null && first.start_ms <= now_ms))
      return { text, link: { href: `#${first.group.key}`, label } };
    const id = ids.get(first.card) ?? `h${hour}`;
    ids.set(first.card, id);
    return { text, link: { href: `#${id}`, label } };
  });
  return { kind: 'hours', marks, ids };
}

function toDayMarks(range: DayRange, groups: readonly EventGroup[], lang: Lang): Marks {
  const marks = Array.from({ length: countDays(range) }, (_, at): Mark => {
    const day = range.from.add({ days: at });
    const text = toShortWeekday(day, lang);
    const group = groups.find(({ key }) => key === `d${day}`);
    if (!group) return { text, link: null };
    const events = tCount(lang, 'events.count', group.count ?? 0);
    const label = t(lang, 'tide.day_of', { day: `${text} ${day.day}`, events });
    return { text, link: { href: `#${group.key}`, label } };
  });
  return { kind: 'days', marks, ids: new Map() };
}
