// What people write and REST does not read, in REST's spelling: a place by any of its names, the name of
// a weekday, a point with a space in it (contract 13.4, 13.12).
import { Temporal } from 'temporal-polyfill';
import { toCancunDay } from '../domain/cancun-time.ts';
import { MAX_Q_LENGTH, type ParameterTexts } from '../domain/query/parameters.ts';
import { fold } from '../domain/folding.ts';
import { LANGS } from '../domain/lang.ts';
import { toLocale } from '../i18n/translate.ts';
import type { McpContext } from './context.ts';
import { cutText } from './cut.ts';
import { findNamedPlace } from './thing-name.ts';

/** A Monday: the week from it on has every weekday. */
const MONDAY = Temporal.PlainDate.from('2026-11-23');
/** `sabado` and `saturday` are 6. */
const WEEKDAYS = new Map(
  LANGS.flatMap((lang) =>
    [0, 1, 2, 3, 4, 5, 6].map((days): [string, number] => [
      fold(MONDAY.add({ days }).toLocaleString(toLocale(lang), { weekday: 'long' })),
      days + 1,
    ]),
  ),
);

/** The next day of that name, today included; any other word as it is. */
function spellDay(word: string, now_ms: number): string {
  const weekday = WEEKDAYS.get(fold(word.trim()));
  const today = toCancunDay(now_ms);
  return weekday === undefined
    ? word
    : today.add({ days: (weekday - today.dayOfWeek + 7) % 7 }).toString();
}

/** Texts of arguments as REST takes them. */
export function spellArguments(params: ParameterTexts, context: McpContext): ParameterTexts {
  const { q, date, open_on, near } = params;
  const place = q === undefined ? null : findNamedPlace(q, context);
  return {
    ...params,
    // An id, a slug or an address is in no text that is searched.
    ...(place !== null && { q: cutText(place.name, { characters: MAX_Q_LENGTH }) }),
    ...(date !== undefined && { date: spellDay(date, context.now_ms) }),
    ...(open_on !== undefined && { open_on: spellDay(open_on, context.now_ms) }),
    ...(near !== undefined && { near: near.replace(/\s+/g, '') }),
  };
}
