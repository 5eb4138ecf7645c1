// The filter by days and hours: one day or a word, or from and to (contract 2.10, 7.1).
import type { AgendaWord } from '../agenda-words.ts';
import { toCancunDay, type DayRange } from '../cancun-time.ts';
import { DATE_WORDS, type HourSpan, type HourWord, resolveHourWord } from '../hour-words.ts';
import type { Filter } from './filter.ts';
import { FEED_DAYS, resolveRange } from './range.ts';

const DAY = { type: 'string', format: 'date' } as const;

/**
 * `date`, `from` and `to`: inclusive days; null is upcoming from now. `hours` is what is asked for
 * where the word means hours: the days are then only those that they touch.
 */
export const date: Filter<
  'date' | 'from' | 'to',
  { readonly range: DayRange | null; readonly hours: HourSpan | null },
  AgendaWord | HourWord | 'range' | 'from' | 'to'
> = {
  name: 'date',
  parameters: [
    {
      name: 'date',
      other_names: ['fecha', 'fechas', 'dia', 'day', 'cuando'],
      schema: { anyOf: [{ type: 'string', enum: DATE_WORDS }, DAY] },
      example: 'weekend',
    },
    {
      name: 'from',
      other_names: ['desde', 'inicio', 'from_date', 'start_date'],
      schema: DAY,
      example: '2026-11-21',
    },
    {
      name: 'to',
      other_names: ['hasta', 'fin', 'to_date', 'end_date'],
      schema: DAY,
      example: '2026-11-30',
    },
  ],
  off: { range: null, hours: null },
  read: (params, { now_ms, kind, issues }) => ({
    range:
      resolveRange(params, now_ms, issues.meaning) ??
      (kind === 'feed' ? toFeedRange(now_ms) : null),
    hours: resolveHourWord(params.date, now_ms),
  }),
  isOn: ({ range }) => range !== null,
  // As they were written: a feed's days move on, its name does not.
  toPhrases: (_value, { params: { date, from, to } }) => {
    const word = DATE_WORDS.find((known) => known === date);
    if (word) return [{ key: word, parts: {} }];
    if (date !== undefined) return [date];
    if (from !== undefined && to !== undefined) return [{ key: 'range', parts: { from, to } }];
    if (from !== undefined) return [{ key: 'from', parts: { from } }];
    return to === undefined ? [] : [{ key: 'to', parts: { to } }];
  },
};

/** Its parameters. */
export const DATE_NAMES = date.parameters.map(({ name }) => name);

/** A feed's range where no days are asked for: today … today + 60 (contract 2.5). */
export function toFeedRange(now_ms: number): DayRange {
  const from = toCancunDay(now_ms);
  return { from, to: from.add({ days: FEED_DAYS - 1 }) };
}
