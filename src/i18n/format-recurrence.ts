// Recurrence texts: formats the rule of an event's dates: `los jueves a las 16:00`, `Todas las
// noches de 22:00 a 3:00, menos el 24 y 25 de diciembre`.
import { Temporal } from 'temporal-polyfill';
import type { Recurrence } from '../domain/event/occurrences.ts';
import type { Regularity } from '../domain/event/regularity.ts';
import type { Lang } from '../domain/lang.ts';
import {
  formatDateNoWeekday,
  formatRange,
  formatTime,
  pickHourPhraseKey,
  formatMonth,
  groupConsecutive,
} from './format-dates.ts';
import { capitalize, endWithPeriod, type MessageKey, formatList, t } from './translate.ts';

const WEEKDAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'] as const;

/**
 * An event that starts at or after this hour and ends after midnight, or at an unknown hour, is
 * nightly.
 */
const NIGHT_STARTS_AT = '19:00';

const POSITION_KEYS: ReadonlyMap<number, MessageKey> = new Map([
  [1, 'recurrence.position.1'],
  [2, 'recurrence.position.2'],
  [3, 'recurrence.position.3'],
  [4, 'recurrence.position.4'],
  [5, 'recurrence.position.5'],
  [-1, 'recurrence.position.last'],
]);

const monthName = (month: number, lang: Lang): string =>
  formatMonth(new Temporal.PlainDate(2024, month, 1), lang);

const weekdayKey = (weekday: number): (typeof WEEKDAYS)[number] => WEEKDAYS[weekday - 1] ?? 'mo';

/**
 * Formats weekdays (Monday is 1): `los viernes y sábados`, `de jueves a domingo` · `Fridays and
 * Saturdays`, `Thursday to Sunday`.
 */
export function formatWeekdays(weekdays: readonly number[], lang: Lang): string {
  const [run, ...others] = groupConsecutive(weekdays, 7);
  const weekdayName = (weekday: number | undefined): string =>
    t(lang, `recurrence.one.${weekdayKey(weekday ?? 1)}`);
  if (run !== undefined && others.length === 0 && run.length > 2)
    return t(lang, 'recurrence.weekdays', {
      first: weekdayName(run[0]),
      last: weekdayName(run.at(-1)),
    });
  return t(lang, 'recurrence.weekly', {
    days: formatList(
      weekdays.map((weekday) => t(lang, `recurrence.weekday.${weekdayKey(weekday)}`)),
      lang,
    ),
  });
}

/** Formats months: `de noviembre a abril` if they are consecutive, otherwise a list. */
function formatMonths(months: readonly number[], lang: Lang): string {
  const runs = groupConsecutive(months, 12);
  if (runs.length > 0 && runs.every((run) => run.length > 2))
    return formatList(
      runs.map((run) =>
        t(lang, 'recurrence.months.range', {
          first: monthName(run[0] ?? 1, lang),
          last: monthName(run.at(-1) ?? 1, lang),
        }),
      ),
      lang,
    );
  return t(lang, 'recurrence.months.list', {
    months: formatList(
      months.map((month) => monthName(month, lang)),
      lang,
    ),
  });
}

/** Returns true for an event that takes place at night (NIGHT_STARTS_AT). */
const isNight = ({ start, end }: Recurrence): boolean =>
  start !== null && start >= NIGHT_STARTS_AT && (end === null || end <= start);

/**
 * Formats the days of a rule: `los jueves`, `el primer domingo`; null if its kind has no phrase.
 */
function formatRuleDays(recurrence: Recurrence, lang: Lang): string | null {
  const { kind, weekdays, position, months } = recurrence;
  const [weekday = 1] = weekdays;
  switch (kind) {
    case 'daily':
      return t(lang, isNight(recurrence) ? 'recurrence.nightly' : 'recurrence.daily');
    case 'weekly':
      return formatWeekdays(weekdays, lang);
    case 'monthly_weekday': {
      const key = POSITION_KEYS.get(position ?? 0);
      if (!key) return null;
      const day = {
        position: t(lang, key),
        weekday: t(lang, `recurrence.one.${weekdayKey(weekday)}`),
      };
      const [month] = months;
      return month !== undefined && months.length === 1
        ? t(lang, 'recurrence.weekday_of_month', { ...day, month: monthName(month, lang) })
        : t(lang, 'recurrence.monthly_weekday', day);
    }
    case 'monthly_day':
      return t(lang, 'recurrence.monthly_day', { day: position ?? 1 });
    case 'yearly':
      return t(lang, 'recurrence.yearly', {
        day: position ?? 1,
        month: monthName(months[0] ?? 1, lang),
      });
    default:
      return null;
  }
}

