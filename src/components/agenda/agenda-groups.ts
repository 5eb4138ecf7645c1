// How events are grouped for reading: a day's by the hour, several days' by day, all that comes up by month. Pure.
import type { Temporal } from 'temporal-polyfill';
import { fromDayNumber, toCancun, toDayNumber } from '../../domain/cancun-time.ts';
import type { Agenda, EventCard } from '../../domain/agenda.ts';
import type { Lang } from '../../domain/lang.ts';
import { toLongDay, toMonthOfYear } from '../../i18n/dates.ts';
import { t } from '../../i18n/translate.ts';

export interface AgendaGroup {
  /** Unique on the page; the heading's id. */
  readonly key: string;
  readonly title: string;
  readonly cards: readonly EventCard[];
}

const NOON = 12;
const DUSK = 19;

function toPartOfDay(card: EventCard): 'all_day' | 'morning' | 'afternoon' | 'evening' {
  if (card.next === null || card.next.all_day) return 'all_day';
  const { hour } = toCancun(card.next.start_ms);
  if (hour < NOON) return 'morning';
  return hour < DUSK ? 'afternoon' : 'evening';
}

/** A day's events by part of the day, then those without an hour, then those that began on an earlier day. */
export function groupByHour(agenda: Agenda, lang: Lang): readonly AgendaGroup[] {
  const today = toDayNumber(agenda.from);
  const begun = agenda.events.filter((card) => card.next !== null && card.next.first_day < today);
  const today_only = agenda.events.filter((card) => !begun.includes(card));
  const parts = (['morning', 'afternoon', 'evening', 'all_day'] as const).map((key) => ({
    key, title: t(lang, `agenda.${key}`), cards: today_only.filter((card) => toPartOfDay(card) === key),
  }));
  return [...parts, { key: 'begun', title: t(lang, 'agenda.begun'), cards: begun }].filter((group) => group.cards.length > 0);
}

/** Cards by a number of their first day, in its order; those that began before `from_day` in a group of their own at the end. */
function groupBy(cards: readonly EventCard[], from_day: number, lang: Lang, toGroup: (first_day: Temporal.PlainDate) => Omit<AgendaGroup, 'cards'>): readonly AgendaGroup[] {
  const groups = new Map<string, AgendaGroup & { cards: EventCard[] }>();
  const begun: EventCard[] = [];
  for (const card of cards) {
    if (card.next === null) continue;
    if (card.next.first_day < from_day) { begun.push(card); continue; }
    const group = toGroup(fromDayNumber(card.next.first_day));
    const known = groups.get(group.key);
    if (known) known.cards.push(card);
    else groups.set(group.key, { ...group, cards: [card] });
  }
  return begun.length === 0 ? [...groups.values()] : [...groups.values(), { key: 'begun', title: t(lang, 'agenda.begun'), cards: begun }];
}

/** The events of several days by the day of their next occurrence. */
export const groupByDay = (agenda: Agenda, lang: Lang): readonly AgendaGroup[] =>
  groupBy(agenda.events, toDayNumber(agenda.from), lang, (day) => ({ key: `d${day}`, title: toLongDay(day, lang) }));

/** Whatever comes up from a day on, by the month of its next occurrence. */
export const groupByMonth = (cards: readonly EventCard[], today: Temporal.PlainDate, lang: Lang): readonly AgendaGroup[] =>
  groupBy(cards, toDayNumber(today), lang, (day) => ({ key: `m${day.toPlainYearMonth()}`, title: toMonthOfYear(day, lang) }));
