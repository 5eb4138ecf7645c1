// The headings under which events are read: the parts of a day or of today, the days of a stretch,
// the months of all that comes up. Pure.
import { Temporal } from 'temporal-polyfill';
import { isSmallHours, splitByHour } from '../../domain/agenda-parts/hour-parts.ts';
import { type DayPartKey, isRun, splitDay } from '../../domain/agenda-parts/day-parts.ts';
import type { SeveralDays } from '../../domain/agenda-parts/several-days.ts';
import { fromDayNumber, toDayNumber } from '../../domain/cancun-time.ts';
import type { Agenda, EventCard } from '../../domain/agenda.ts';
import type { Lang } from '../../domain/lang.ts';
import { toDayOfYear, toMonthOfYear, toWeekdayWord } from '../../i18n/dates.ts';
import { toDayPath } from '../../i18n/paths.ts';
import { toPartTitle } from '../../i18n/part-titles.ts';
import { t } from '../../i18n/translate.ts';
import type { Column } from './when-column.ts';

/** Shown closed, so that what is for everybody stands before it; or open, where it may be closed. */
export type Fold = 'closed' | 'open';

export interface AgendaGroup {
  /** Unique on the page; the heading's id. */
  readonly key: string;
  readonly title: string;
  readonly column: Column;
  readonly cards: readonly EventCard[];
  /** Null where it cannot be folded. */
  readonly fold: Fold | null;
  /** Whether the heading says that it is for adults. */
  readonly for_adults: boolean;
  /** How many there are where its heading says it; null where it does not. */
  readonly count: number | null;
  /** Where the rest is; null where all is shown. */
  readonly rest: { readonly href: string; readonly text: string } | null;
  /** What stands there where it has no rows of its own. */
  readonly empty: string | null;
}

const PLAIN = { fold: null, for_adults: false, count: null, rest: null, empty: null } as const;

/** A group of nightclubs, folded but where they are what there is. */
const toNightclubGroup = (
  key: string,
  title: string,
  cards: readonly EventCard[],
  column: Column,
  fold: Fold = 'closed',
): AgendaGroup => ({
  ...PLAIN,
  ...{ key, title, cards, column, fold, for_adults: true, count: cards.length },
});

/** The column of a part whose events have a last day rather than hours. */
const lasts = (key: string): boolean => key === 'run' || key === 'begun';

/** A day's events by part of the day; `is_today` says that its nightclubs are tonight's. */
export const groupDay = (agenda: Agenda, is_today: boolean, lang: Lang): readonly AgendaGroup[] =>
  splitDay(agenda).map(({ key, cards }) => {
    const title = toPartTitle(key === 'nightclubs' && is_today ? 'nightclubs.tonight' : key, lang);
    return key === 'nightclubs'
      ? toNightclubGroup(key, title, cards, 'hour')
      : { ...PLAIN, key, title, cards, column: lasts(key) ? 'until' : 'hour' };
  });

/** Today's at an instant: what is on, begins soon, comes later, is over (folded, the last). */
export const groupByHour = (agenda: Agenda, now_ms: number, lang: Lang): readonly AgendaGroup[] =>
  splitByHour(agenda, now_ms).map(({ key, cards }) => {
    const title = toPartTitle(key === 'nightclubs' ? 'nightclubs.tonight' : key, lang);
    if (key === 'now_nightclubs')
      return toNightclubGroup(key, title, cards, 'now', isSmallHours(now_ms) ? 'open' : 'closed');
    if (key === 'nightclubs') return toNightclubGroup(key, title, cards, 'hour');
    if (key === 'ended')
      return { ...PLAIN, key, title, cards, column: 'hour', fold: 'closed', count: cards.length };
    const column = key === 'now' ? 'now' : lasts(key) ? 'until' : 'hour';
    return { ...PLAIN, key, title, cards, column };
  });

/** What of today is over, folded; nothing where nothing is. */
const toEndedToday = (cards: readonly EventCard[], lang: Lang): readonly AgendaGroup[] =>
  cards.length === 0
    ? []
    : [
        {
          ...PLAIN,
          ...{ key: 'ended', title: t(lang, 'agenda.ended_today'), cards, column: 'hour' },
          ...{ fold: 'closed', count: cards.length },
        },
      ];

/** What of last night goes on, before the days that begin today; `now_ms` null where no instant is known. */
export const groupStillOn = (
  { still_on, from }: Pick<Agenda, 'still_on' | 'from'>,
  now_ms: number | null,
  lang: Lang,
): readonly AgendaGroup[] =>
  now_ms === null
    ? []
    : splitByHour({ events: [], still_on, from }, now_ms).map(({ key, cards }) =>
        key === 'now_nightclubs'
          ? toNightclubGroup(key, toPartTitle(key, lang), cards, 'now', 'open')
          : { ...PLAIN, key, title: t(lang, 'agenda.last_night'), cards, column: 'now' },
      );

/** Several days: what is on every day, each day with its count and a way to the rest, nightclubs. */
export function groupDays(
  { daily, daily_count, days, nightclubs }: SeveralDays,
  lang: Lang,
): readonly AgendaGroup[] {
  const toRest = (day: Temporal.PlainDate, shown: number, count: number): AgendaGroup['rest'] =>
    shown === count
      ? null
      : {
          href: toDayPath(day.toString(), lang),
          text: t(lang, 'agenda.rest', { count, weekday: toWeekdayWord(day, lang) }),
        };
  const toDaily = (): readonly AgendaGroup[] =>
    daily.length === 0
      ? []
      : [
          {
            ...PLAIN,
            ...{ key: 'daily', title: t(lang, 'agenda.daily'), cards: daily, column: 'hour' },
            count: daily_count,
          },
        ];
  return [
    ...toDaily(),
    ...days.flatMap(({ day, cards, ended, count }): AgendaGroup[] => [
      {
        ...PLAIN,
        ...{ key: `d${day}`, title: toDayOfYear(day, lang), cards, column: 'hour', count },
        rest: toRest(day, cards.length + ended.length, count),
        empty: t(lang, count === 0 ? 'agenda.day_empty' : 'agenda.day_usual'),
      },
      ...toEndedToday(ended, lang),
    ]),
    ...(nightclubs.length === 0
      ? []
      : [toNightclubGroup('nightclubs', t(lang, 'agenda.nightclubs'), nightclubs, 'day')]),
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
): readonly AgendaGroup[] {
  const from = toDayNumber(today);
  const toKey = ({ next }: EventCard): string => {
    const [first, last] = [next?.first_day ?? from, next?.last_day ?? from];
    if (first < from && last >= from) return 'begun';
    return fromDayNumber(first).toPlainYearMonth().toString();
  };
  const by_key = Map.groupBy(
    cards.filter(({ next }) => next !== null),
    toKey,
  );
  const begun = by_key.get('begun') ?? [];
  const toBegun = (key: DayPartKey, some: readonly EventCard[]): readonly AgendaGroup[] =>
    some.length === 0
      ? []
      : [{ ...PLAIN, key, title: toPartTitle(key, lang), cards: some, column: 'until' }];
  return [
    ...toBegun('run', begun.filter(isRun)),
    ...[...by_key].flatMap(([month, own]): AgendaGroup[] =>
      month === 'begun'
        ? []
        : [
            {
              ...PLAIN,
              ...{ key: `m${month}`, cards: own, column: 'day' },
              title: toMonthOfYear(
                Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 }),
                lang,
              ),
            },
          ],
    ),
    ...toBegun(
      'begun',
      begun.filter((card) => !isRun(card)),
    ),
  ];
}
