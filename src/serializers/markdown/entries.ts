// Markdown entries: renders the parts of documents that describe one record: events with their
// facts, dates, entries of the change log, venues and others. A card is an event with its venue,
// organizer, category, zone and next occurrence; a fact is one labeled line of it, such as place or
// price.
import type { Paragraph, PhrasingContent } from 'mdast';
import type { EventCard, DayPart } from '../../domain/agenda.ts';
import { fromDayNumber } from '../../domain/local-time.ts';
import {
  findUntranslatedTexts,
  type OccurrenceRecord,
  type OccurrenceStatus,
} from '../../domain/event/event.ts';
import {
  type EventFactValue,
  findSavableDay,
  listFacts,
  type PlaceValue,
} from '../../domain/event/facts.ts';
import type { Lang } from '../../domain/lang.ts';
import { stripTrailingPeriod } from '../../domain/place-text.ts';
import type { Site } from '../../domain/site.ts';
import type { FormattedChange } from '../../i18n/format-changes.ts';
import {
  FACT_LINE_SEPARATOR,
  formatConfirmedMark,
  formatFactLines,
  formatListUncertainty,
} from '../../i18n/format-facts.ts';
import {
  findSharedDateDetails,
  formatAlsoOn,
  formatDateDetails,
  formatHours,
  formatShortDay,
  formatNoteInParentheses,
  formatWhen,
} from '../../i18n/format-dates.ts';
import type { EmptyResultSection } from '../../i18n/format-query.ts';
import { directionsUrl } from '../../i18n/external-links.ts';
import { absoluteUrl, occurrenceIcsPath, recordIcsPath, recordPath } from '../../i18n/paths.ts';
import { t, tPlural } from '../../i18n/translate.ts';
import type { DocumentHead } from './document.ts';
import {
  type MarkdownBlock,
  heading,
  joinInline,
  labeled,
  link,
  linkItem,
  list,
  paragraph,
  paragraphs,
  plainTextNode,
  section,
  strong,
  type Inline,
} from './nodes.ts';

/** Formats a status as ` (Cancelado)`; empty for a scheduled occurrence. */
const formatStatusNote = (status: OccurrenceStatus, lang: Lang): string =>
  status === 'scheduled' ? '' : ` (${t(lang, `status.${status}`)})`;

/** Renders the note above a text that is not translated; empty if `original` is undefined. */
export const renderLanguageNote = (original: Lang | undefined, lang: Lang): Paragraph[] =>
  original === undefined ? [] : [paragraph(`${t(lang, `original.${original}`)}:`)];

/** Options for rendering the facts of an event. */
interface FactStyle {
  /**
   * Place of the facts: an entry of a list, the document of one event, or the MCP answer about one
   * event.
   */
  readonly surface: 'entry' | 'document' | 'answer';
  /** Formatted date of the event; null omits it. */
  readonly when: string | null;
  readonly lang: Lang;
  readonly site: Site;
}

/** Renders venue, zone and location note; documents also have the address and directions. */
function renderPlace({ venue, street, zone, note }: PlaceValue, style: FactStyle): Inline {
  const { surface, lang, site } = style;
  const directions = venue && surface === 'document' ? directionsUrl(venue) : null;
  return joinInline([
    venue && link(absoluteUrl(site.url, recordPath('venue', venue.slug, lang)), venue.name),
    surface === 'entry' ? null : street || null,
    zone?.name[lang],
    note && stripTrailingPeriod(note[lang]),
    directions === null ? null : link(directions, t(lang, 'label.directions')),
  ]);
}

/** Renders links to save the next date and, if there are more, to subscribe to all. */
function renderCalendarLinks(
  { card, has_more_dates }: Extract<EventFactValue, { readonly kind: 'calendar' }>,
  { lang, site }: FactStyle,
): Inline {
  const { id, slug } = card.event;
  const savable_day = findSavableDay(card);
  const save_path =
    savable_day === null
      ? null
      : occurrenceIcsPath(id, fromDayNumber(savable_day).toString(), lang);
  const follow_path = has_more_dates ? recordIcsPath('event', slug, lang) : null;
  return joinInline([
    save_path && link(absoluteUrl(site.url, save_path), t(lang, 'label.calendar_save')),
    follow_path && link(absoluteUrl(site.url, follow_path), t(lang, 'label.calendar_follow')),
  ]);
}

