// Which dates of one event a query asks for, and in which language (contract 8.4): JSON and MCP read
// it alike.
import { AppError } from '../app-error.ts';
import { toDayNumber, type DayRange } from '../cancun-time.ts';
import type { OccurrenceRecord } from '../event/event.ts';
import type { Lang } from '../lang.ts';
import { readLang } from './lang.ts';
import { resolveRange } from './range.ts';

export const EVENT_DATES_NAMES = ['from', 'to', 'lang'] as const;

export interface EventDatesQuery {
  readonly lang: Lang;
  /** Null where all dates are meant. */
  readonly range: DayRange | null;
}

/**
 * `params`: known names, each once, no empty values. `now_ms` decides today. Throws AppError
 * invalid_parameter that names every issue, those in `found` first.
 */
export function parseEventDatesQuery(
  params: Readonly<Record<string, string>>,
  now_ms: number,
  found: readonly string[] = [],
): EventDatesQuery {
  const issues = [...found];
  const lang = readLang(params, issues);
  const range = resolveRange({ from: params.from, to: params.to }, now_ms, issues);
  if (issues.length > 0) throw new AppError('invalid_parameter', issues.join('; '));
  return { lang, range };
}

/** The dates that touch these days (contract 2.3); all of them where the range is null. */
export function pickDates(
  occurrences: readonly OccurrenceRecord[],
  range: DayRange | null,
): readonly OccurrenceRecord[] {
  if (range === null) return occurrences;
  const [from, to] = [toDayNumber(range.from), toDayNumber(range.to)];
  return occurrences.filter(({ first_day, last_day }) => first_day <= to && last_day >= from);
}
