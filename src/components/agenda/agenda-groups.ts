// How an agenda is grouped for reading: a day by its hours, several days by day. Pure.
import { fromDayNumber, toCancun, toDayNumber } from '../../domain/cancun-time.ts';
import type { Agenda, EventCard } from '../../domain/agenda.ts';
import type { Lang } from '../../domain/lang.ts';
import { toLongDay } from '../../i18n/dates.ts';
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

/** The events of several days by the day of their next occurrence, those begun before the range at the end. */
export function groupByDay(agenda: Agenda, lang: Lang): readonly AgendaGroup[] {
  const first = toDayNumber(agenda.from);
  const begun = agenda.events.filter((card) => card.next !== null && card.next.first_day < first);
  const by_day = new Map<number, EventCard[]>();
  for (const card of agenda.events) {
    if (card.next === null || card.next.first_day < first) continue;
    const cards = by_day.get(card.next.first_day) ?? [];
    cards.push(card);
    by_day.set(card.next.first_day, cards);
  }
  const days = [...by_day].sort(([a], [b]) => a - b).map(([number, cards]) => {
    const day = fromDayNumber(number);
    return { key: `d${day}`, title: toLongDay(day, lang), cards };
  });
  return begun.length === 0 ? days : [...days, { key: 'begun', title: t(lang, 'agenda.begun'), cards: begun }];
}
