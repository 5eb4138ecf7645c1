// What is said where a list has nothing, in words that stand behind the event's name (contract
// 7.25): pages, Markdown and MCP write the same.
import { fromDayNumber } from '../domain/cancun-time.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import type { Lang, LocalText } from '../domain/lang.ts';
import { toLongDay, toLongDays, toWhen } from './dates.ts';
import { toThingPath } from './paths.ts';
import { t, toLocale } from './translate.ts';

/** An event with one of its dates. */
interface ToldEvent {
  readonly card: { readonly event: { readonly slug: LocalText; readonly title: LocalText } };
  readonly occurrence: OccurrenceRecord;
}

/** What there is to say: the next that matches, those that nearly do, those that are over. */
export interface ToldNothing {
  readonly next: ToldEvent | null;
  readonly nearly: readonly (ToldEvent & { readonly missing: readonly string[] })[];
  readonly past: readonly ToldEvent[];
}

/** One event, with what is said of it. */
export interface NothingLine {
  readonly title: string;
  readonly path: string;
  /** Goes on after the title: `fue el sábado 20 de junio de 2026.` */
  readonly words: string;
}

/** The events to show under one title; no section where there is none. */
export interface NothingSection {
  readonly kind: keyof ToldNothing;
  readonly title: string;
  readonly lines: readonly NothingLine[];
}

/** The sections, in the order in which they help. */
export function toNothingSections(
  { next, nearly, past }: ToldNothing,
  lang: Lang,
): readonly NothingSection[] {
  const toLine = ({ card: { event } }: ToldEvent, words: string): NothingLine => ({
    title: event.title[lang],
    path: toThingPath('event', event.slug, lang),
    words,
  });
  const toSection = (kind: keyof ToldNothing, lines: readonly NothingLine[]): NothingSection[] =>
    lines.length === 0 ? [] : [{ kind, title: t(lang, `nothing.${kind}`), lines }];
  return [
    ...toSection('next', next === null ? [] : [toLine(next, `${toWhen(next.occurrence, lang)}.`)]),
    ...toSection(
      'nearly',
      nearly.map((one) =>
        toLine(
          one,
          t(lang, 'nothing.missing', {
            when: toWhen(one.occurrence, lang),
            words: toWordList(one.missing, lang),
          }),
        ),
      ),
    ),
    ...toSection(
      'past',
      past.map((one) => toLine(one, toWasWords(one.occurrence, lang))),
    ),
  ];
}

/** The day, or the days, without the hours: nobody can go any more. */
function toWasWords({ first_day, last_day }: OccurrenceRecord, lang: Lang): string {
  const [from, to] = [fromDayNumber(first_day), fromDayNumber(last_day)];
  return first_day === last_day
    ? t(lang, 'nothing.was', { day: toLongDay(from, lang) })
    : t(lang, 'nothing.was_days', { days: toLongDays({ from, to }, lang) });
}

const toWordList = (words: readonly string[], lang: Lang): string =>
  new Intl.ListFormat(toLocale(lang), { type: 'disjunction' }).format(
    words.map((word) => t(lang, 'search.quoted', { word })),
  );
