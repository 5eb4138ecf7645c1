// Day words: reads the words by which people name days, in every language, as a keyword of `date`
// or a day, and lists them for error messages (contract 14.73). The search reads the same phrases.
import { Temporal } from 'temporal-polyfill';
import type { AgendaKeyword } from '../date-keywords.ts';
import { DEFAULT_LANG, type ByLang, type Lang, LANGS } from '../lang.ts';
import { foldText } from '../text-folding.ts';

/** Keywords of `date` for hours instead of whole days. */
export const HOUR_KEYWORDS = ['now', 'tonight'] as const;
export type HourKeyword = (typeof HOUR_KEYWORDS)[number];
type DateKeyword = AgendaKeyword | HourKeyword;

/** Phrases for each keyword; messages offer the first one. */
export const DAY_PHRASES: Readonly<
  Record<DateKeyword, ByLang<readonly [string, ...(readonly string[])]>>
> = {
  today: { es: ['hoy'], en: ['today'] },
  tomorrow: { es: ['mañana'], en: ['tomorrow'] },
  weekend: {
    es: ['fin de semana', 'este fin de semana', 'el fin de semana', 'este fin', 'finde'],
    en: ['weekend', 'this weekend', 'the weekend'],
  },
  week: { es: ['esta semana', 'próximos siete días'], en: ['this week'] },
  now: { es: ['ahora', 'ahorita', 'ahora mismo'], en: ['now', 'right now'] },
  tonight: { es: ['esta noche', 'hoy en la noche', 'hoy noche'], en: ['tonight'] },
};

const KEYWORD_BY_PHRASE = new Map(
  Object.entries(DAY_PHRASES).flatMap(([keyword, phrases]) =>
    LANGS.flatMap((lang) =>
      phrases[lang].map((phrase): [string, string] => [foldText(phrase), keyword]),
    ),
  ),
);

/** Any Monday, to format the names of the weekdays. */
const MONDAY = Temporal.PlainDate.from('2026-11-23');
const formatWeekdayName = (number: number, lang: Lang): string =>
  MONDAY.add({ days: number - 1 }).toLocaleString(lang, { weekday: 'long' });

/** ISO numbers of the weekdays (Monday is 1). */
const WEEKDAY_NUMBERS = [1, 2, 3, 4, 5, 6, 7];
/** Names of the weekdays in lower-case English, as OpenAPI lists them. */
export const WEEKDAY_NAMES = WEEKDAY_NUMBERS.map((number) =>
  formatWeekdayName(number, 'en').toLowerCase(),
);
const WEEKDAY_BY_NAME = new Map(
  LANGS.flatMap((lang) =>
    WEEKDAY_NUMBERS.map((number): [string, number] => [
      foldText(formatWeekdayName(number, lang)),
      number,
    ]),
  ),
);
/** Words before a weekday that do not change its meaning: `este sábado`, `on saturday`. */
const WEEKDAY_PREFIX = /^(?:este|el|this|on)\s+/;

/**
 * Returns the ISO number of a weekday by its name in any language.
 * @returns null for any other text.
 */
const parseWeekday = (folded: string): number | null =>
  WEEKDAY_BY_NAME.get(folded.replace(WEEKDAY_PREFIX, '')) ?? null;

/**
 * Reads a phrase as its keyword, and a weekday as its next date, `from` included: `hoy` is `today`.
 * Returns any other text as it is.
 */
export function readDayWord(text: string, from: Temporal.PlainDate): string {
  const folded = foldText(text.trim());
  const weekday = parseWeekday(folded);
  return weekday === null
    ? (KEYWORD_BY_PHRASE.get(folded) ?? text)
    : from.add({ days: (weekday - from.dayOfWeek + 7) % 7 }).toString();
}

/** Reads a weekday as its last date, `today` included, and the words for today as this day. */
export function readPastDayWord(text: string, today: Temporal.PlainDate): string {
  const folded = foldText(text.trim());
  const weekday = parseWeekday(folded);
  if (weekday !== null)
    return today.subtract({ days: (today.dayOfWeek - weekday + 7) % 7 }).toString();
  return KEYWORD_BY_PHRASE.get(folded) === 'today' ? today.toString() : text;
}

/**
 * Lists the words of a parameter in a language: `today (hoy), tomorrow (mañana), a weekday
 * (sábado)`. The keywords stay first, because the reference has them.
 * @param lang `lang` of the request, unparsed.
 */
export function listDayWords(
  keywords: readonly DateKeyword[],
  lang: string = DEFAULT_LANG,
): string {
  const known_lang = LANGS.find((each) => each === lang) ?? DEFAULT_LANG;
  // The keywords are English.
  const words = keywords.map((keyword) =>
    known_lang === 'en' ? keyword : `${keyword} (${DAY_PHRASES[keyword][known_lang][0]})`,
  );
  return [...words, `a weekday (${formatWeekdayName(6, known_lang).toLowerCase()})`].join(', ');
}
