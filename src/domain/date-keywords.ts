// Date keywords: resolves `today`, `tomorrow`, `weekend` and `week` (parameter `date` of the API,
// agenda pages) to their days.
import type { DayRange } from './local-time.ts';
import type { Temporal } from 'temporal-polyfill';

type Day = Temporal.PlainDate;

const singleDay = (day: Day): DayRange => ({ from: day, to: day });

/**
 * Keywords in display order. Single days can also filter notices, and their pages show sun and
 * moon.
 */
const KEYWORDS = [
  { word: 'today', is_one_day: true, toDays: singleDay },
  { word: 'tomorrow', is_one_day: true, toDays: (today: Day) => singleDay(today.add({ days: 1 })) },
  {
    // Friday to Sunday of this week; from Friday on it starts today.
    word: 'weekend',
    is_one_day: false,
    toDays: (today: Day) => ({
      from: today.add({ days: Math.max(0, 5 - today.dayOfWeek) }),
      to: today.add({ days: 7 - today.dayOfWeek }),
    }),
  },
  {
    word: 'week',
    is_one_day: false,
    toDays: (today: Day) => ({ from: today, to: today.add({ days: 6 }) }),
  },
] as const;

export type AgendaKeyword = (typeof KEYWORDS)[number]['word'];
/** Kind of an agenda page: a day, several days, a festivity, or a keyword relative to today. */
export type AgendaPageKind = 'day' | 'days' | 'festivity' | AgendaKeyword;

/** Tests for an agenda page of one day. */
export const isSingleDay = (kind: AgendaPageKind): boolean =>
  kind === 'day' || KEYWORDS.some(({ word, is_one_day }) => word === kind && is_one_day);

export const AGENDA_KEYWORDS: readonly AgendaKeyword[] = KEYWORDS.map(({ word }) => word);
/** Agenda pages linked from the 404 page. */
export const ERROR_PAGE_KEYWORDS = ['today', 'weekend'] as const;
export const SINGLE_DAY_KEYWORDS = KEYWORDS.filter((entry) => entry.is_one_day).map(
  ({ word }) => word,
);

/** Resolves a keyword to its days; null for any other text. */
export const resolveAgendaKeyword = (text: string, today: Day): DayRange | null =>
  KEYWORDS.find(({ word }) => word === text)?.toDays(today) ?? null;
