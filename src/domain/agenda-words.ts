// The words for a stretch of days (`date` in the API, the agendas with a page each): which days
// each means, and where it is offered.
import type { DayRange } from './cancun-time.ts';
import type { Temporal } from 'temporal-polyfill';

type Day = Temporal.PlainDate;

interface AgendaEntry {
  readonly word: string;
  readonly toFirst: (today: Day) => Day;
  readonly toLast: (first: Day) => Day;
  /** Whether the page of a missing address links to it. */
  readonly in_failures: boolean;
  /** Of one day notices can be asked for, and sun and moon are told. */
  readonly is_one_day: boolean;
}

const same = (first: Day): Day => first;

/** In the order in which they are offered; their words are in the files of words. */
const AGENDA = [
  { word: 'today', toFirst: same, toLast: same, in_failures: true, is_one_day: true },
  {
    word: 'tomorrow',
    toFirst: (today: Day) => today.add({ days: 1 }),
    toLast: same,
    in_failures: false,
    is_one_day: true,
  },
  {
    // Friday to Sunday of this week; on Friday, Saturday and Sunday it starts today.
    word: 'weekend',
    toFirst: (today: Day) => today.add({ days: Math.max(0, 5 - today.dayOfWeek) }),
    toLast: (first: Day) => first.add({ days: 7 - first.dayOfWeek }),
    in_failures: true,
    is_one_day: false,
  },
  {
    word: 'week',
    toFirst: same,
    toLast: (first: Day) => first.add({ days: 6 }),
    in_failures: false,
    is_one_day: false,
  },
] as const satisfies readonly AgendaEntry[];

export type AgendaWord = (typeof AGENDA)[number]['word'];
/** An agenda with a page: of one day, of several, of a festivity, or one that the clock resolves. */
export type AgendaKind = 'day' | 'days' | 'festivity' | AgendaWord;

export const isOneDay = (kind: AgendaKind): boolean =>
  kind === 'day' || AGENDA.some(({ word, is_one_day }) => word === kind && is_one_day);

export const AGENDA_WORDS: readonly AgendaWord[] = AGENDA.map(({ word }) => word);
export const FAILURE_WORDS = AGENDA.filter((entry) => entry.in_failures).map(({ word }) => word);
export const NOTICE_WORDS = AGENDA.filter((entry) => entry.is_one_day).map(({ word }) => word);

export function resolveAgendaWord(text: string, today: Day): DayRange | null {
  const entry = AGENDA.find(({ word }) => word === text);
  const from = entry?.toFirst(today);
  return entry && from ? { from, to: entry.toLast(from) } : null;
}
