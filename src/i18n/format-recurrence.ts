// The rule of an event's dates in words: `los jueves a las 16:00`, `Todas las noches de 22:00 a 3:00,
// menos el 24 y 25 de diciembre`.
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
import { capitalize, type MessageKey, formatList, t } from './translate.ts';

const WEEKDAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'] as const;

/** From this hour on what ends after midnight, or nobody knows when, is a night. */
const NIGHT_BEGINS = '19:00';

const POSITIONS: ReadonlyMap<number, MessageKey> = new Map([
  [1, 'recurrence.position.1'],
  [2, 'recurrence.position.2'],
  [3, 'recurrence.position.3'],
  [4, 'recurrence.position.4'],
  [5, 'recurrence.position.5'],
  [-1, 'recurrence.position.last'],
]);

const toMonth = (month: number, lang: Lang): string =>
  formatMonth(new Temporal.PlainDate(2024, month, 1), lang);

const toWeekdayKey = (weekday: number): (typeof WEEKDAYS)[number] => WEEKDAYS[weekday - 1] ?? 'mo';

/** From Monday, which is 1: `los viernes y sábados`, `de jueves a domingo` · `Fridays and Saturdays`, `Thursday to Sunday`. */
export function formatWeekdays(weekdays: readonly number[], lang: Lang): string {
  const [run, ...others] = groupConsecutive(weekdays, 7);
  const toOne = (weekday: number | undefined): string =>
    t(lang, `recurrence.one.${toWeekdayKey(weekday ?? 1)}`);
  if (run !== undefined && others.length === 0 && run.length > 2)
    return t(lang, 'recurrence.weekdays', { first: toOne(run[0]), last: toOne(run.at(-1)) });
  return t(lang, 'recurrence.weekly', {
    days: formatList(
      weekdays.map((weekday) => t(lang, `recurrence.weekday.${toWeekdayKey(weekday)}`)),
      lang,
    ),
  });
}

/** `de noviembre a abril` where the months follow one another; else a list. */
function toMonths(months: readonly number[], lang: Lang): string {
  const runs = groupConsecutive(months, 12);
  if (runs.length > 0 && runs.every((run) => run.length > 2))
    return formatList(
      runs.map((run) =>
        t(lang, 'recurrence.months.range', {
          first: toMonth(run[0] ?? 1, lang),
          last: toMonth(run.at(-1) ?? 1, lang),
        }),
      ),
      lang,
    );
  return t(lang, 'recurrence.months.list', {
    months: formatList(
      months.map((month) => toMonth(month, lang)),
      lang,
    ),
  });
}

const isNight = ({ start, end }: Recurrence): boolean =>
  start !== null && start >= NIGHT_BEGINS && (end === null || end <= start);

function toRuleDays(recurrence: Recurrence, lang: Lang): string | null {
  const { kind, weekdays, position, months } = recurrence;
  const [weekday = 1] = weekdays;
  switch (kind) {
    case 'daily':
      return t(lang, isNight(recurrence) ? 'recurrence.nightly' : 'recurrence.daily');
    case 'weekly':
      return formatWeekdays(weekdays, lang);
    case 'monthly_weekday': {
      const key = POSITIONS.get(position ?? 0);
      if (!key) return null;
      const day = {
        position: t(lang, key),
        weekday: t(lang, `recurrence.one.${toWeekdayKey(weekday)}`),
      };
      const [month] = months;
      return month !== undefined && months.length === 1
        ? t(lang, 'recurrence.weekday_of_month', { ...day, month: toMonth(month, lang) })
        : t(lang, 'recurrence.monthly_weekday', day);
    }
    case 'monthly_day':
      return t(lang, 'recurrence.monthly_day', { day: position ?? 1 });
    case 'yearly':
      return t(lang, 'recurrence.yearly', {
        day: position ?? 1,
        month: toMonth(months[0] ?? 1, lang),
      });
    default:
      return null;
  }
}

const saysMonths = ({ kind, months }: Recurrence): boolean =>
  kind === 'yearly' || (kind === 'monthly_weekday' && months.length === 1);

function toHours({ start, end }: Recurrence, lang: Lang): string | null {
  if (start === null) return null;
  const moment = Temporal.PlainTime.from(start);
  const shown = formatTime(moment, lang);
  // The same hour of another day is no end that a rule of days can say.
  return end === null || end === start
    ? t(lang, pickHourPhraseKey(moment, 'recurrence.at_one', 'recurrence.at'), { start: shown })
    : t(lang, 'recurrence.from_to', {
        start: shown,
        end: formatTime(Temporal.PlainTime.from(end), lang),
      });
}

/**
 * A rule as a phrase without a capital: days, months where it has some, hours where they are known.
 * Null for what no sentence says, such as a feast counted from Easter.
 */
export function formatRecurrence(recurrence: Recurrence, lang: Lang): string | null {
  const days = toRuleDays(recurrence, lang);
  if (days === null) return null;
  const months =
    recurrence.months.length === 0 || saysMonths(recurrence)
      ? null
      : toMonths(recurrence.months, lang);
  const hours = toHours(recurrence, lang);
  // `todos los días de diciembre a las 9:00`; what has commas of its own is set off by them.
  const joint = months === null || recurrence.kind === 'daily' ? ' ' : ', ';
  return [days, months, hours].filter((part) => part !== null).join(joint);
}

/** `el 24, 25 y 31 de diciembre y el 1 de enero` · `December 24, 25, and 31 and January 1`. */
function toExceptions(days: readonly Temporal.PlainDate[], lang: Lang): string {
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
  return t(lang, 'regularity.except', { days: formatList(months, lang) });
}

function toSeason({ since, until, last_date: last }: Regularity, lang: Lang): string | null {
  if (until !== null && since !== null) return formatRange({ from: since, to: until }, lang);
  if (until !== null) return t(lang, 'regularity.until', { day: formatDateNoWeekday(until, lang) });
  if (last !== null)
    return t(lang, 'regularity.known_until', { day: formatDateNoWeekday(last, lang) });
  return since && t(lang, 'regularity.since', { day: formatDateNoWeekday(since, lang) });
}

/** The sentence, with a capital; the patterns of a rule in the order of the event's file. */
export function formatRegularity(regularity: Regularity, lang: Lang): string {
  const phrases = regularity.patterns.flatMap((pattern) => formatRecurrence(pattern, lang) ?? []);
  const rule = formatList([...new Set(phrases)], lang);
  const parts = [
    regularity.has_other_dates ? t(lang, 'regularity.others', { rule }) : rule,
    toSeason(regularity, lang),
    regularity.exceptions.length === 0 ? null : toExceptions(regularity.exceptions, lang),
  ].filter((part) => part !== null);
  return capitalize(parts.join(', '));
}
