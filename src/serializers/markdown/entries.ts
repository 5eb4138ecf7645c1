// What stands in the lists of our documents: events with their facts, dates, notices, changes, links.
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

/** ` (Cancelado)`; nothing where it takes place. */
const toStatusNote = (status: OccurrenceStatus, lang: Lang): string =>
  status === 'scheduled' ? '' : ` (${t(lang, `status.${status}`)})`;

/** What stands above a text that is in a language `written`, not the reader's; nothing where it is in theirs. */
export const renderLanguageNote = (written: Lang | undefined, lang: Lang): Paragraph[] =>
  written === undefined ? [] : [paragraph(`${t(lang, `original.${written}`)}:`)];

/** How the facts are written; `surface`: an entry of a list, or all of a document or an answer. */
interface FactStyle {
  readonly surface: 'entry' | 'document' | 'answer';
  readonly when: string | null;
  readonly lang: Lang;
  readonly site: Site;
}

/** Venue, zone and what an editor adds; in a document with the address and directions. */
function toPlace({ venue, street, zone, note }: PlaceValue, style: FactStyle): Inline {
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

/** The next date to be saved, and where there are more, all of them to be followed. */
function toCalendarLinks(
  { card, has_more_dates }: Extract<EventFactValue, { readonly kind: 'calendar' }>,
  { lang, site }: FactStyle,
): Inline {
  const { id, slug } = card.event;
  const day = findSavableDay(card);
  const save = day === null ? null : occurrenceIcsPath(id, fromDayNumber(day).toString(), lang);
  const follow = has_more_dates ? recordIcsPath('event', slug, lang) : null;
  return joinInline([
    save && link(absoluteUrl(site.url, save), t(lang, 'label.calendar_save')),
    follow && link(absoluteUrl(site.url, follow), t(lang, 'label.calendar_follow')),
  ]);
}

function toFactWords(value: EventFactValue, style: FactStyle): Inline {
  const { lang, site, when } = style;
  switch (value.kind) {
    case 'place':
      return toPlace(value, style);
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
      return toCalendarLinks(value, style);
    default:
      return formatFactLines(value, lang).join(FACT_LINE_SEPARATOR);
  }
}

export const renderFactItems = (card: EventCard, style: FactStyle): PhrasingContent[][] =>
  listFacts(card, style.surface).map(({ name, value }) =>
    labeled(t(style.lang, `label.${name}`), toFactWords(value, style)),
  );

/** The further days of an event in the range of a list, each with what became of it; else their count. */
function toFurtherDays(
  card: EventCard,
  further: readonly OccurrenceRecord[],
  lang: Lang,
): string | null {
  if (further.length === 0)
    return card.more_dates > 0 ? tPlural(lang, 'dates.more', card.more_dates) : null;
  if (further.every(({ status }) => status === 'scheduled'))
    return formatAlsoOn([...new Set(further.map(({ first_day }) => first_day))], lang);
  const days = further.map(
    ({ first_day, status }) =>
      formatShortDay(fromDayNumber(first_day), lang) + toStatusNote(status, lang),
  );
  return t(lang, 'dates.also', { days: days.join(', ') });
}

/**
 * Hours alone suffice under a day's heading, unless it lasts several days; `say` puts other days and
 * hours into words.
 */
export function formatEntryWhen(
  card: EventCard,
  lang: Lang,
  under_day: boolean,
  further: readonly OccurrenceRecord[] = [],
  say: (occurrence: OccurrenceRecord, lang: Lang) => string = formatWhen,
): string | null {
  const { next } = card;
  if (!next) return null;
  const is_hours = under_day && next.first_day === next.last_day;
  const when = is_hours ? formatHours(next, lang) : say(next, lang);
  const note = next.notes ? ` (${stripTrailingPeriod(next.notes[lang])})` : '';
  const mark = formatConfirmedMark(card, lang);
  const more = toFurtherDays(card, further, lang);
  return `${when}${note}${mark === null ? '' : ` (${mark})`}${more === null ? '' : `, ${more}`}`;
}

/**
 * Under a heading of level 3. `under_day`: the day stands in a heading above; `further`: its other occurrences in
 * the range, where the reader should know their days.
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

/** When it takes place, what became of it, what there is to know of that date. */
function toDateItem(occurrence: OccurrenceRecord, lang: Lang): PhrasingContent[] {
  const { status, notes } = occurrence;
  const when = `${formatWhen(occurrence, lang)}${toStatusNote(status, lang)}`;
  return [plainTextNode(notes ? `${when}: ${notes[lang]}` : when)];
}

/**
 * Dates: those of one day that say the same in one line, each of the others in an item. `known_year` is that of
 * their heading.
 */
export function renderDates(
  dates: readonly OccurrenceRecord[],
  lang: Lang,
  known_year = 0,
): MarkdownBlock {
  const shared = findSharedDateDetails(dates, lang);
  const isShared = (one: OccurrenceRecord): boolean => {
    const { hours, note } = formatDateDetails(one, lang);
    const is_day = one.status === 'scheduled' && one.first_day === one.last_day;
    return is_day && hours === shared.hours && note === shared.note;
  };
  const { alike = [], others = [] } = Object.groupBy(dates, (one) =>
    isShared(one) ? 'alike' : 'others',
  );
  const [first] = alike;
  if (!first || alike.length === 1) return list(dates.map((one) => toDateItem(one, lang)));
  const dated = alike.map((one) => fromDayNumber(one.first_day));
  // The year where it is another than that of the day before.
  const days = dated.map((day, at) => formatShortDay(day, lang, dated[at - 1]?.year ?? known_year));
  const note = shared.note === null ? '' : `; ${stripTrailingPeriod(shared.note)}`;
  return [
    paragraph(plainTextNode(`${days.join('; ')}: ${formatHours(first, lang)}${note}`)),
    list(others.map((one) => toDateItem(one, lang))),
  ];
}

/** `Ahora`, `Antros abiertos ahora (18+)`, `Ya terminó (3)`: the heading of a part of today. */
export function dayPartHeading({ key, cards }: DayPart, lang: Lang): string {
  const title = t(lang, `agenda.${key === 'nightclubs' ? 'nightclubs.tonight' : key}`);
  if (key === 'ended') return `${title} (${cards.length})`;
  return key === 'nightclubs' || key === 'now_nightclubs'
    ? `${title} (${t(lang, 'agenda.adults')})`
    : title;
}

export const comesAfterVenues = ({ key }: DayPart): boolean =>
  key === 'nightclubs' || key === 'ended';

/** What there is in place of a list, each kind under its name. */
export const renderEmptyResult = (
  sections: readonly EmptyResultSection[],
  lang: Lang,
  site: Site,
): MarkdownBlock =>
  sections.map(({ title, lines }) => [
    t(lang, 'nothing.title', { title }),
    list(lines.map((line) => linkItem(absoluteUrl(site.url, line.path), line.title, line.words))),
  ]);

export const renderChangeItem = (
  { word, name, path, detail }: FormattedChange,
  site: Site,
): Inline => [
  strong(word),
  ': ',
  path === null ? name : link(absoluteUrl(site.url, path), name),
  detail && ` · ${detail}`,
];

/** A venue, an organizer, a category or a zone in a list of them. */
export interface ListedRecord {
  readonly name: string;
  readonly path: string;
  readonly facts: readonly string[];
  /** Events that are still to end. */
  readonly count: number;
}

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
