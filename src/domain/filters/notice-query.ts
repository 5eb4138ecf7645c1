// Which notices a query asks for, of which day, and in which language (contract 8.8): JSON and MCP
// read it alike.
import type { Temporal } from 'temporal-polyfill';
import { NOTICE_WORDS, resolveAgendaWord } from '../agenda-words.ts';
import { DAY_YEARS, isComputed } from '../day/day-facts.ts';
import { AppError } from '../app-error.ts';
import { parseDay, toCancunDay } from '../cancun-time.ts';
import type { Lang } from '../lang.ts';
import { NOTICE_TYPES, type NoticeRecord } from '../notice.ts';
import { readChoice, type Town } from './filter.ts';
import { readLang } from './lang.ts';
import { withToday } from './range.ts';
import { zone } from './zone.ts';

/** The parameter `date` without its words, which i18n has. */
export const NOTICE_DATE = {
  name: 'date',
  schema: {
    anyOf: [
      { type: 'string', enum: NOTICE_WORDS },
      { type: 'string', format: 'date' },
    ],
    default: 'today',
  },
  example: 'today',
} as const;
/** The parameter `type`, the same. */
export const NOTICE_TYPE = {
  name: 'type',
  schema: { type: 'string', enum: NOTICE_TYPES },
  example: 'weather',
} as const;
/** What the tool takes, and what the list does. */
export const NOTICE_PARAMETER_NAMES = ['date', 'lang'] as const;
export const NOTICE_LIST_PARAMETERS = ['date', 'zone', 'type', 'lang'] as const;

export interface NoticeQuery {
  readonly day: Temporal.PlainDate;
  readonly lang: Lang;
}

/**
 * The day and language of a query. `params`: known names, each once, no empty values. `now_ms`
 * decides today. Throws AppError invalid_parameter that names every issue, those in `found` first.
 */
export function parseNoticeQuery(
  params: Readonly<Record<string, string>>,
  now_ms: number,
  found: readonly string[] = [],
): NoticeQuery {
  const issues = [...found];
  const lang = readLang(params, issues);
  const day = readDay(params.date ?? 'today', now_ms, issues);
  if (issues.length > 0) throw new AppError('invalid_parameter', issues.join('; '));
  return { day, lang };
}

/** Which of a day's notices are listed. */
interface NoticeListQuery extends NoticeQuery {
  readonly isAsked: (notice: Pick<NoticeRecord, 'type' | 'zone'>) => boolean;
}

/** The same with what only the list takes: a zone, with what concerns the whole area, and a type. */
export function parseNoticeListQuery(
  params: Readonly<Record<string, string>>,
  town: Town,
  now_ms: number,
  found: readonly string[],
): NoticeListQuery {
  const issues = { form: [...found], meaning: [] };
  const { zones } = zone.read(params, { town, now_ms, kind: 'list', issues });
  const type = readChoice(NOTICE_TYPE.name, NOTICE_TYPES, params, issues.form);
  return {
    ...parseNoticeQuery(params, now_ms, [...issues.form, ...issues.meaning]),
    isAsked: (notice) =>
      (notice.zone === null || (zones?.includes(notice.zone) ?? true)) &&
      (type === null || notice.type === type),
  };
}

/** A day, or `today` and `tomorrow`; today with an issue for the parameter `name` where it is neither. */
export function readDay(
  date: string,
  now_ms: number,
  issues: string[],
  name = 'date',
): Temporal.PlainDate {
  const today = toCancunDay(now_ms);
  const word = NOTICE_WORDS.find((known) => known === date);
  const day = word ? resolveAgendaWord(word, today)?.from : parseDay(date);
  if (!day)
    issues.push(
      ...withToday(
        [
          `${name}: '${date}' is not accepted. Use ${NOTICE_WORDS.join(', ')} or a day as YYYY-MM-DD`,
        ],
        now_ms,
      ),
    );
  return day ?? today;
}

/** The same for a day whose sky and holidays are asked for: within the years that are computed. */
export function readComputedDay(
  date: string,
  now_ms: number,
  issues: string[],
): Temporal.PlainDate {
  const day = readDay(date, now_ms, issues);
  if (!isComputed(day))
    issues.push(
      `date: '${date}' is not computed. Use a day from ${DAY_YEARS.first} to ${DAY_YEARS.last}`,
    );
  return day;
}
