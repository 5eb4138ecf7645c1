// How a day's events are told, in order: what runs for a few days, then by part of the day, then
// what began long before, the nightclubs last. Pure.
import type { Agenda, EventCard } from '../agenda.ts';
import { toCancun, toDayNumber } from '../cancun-time.ts';
import { foldNightclubs } from '../event/nightclub.ts';

export type PartOfDay = 'morning' | 'afternoon' | 'evening';
export type DayPartKey = 'run' | PartOfDay | 'all_day' | 'begun' | 'nightclubs';

export interface Part<Key extends string> {
  readonly key: Key;
  readonly cards: readonly EventCard[];
}

const NOON = 12;
const DUSK = 19;
/**
 * Most days of a run that is news on each of them: a carnival is, an exhibition of three months is
 * not.
 */
const MAX_RUN_DAYS = 14;

/** Whether it is one thing of a few whole days. */
export const isRun = ({ next }: EventCard): boolean =>
  next?.all_day === true &&
  next.last_day > next.first_day &&
  next.last_day - next.first_day < MAX_RUN_DAYS;

/** The part of the day in which an instant lies. */
export function toPartOfDay(epoch_ms: number): PartOfDay {
  const { hour } = toCancun(epoch_ms);
  if (hour < NOON) return 'morning';
  return hour < DUSK ? 'afternoon' : 'evening';
}

/** Where an event stands on a day by its hour; those without one stand together. */
export function toDayPartKey({ next }: EventCard): PartOfDay | 'all_day' {
  return next === null || next.all_day ? 'all_day' : toPartOfDay(next.start_ms);
}

/** Cards under their keys in a given order; a key without cards is no part. */
export function toParts<Key extends string>(
  keys: readonly Key[],
  cards: readonly EventCard[],
  toKey: (card: EventCard) => Key,
): readonly Part<Key>[] {
  const by_key = Map.groupBy(cards, toKey);
  return keys.flatMap((key) => {
    const own = by_key.get(key);
    return own ? [{ key, cards: own }] : [];
  });
}

const ORDER = ['run', 'morning', 'afternoon', 'evening', 'all_day', 'begun', 'nightclubs'] as const;

/** The events of a day that no clock is needed for, the nightclubs last (contract 1.11). */
export function splitDay({ events, from }: Agenda): readonly Part<DayPartKey>[] {
  const day = toDayNumber(from);
  const nightclubs = new Set(foldNightclubs(events).nightclubs);
  return toParts<DayPartKey>(ORDER, events, (card) => {
    if (nightclubs.has(card)) return 'nightclubs';
    if (isRun(card)) return 'run';
    return card.next !== null && card.next.first_day < day ? 'begun' : toDayPartKey(card);
  });
}
