// How events are grouped for reading: a day's by the hour, several days' by day, all that comes up
// by month. Pure.
import type { Temporal } from 'temporal-polyfill';
import { fromDayNumber, toCancun, toDayNumber } from '../../domain/cancun-time.ts';
import type { Agenda, EventCard } from '../../domain/agenda.ts';
import { foldNightclubs } from '../../domain/event/nightclub.ts';
import type { Lang } from '../../domain/lang.ts';
import { toLongDay, toMonthOfYear } from '../../i18n/dates.ts';
import { t } from '../../i18n/translate.ts';

export interface AgendaGroup {
  /** Unique on the page; the heading's id. */
  readonly key: string;
  readonly title: string;
  /** Its events last for days: a row says until when. */
  readonly lasts: boolean;
  readonly cards: readonly EventCard[];
}

const NOON = 12;
const DUSK = 19;
/**
 * Most days of a run that is news on each of them: a carnival is, an exhibition of three months is
 * not.
 */
const MAX_RUN_DAYS = 14;

const isRun = ({ next }: EventCard): boolean =>
  next?.all_day === true &&
  next.last_day > next.first_day &&
  next.last_day - next.first_day < MAX_RUN_DAYS;

/** One group, or none where it is empty. */
const toGroups = (
  key: string,
  title: string,
  cards: readonly EventCard[],
  lasts = false,
): readonly AgendaGroup[] => (cards.length === 0 ? [] : [{ key, title, lasts, cards }]);

/** The nightclubs as the last group of an agenda; none where there are none. */
export const toNightclubs = (
  agenda: Agenda,
  is_today: boolean,
  lang: Lang,
): readonly AgendaGroup[] =>
  toGroups(
    'nightclubs',
    t(lang, is_today ? 'agenda.nightclubs.tonight' : 'agenda.nightclubs'),
    foldNightclubs(agenda.events).nightclubs,
  );

/** What began earlier: runs of a few days first of all, what lasts for long after all. */
const frame = (
  begun: readonly EventCard[],
  groups: readonly AgendaGroup[],
  lang: Lang,
): readonly AgendaGroup[] => [
  ...toGroups('run', t(lang, 'agenda.run'), begun.filter(isRun), true),
  ...groups,
  ...toGroups(
    'begun',
    t(lang, 'agenda.begun'),
    begun.filter((card) => !isRun(card)),
    true,
  ),
];

function toPartOfDay(card: EventCard): 'all_day' | 'morning' | 'afternoon' | 'evening' {
  if (card.next === null || card.next.all_day) return 'all_day';
  const { hour } = toCancun(card.next.start_ms);
  if (hour < NOON) return 'morning';
  return hour < DUSK ? 'afternoon' : 'evening';
}

/**
 * A day's events without its nightclubs: runs of a few days, then by part of the day, those without
 * an hour, those that began long before.
 */
export function groupByHour(agenda: Agenda, lang: Lang): readonly AgendaGroup[] {
  const today = toDayNumber(agenda.from);
  const isBegun = (card: EventCard): boolean =>
    card.next !== null && (card.next.first_day < today || isRun(card));
  const { others } = foldNightclubs(agenda.events);
  const today_only = others.filter((card) => !isBegun(card));
  const parts = (['morning', 'afternoon', 'evening', 'all_day'] as const).flatMap((key) =>
    toGroups(
      key,
      t(lang, `agenda.${key}`),
      today_only.filter((card) => toPartOfDay(card) === key),
    ),
  );
  return frame(others.filter(isBegun), parts, lang);
}

/**
 * Cards by a number of their first day, in its order; what lasts since before `from_day` stands
 * around them, last night's party among them.
 */
function groupBy(
  cards: readonly EventCard[],
  from_day: number,
  lang: Lang,
  toGroup: (first_day: Temporal.PlainDate) => Pick<AgendaGroup, 'key' | 'title'>,
): readonly AgendaGroup[] {
  const groups = new Map<string, AgendaGroup & { cards: EventCard[] }>();
  const begun: EventCard[] = [];
  for (const card of cards) {
    if (card.next === null) continue;
    if (card.next.first_day < from_day && card.next.last_day >= from_day) {
      begun.push(card);
      continue;
    }
    const group = toGroup(fromDayNumber(card.next.first_day));
    const known = groups.get(group.key);
    if (known) known.cards.push(card);
    else groups.set(group.key, { ...group, lasts: false, cards: [card] });
  }
  return frame(begun, [...groups.values()], lang);
}

/** The events of several days by the day of their next occurrence, without their nightclubs. */
export const groupByDay = (agenda: Agenda, lang: Lang): readonly AgendaGroup[] =>
  groupBy(foldNightclubs(agenda.events).others, toDayNumber(agenda.from), lang, (day) => ({
    key: `d${day}`,
    title: toLongDay(day, lang),
  }));

/** Whatever comes up from a day on, by the month of its next occurrence. */
export const groupByMonth = (
  cards: readonly EventCard[],
  today: Temporal.PlainDate,
  lang: Lang,
): readonly AgendaGroup[] =>
  groupBy(cards, toDayNumber(today), lang, (day) => ({
    key: `m${day.toPlainYearMonth()}`,
    title: toMonthOfYear(day, lang),
  }));
