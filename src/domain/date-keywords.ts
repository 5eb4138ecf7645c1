// The words for a stretch of days (`date` in the API, the agendas with a page each): which days
// each means, and where it is offered.
import type { DayRange } from './local-time.ts';
import type { Temporal } from 'temporal-polyfill';

type Day = Temporal.PlainDate;

const toDay = (day: Day): DayRange => ({ from: day, to: day });

/**
 * In the order in which they are offered; their words are in the files of words. Of one day notices
 * can be asked for, and sun and moon are told.
 */
const AGENDA = [
  { word: 'today', is_one_day: true, toDays: toDay },
  { word: 'tomorrow', is_one_day: true, toDays: (today: Day) => toDay(today.add({ days: 1 })) },
  {
    // Friday to Sunday of this week; on Friday, Saturday and Sunday it starts today.
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

export type AgendaKeyword = (typeof AGENDA)[number]['word'];
/** An agenda with a page: of one day, of several, of a festivity, or one that the clock resolves. */
export type AgendaPageKind = 'day' | 'days' | 'festivity' | AgendaKeyword;

export const isSingleDay = (kind: AgendaPageKind): boolean =>
  kind === 'day' || AGENDA.some(({ word, is_one_day }) => word === kind && is_one_day);

export const AGENDA_KEYWORDS: readonly AgendaKeyword[] = AGENDA.map(({ word }) => word);
/** Those to which the page of a missing address links. */
export const ERROR_PAGE_KEYWORDS = ['today', 'weekend'] as const;
export const SINGLE_DAY_KEYWORDS = AGENDA.filter((entry) => entry.is_one_day).map(
  ({ word }) => word,
);

export const resolveAgendaKeyword = (text: string, today: Day): DayRange | null =>
  AGENDA.find(({ word }) => word === text)?.toDays(today) ?? null;
