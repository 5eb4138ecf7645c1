// Events inside a longer Markdown document: title as link, facts, summary; a section of them.
import type { Heading, Paragraph, RootContent } from 'mdast';
import type { EventCard } from '../../domain/agenda.ts';
import { fromDayNumber } from '../../domain/cancun-time.ts';
import { findOriginals, type OccurrenceRecord } from '../../domain/event/event.ts';
import type { Lang } from '../../domain/lang.ts';
import { withoutStop } from '../../domain/place-line.ts';
import type { Site } from '../../domain/site.ts';
import { toConfirmedMark, toListDoubt } from '../../i18n/confirm.ts';
import { toAlsoOn, toHours, toShortDay, toWhen } from '../../i18n/dates.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toFactItems, toOriginalParagraphs, toStatusWord } from './event-facts.ts';
import { heading, link, list, paragraph, paragraphs, plain } from './nodes.ts';

/**
 * The further days of an event in the agenda's range, each with what became of it; a count where
 * they are not given.
 */
function toFurtherDays(
  card: EventCard,
  further: readonly OccurrenceRecord[],
  lang: Lang,
): string | null {
  if (further.length === 0)
    return card.more_dates > 0 ? tCount(lang, 'dates.more', card.more_dates) : null;
  if (further.every((occurrence) => occurrence.status === 'scheduled'))
    return toAlsoOn([...new Set(further.map((occurrence) => occurrence.first_day))], lang);
  const days = further.map((occurrence) => {
    const status = toStatusWord(occurrence.status, lang);
    return `${toShortDay(fromDayNumber(occurrence.first_day), lang)}${status === null ? '' : ` (${status})`}`;
  });
  return t(lang, 'dates.also', { days: days.join(', ') });
}

/**
 * Hours alone suffice under a day's heading, unless it lasts several days; `say` puts other days and
 * hours into words.
 */
export function toWhenWords(
  card: EventCard,
  lang: Lang,
  under_day: boolean,
  further: readonly OccurrenceRecord[] = [],
  say: (occurrence: OccurrenceRecord, lang: Lang) => string = toWhen,
): string | null {
  const { next } = card;
  if (!next) return null;
  const is_hours = under_day && next.first_day === next.last_day;
  const when = is_hours ? toHours(next, lang) : say(next, lang);
  const note = next.notes ? ` (${withoutStop(next.notes[lang])})` : '';
  const mark = toConfirmedMark(card, lang);
  const more = toFurtherDays(card, further, lang);
  return `${when}${note}${mark === null ? '' : ` (${mark})`}${more === null ? '' : `, ${more}`}`;
}

/**
 * The entry, under a heading of `depth`. `under_day` says that the day stands in a heading above;
 * `further` are its other occurrences in the range, where the reader should know their days.
 */
export function toEventEntry(
  card: EventCard,
  lang: Lang,
  site: Site,
  depth: Heading['depth'],
  under_day: boolean,
  further: readonly OccurrenceRecord[] = [],
): RootContent[] {
  const when = toWhenWords(card, lang, under_day, further);
  const url = toAbsolute(site.url, toThingPath('event', card.event.slug, lang));
  return [
    heading(depth, link(url, card.event.title[lang])),
    list(toFactItems(card, { surface: 'entry', when, lang, site })),
    ...toOriginalParagraphs(findOriginals(card.event, lang).summary, lang),
    ...paragraphs(card.event.summary[lang]),
  ];
}

/** What is not confirmed of a list, once and before it; nothing where all is. */
export function toDoubtEntry(cards: readonly EventCard[], lang: Lang): Paragraph[] {
  const doubt = toListDoubt(cards, lang);
  return doubt === null ? [] : [paragraph(plain(doubt))];
}

/** A level 2 section; `cards` in order of time. */
export function toUpcomingSection(
  cards: readonly EventCard[],
  lang: Lang,
  site: Site,
): RootContent[] {
  const title = heading(2, plain(t(lang, 'label.next_events')));
  if (cards.length === 0) return [title, paragraph(plain(t(lang, 'md.no_upcoming')))];
  const entries = cards.flatMap((card) => toEventEntry(card, lang, site, 3, false));
  return [title, ...toDoubtEntry(cards, lang), ...entries];
}