/** Renders the value of a fact, with links to pages; facts without links are plain text. */
function renderFactValue(value: EventFactValue, style: FactStyle): Inline {
  const { lang, site, when } = style;
  switch (value.kind) {
    case 'place':
      return renderPlace(value, style);
    case 'time':
      return when;
    case 'organizer': {
      const { slug, name, verified } = value.organizer;
      const page = link(absoluteUrl(site.url, recordPath('organizer', slug, lang)), name);
      return [page, verified ? ` (${t(lang, 'label.verified')})` : null];
    }
    case 'address':
      return joinInline([value.url, ...(value.others ?? [])].map((url) => link(url)));
    case 'calendar':
      return renderCalendarLinks(value, style);
    default:
      return formatFactLines(value, lang).join(FACT_LINE_SEPARATOR);
  }
}

/** Renders the facts of an event as list items `**Label:** value`. */
export const renderFactItems = (card: EventCard, style: FactStyle): PhrasingContent[][] =>
  listFacts(card, style.surface).map(({ name, value }) =>
    labeled(t(style.lang, `label.${name}`), renderFactValue(value, style)),
  );

/**
 * Formats the further days of an event: `further` by name; if it is empty, the number of further
 * dates. Null if there are none.
 */
function formatFurtherDays(
  card: EventCard,
  further: readonly OccurrenceRecord[],
  lang: Lang,
): string | null {
  if (further.length === 0)
    return card.more_dates > 0 ? tPlural(lang, 'dates.more', card.more_dates) : null;
  return formatAlsoOn([...new Set(further.map(({ first_day }) => first_day))], lang);
}

/**
 * Formats the date of an event entry: only the hours under a day's heading, unless it lasts several
 * days. Null without an upcoming date.
 * @param under_day The day is in a heading above.
 * @param further Other scheduled occurrences in the range to list by day.
 * @param formatDate Formats the full date if the hours are not enough.
 */
export function formatEntryWhen(
  card: EventCard,
  lang: Lang,
  under_day: boolean,
  further: readonly OccurrenceRecord[] = [],
  formatDate: (occurrence: OccurrenceRecord, lang: Lang) => string = formatWhen,
): string | null {
  const { next } = card;
  if (!next) return null;
  const is_hours_enough = under_day && next.first_day === next.last_day;
  const when = is_hours_enough ? formatHours(next, lang) : formatDate(next, lang);
  const confirmed_mark = formatConfirmedMark(card, lang);
  const further_days = formatFurtherDays(card, further, lang);
  return [
    when,
    formatNoteInParentheses(next, lang),
    confirmed_mark === null ? '' : ` (${confirmed_mark})`,
    further_days === null ? '' : `, ${further_days}`,
  ].join('');
}

/**
 * Renders an event under a heading of level 3.
 * @param under_day The day is in a heading above.
 * @param further Other scheduled occurrences in the range to list by day.
 */
export function renderEventEntry(
  card: EventCard,
  lang: Lang,
  site: Site,
  under_day = false,
  further: readonly OccurrenceRecord[] = [],
): MarkdownBlock {
  const { event } = card;
  const when = formatEntryWhen(card, lang, under_day, further);
  return [
    heading(
      3,
      link(absoluteUrl(site.url, recordPath('event', event.slug, lang)), event.title[lang]),
    ),
    list(renderFactItems(card, { surface: 'entry', when, lang, site })),
    renderLanguageNote(findUntranslatedTexts(event, lang).summary, lang),
    paragraphs(event.summary[lang]),
  ];
}

/** Renders the section of upcoming events in the document of a venue, organizer or taxon. */
export const renderUpcoming = (
  cards: readonly EventCard[],
  { lang, site }: DocumentHead,
): MarkdownBlock =>
  section(
    t(lang, 'label.next_events'),
    cards.length === 0 ? t(lang, 'md.no_upcoming') : null,
    formatListUncertainty(cards, lang),
    cards.map((card) => renderEventEntry(card, lang, site)),
  );