/** Returns true if the phrase for the days already contains the month. */
const includesMonths = ({ kind, months }: Recurrence): boolean =>
  kind === 'yearly' || (kind === 'monthly_weekday' && months.length === 1);

/** Formats the hours of a rule: `a las 16:00`, `de 22:00 a 3:00`; null if they are unknown. */
function formatHours({ start, end }: Recurrence, lang: Lang): string | null {
  if (start === null) return null;
  const moment = Temporal.PlainTime.from(start);
  const start_text = formatTime(moment, lang);
  // An end at the same hour of the next day cannot be expressed.
  return end === null || end === start
    ? t(lang, pickHourPhraseKey(moment, 'recurrence.at_one', 'recurrence.at'), {
        start: start_text,
      })
    : t(lang, 'recurrence.from_to', {
        start: start_text,
        end: formatTime(Temporal.PlainTime.from(end), lang),
      });
}

/**
 * Formats a rule as a lower-case phrase: days, months and hours, if it has them.
 * @returns null if it cannot be expressed, such as a holiday relative to Easter.
 */
export function formatRecurrence(recurrence: Recurrence, lang: Lang): string | null {
  const days = formatRuleDays(recurrence, lang);
  if (days === null) return null;
  const months =
    recurrence.months.length === 0 || includesMonths(recurrence)
      ? null
      : formatMonths(recurrence.months, lang);
  const hours = formatHours(recurrence, lang);
  // `todos los días de diciembre a las 9:00`, but a comma after phrases that contain lists.
  const separator = months === null || recurrence.kind === 'daily' ? ' ' : ', ';
  return [days, months, hours].filter((part) => part !== null).join(separator);
}

/**
 * Formats days: `el 24, 25 y 31 de diciembre y el 1 de enero` · `December 24, 25, and 31 and
 * January 1`.
 */
function formatDays(days: readonly Temporal.PlainDate[], lang: Lang): string {
  const by_month = new Map<number, Temporal.PlainDate[]>();
  for (const day of days) by_month.set(day.month, [...(by_month.get(day.month) ?? []), day]);
  const months = [...by_month.values()].flatMap((group) => {
    const [first] = group;
    const numbers = formatList(
      group.map((day) => String(day.day)),
      lang,
    );
    return first === undefined
      ? []
      : [t(lang, 'regularity.days', { days: numbers, month: formatMonth(first, lang) })];
  });
  return formatList(months, lang);
}

/** Formats the known period of a regular event: its first day, its last day, or both. */
function formatSeason({ since, until, last_date: last }: Regularity, lang: Lang): string | null {
  if (until !== null && since !== null) return formatRange({ from: since, to: until }, lang);
  if (until !== null) return t(lang, 'regularity.until', { day: formatDateNoWeekday(until, lang) });
  if (last !== null)
    return t(lang, 'regularity.known_until', { day: formatDateNoWeekday(last, lang) });
  return since && t(lang, 'regularity.since', { day: formatDateNoWeekday(since, lang) });
}

/**
 * Formats the dates of an event as a sentence; patterns in the order of the event's file. Days on
 * which it is only assumed to rest are no exceptions: a second sentence says to ask about them.
 */
export function formatRegularity(regularity: Regularity, lang: Lang): string {
  const { exceptions, doubtful, has_other_dates, is_month_ahead } = regularity;
  const phrases = regularity.patterns.flatMap((pattern) => formatRecurrence(pattern, lang) ?? []);
  const rule = formatList([...new Set(phrases)], lang);
  const dates = has_other_dates ? t(lang, 'regularity.others', { rule }) : rule;
  const parts = [
    is_month_ahead ? t(lang, 'regularity.month_ahead', { rule: dates }) : dates,
    is_month_ahead ? null : formatSeason(regularity, lang),
    exceptions.length === 0
      ? null
      : t(lang, 'regularity.except', { days: formatDays(exceptions, lang) }),
  ].filter((part) => part !== null);
  const sentence = capitalize(parts.join(', '));
  if (doubtful.length === 0) return sentence;
  return `${endWithPeriod(sentence)} ${t(lang, 'regularity.ask', { days: formatDays(doubtful, lang) })}`;
}
