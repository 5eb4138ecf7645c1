// The rule of an event's dates as a sentence without its full stop: `Todas las noches de 22:00 a
// 3:00, menos el 24 y 25 de diciembre`.
import type { Temporal } from 'temporal-polyfill';
import type { Regularity } from '../domain/event/regularity.ts';
import type { Lang } from '../domain/lang.ts';
import { toDayOfMonth, toDays, toMonthWord } from './dates.ts';
import { toRecurrenceWords } from './recurrence.ts';
import { t, toLocale } from './translate.ts';

const toList = (words: readonly string[], lang: Lang): string =>
  new Intl.ListFormat(toLocale(lang), { type: 'conjunction' }).format(words);

/** `el 24, 25 y 31 de diciembre y el 1 de enero` · `December 24, 25, and 31 and January 1`. */
function toExceptions(days: readonly Temporal.PlainDate[], lang: Lang): string {
  const by_month = new Map<number, Temporal.PlainDate[]>();
  for (const day of days) by_month.set(day.month, [...(by_month.get(day.month) ?? []), day]);
  const months = [...by_month.values()].flatMap((group) => {
    const [first] = group;
    const numbers = toList(
      group.map((day) => String(day.day)),
      lang,
    );
    return first === undefined
      ? []
      : [t(lang, 'regularity.days', { days: numbers, month: toMonthWord(first, lang) })];
  });
  return t(lang, 'regularity.except', { days: toList(months, lang) });
}

/** From when to when, as far as it is known. */
function toSeason({ since, until, last }: Regularity, lang: Lang): string | null {
  if (until !== null && since !== null) return toDays({ from: since, to: until }, lang);
  if (until !== null) return t(lang, 'regularity.until', { day: toDayOfMonth(until, lang) });
  if (last !== null) return t(lang, 'regularity.known_until', { day: toDayOfMonth(last, lang) });
  return since && t(lang, 'regularity.since', { day: toDayOfMonth(since, lang) });
}

/** The sentence, with a capital; the patterns of a rule in the order of the event's file. */
export function toRegularityWords(regularity: Regularity, lang: Lang): string {
  const phrases = regularity.patterns.flatMap((pattern) => toRecurrenceWords(pattern, lang) ?? []);
  const rule = toList([...new Set(phrases)], lang);
  const parts = [
    regularity.has_others ? t(lang, 'regularity.others', { rule }) : rule,
    toSeason(regularity, lang),
    regularity.exceptions.length === 0 ? null : toExceptions(regularity.exceptions, lang),
  ].filter((part) => part !== null);
  const words = parts.join(', ');
  return `${words.slice(0, 1).toLocaleUpperCase(lang)}${words.slice(1)}`;
}