/** Renders the date, status and note of an occurrence. */
function renderDateItem(occurrence: OccurrenceRecord, lang: Lang): PhrasingContent[] {
  const { status, notes } = occurrence;
  const when = `${formatWhen(occurrence, lang)}${formatStatusNote(status, lang)}`;
  return [plainTextNode(notes ? `${when}: ${notes[lang]}` : when)];
}

/**
 * Renders dates: single days with the same hours and note in one line, each other date as an item.
 * @param known_year The year in the heading above, which is omitted; 0 if there is no such heading.
 */
export function renderDates(
  dates: readonly OccurrenceRecord[],
  lang: Lang,
  known_year = 0,
): MarkdownBlock {
  const shared = findSharedDateDetails(dates, lang);
  const isShared = (date: OccurrenceRecord): boolean => {
    const { hours, note } = formatDateDetails(date, lang);
    const is_plain_day = date.status === 'scheduled' && date.first_day === date.last_day;
    return is_plain_day && hours === shared.hours && note === shared.note;
  };
  const { shared_dates = [], others = [] } = Object.groupBy(dates, (date) =>
    isShared(date) ? 'shared_dates' : 'others',
  );
  const [first_shared] = shared_dates;
  if (!first_shared || shared_dates.length === 1)
    return list(dates.map((date) => renderDateItem(date, lang)));
  const shared_days = shared_dates.map((date) => fromDayNumber(date.first_day));
  // Show the year if it differs from the previous day's.
  const day_texts = shared_days.map((day, index) =>
    formatShortDay(day, lang, shared_days[index - 1]?.year ?? known_year),
  );
  const note = shared.note === null ? '' : `; ${stripTrailingPeriod(shared.note)}`;
  return [
    paragraph(plainTextNode(`${day_texts.join('; ')}: ${formatHours(first_shared, lang)}${note}`)),
    list(others.map((date) => renderDateItem(date, lang))),
  ];
}

/**
 * Formats the heading of a part of today: `Ahora`, `Antros abiertos ahora (18+)`, `Ya terminó (3)`.
 */
export function dayPartHeading({ key, cards }: DayPart, lang: Lang): string {
  const title = t(lang, `agenda.${key === 'nightclubs' ? 'nightclubs.tonight' : key}`);
  if (key === 'ended') return `${title} (${cards.length})`;
  return key === 'nightclubs' || key === 'now_nightclubs'
    ? `${title} (${t(lang, 'agenda.adults')})`
    : title;
}

/** Returns true for the parts of today that follow the open venues: nightclubs and ended events. */
export const comesAfterVenues = ({ key }: DayPart): boolean =>
  key === 'nightclubs' || key === 'ended';

/**
 * Renders the alternatives of an empty list, grouped under their titles (`nothing.*` in the texts).
 */
export const renderEmptyResult = (
  sections: readonly EmptyResultSection[],
  lang: Lang,
  site: Site,
): MarkdownBlock =>
  sections.map(({ title, lines }) => [
    t(lang, 'nothing.title', { title }),
    list(lines.map((line) => linkItem(absoluteUrl(site.url, line.path), line.title, line.words))),
  ]);

/**
 * Renders an entry of the change log: `**Cancelled:** [name](url) · date`. `word` names the kind of
 * change.
 */
export const renderChangeItem = (
  { word, name, path, detail }: FormattedChange,
  site: Site,
): Inline => [
  strong(word),
  ': ',
  path === null ? name : link(absoluteUrl(site.url, path), name),
  detail && ` · ${detail}`,
];

/** A venue, organizer, category or zone in a list. */
export interface ListedRecord {
  readonly name: string;
  /** Path of its page. */
  readonly path: string;
  /** Short facts after the name. */
  readonly facts: readonly string[];
  /** Number of events that are not over. */
  readonly count: number;
}

/** Renders a record of a list: `[name](url): fact · fact · 3 events`. */
export const renderRecordItem = (
  { name, path, facts, count }: ListedRecord,
  { lang, site }: Pick<DocumentHead, 'lang' | 'site'>,
): Inline =>
  linkItem(
    absoluteUrl(site.url, path),
    name,
    ...facts.map(stripTrailingPeriod),
    tPlural(lang, 'events.count', count),
  );
