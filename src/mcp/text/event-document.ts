// All that is told of one event, for a reader: facts, description, its next dates.
import type { PhrasingContent, RootContent } from 'mdast';
import type { EventDetail } from '../../domain/agenda.ts';
import { fromDayNumber } from '../../domain/cancun-time.ts';
import { filterUpcoming, findOriginals, type OccurrenceRecord } from '../../domain/event/event.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toHours, toShortDay, toWhen } from '../../i18n/dates.ts';
import { toEventDirectionsUrl } from '../../i18n/links.ts';
import { toPictureLink } from '../../i18n/picture-link.ts';
import {
  toAbsolute,
  toDatesPath,
  toMarkdownPath,
  toThingIcsPath,
  toThingPath,
} from '../../i18n/paths.ts';
import { capitalise, t } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { toDateItem, toFactItems, toOriginalParagraphs } from '../../serializers/markdown/event.ts';
import {
  heading,
  labelled,
  link,
  list,
  paragraph,
  paragraphs,
  plain,
} from '../../serializers/markdown/nodes.ts';

/** Most dates where nobody asks for certain ones (contract 13.10). */
export const MAX_DATES = 12;

/** The next dates of an event, or its last one where all is over. */
export function pickNextDates(detail: EventDetail, now_ms: number): readonly OccurrenceRecord[] {
  const ahead = filterUpcoming(detail.occurrences, now_ms);
  return ahead.length > 0 ? ahead.slice(0, MAX_DATES) : detail.occurrences.slice(-1);
}

/** Where its calendar is, and, where not all that lie ahead (or, of what is over, lay) are `shown`, where all dates are. */
export function toDetailLinks(
  { event, ahead_count, is_past, occurrences }: EventDetail,
  shown: readonly OccurrenceRecord[],
  lang: Lang,
  site: Site,
): { readonly calendar_url: string; readonly dates_url?: string } {
  const dates = toMarkdownPath(toDatesPath(event.slug, lang));
  const listed = is_past ? occurrences.length : ahead_count;
  return {
    calendar_url: toAbsolute(site.url, toThingIcsPath('event', event.slug, lang)),
    ...(listed > shown.length && { dates_url: toAbsolute(site.url, dates) }),
  };
}

/** What the table of facts does not hold: the way, tags, the point, the picture, the calendar. */
function toFurtherFacts(
  detail: EventDetail,
  calendar_url: string,
  lang: Lang,
  site: Site,
): PhrasingContent[][] {
  const { event, venue } = detail;
  const { image, tags } = event;
  const directions = toEventDirectionsUrl(detail, lang);
  const picture = image && toPictureLink(image, site).url;
  return [
    ...(directions === null
      ? []
      : [labelled(capitalise(t(lang, 'label.directions')), link(directions, directions))]),
    ...(tags.length > 0 ? [labelled(t(lang, 'mcp.label.tags'), plain(tags.join(', ')))] : []),
    ...(venue?.coordinates === 'venue'
      ? [labelled(t(lang, 'mcp.label.point'), plain(`${venue.lat}, ${venue.lng}`))]
      : []),
    ...(image && picture
      ? [labelled(t(lang, 'mcp.label.image'), link(picture, image.alt[lang]))]
      : []),
    labelled(t(lang, 'label.calendar'), link(calendar_url, calendar_url)),
  ];
}

const isPlain = ({ status, notes }: OccurrenceRecord): boolean =>
  status === 'scheduled' && notes === null;

/** An item each; where all are at the same hours and nothing is to be said of any, in one line. */
function toDateBlock(shown: readonly OccurrenceRecord[], lang: Lang): RootContent[] {
  const [first, ...others] = shown;
  if (first === undefined) return [];
  const hours = toHours(first, lang);
  const is_alike = shown.every(
    (each) => isPlain(each) && each.first_day === each.last_day && toHours(each, lang) === hours,
  );
  if (!is_alike || others.length === 0) return [list(shown.map((each) => toDateItem(each, lang)))];
  const days = shown.map((each) => toShortDay(fromDayNumber(each.first_day), lang));
  return [paragraph(plain(`${days.join('; ')}: ${hours}`))];
}

/** The dates that are shown, how many lie ahead and how many there are. */
function toDates(
  detail: EventDetail,
  shown: readonly OccurrenceRecord[],
  lang: Lang,
  site: Site,
): RootContent[] {
  const { occurrences, is_past, ahead_count } = detail;
  if (occurrences.length === 1 && !is_past) return [];
  const { dates_url } = toDetailLinks(detail, shown, lang, site);
  const words = t(lang, 'mcp.detail.dates', {
    shown: shown.length,
    ahead: ahead_count,
    all: occurrences.length,
  });
  return [
    heading(2, plain(t(lang, is_past ? 'label.dates_past' : 'label.dates'))),
    ...toDateBlock(shown, lang),
    paragraph(dates_url === undefined ? plain(words) : link(dates_url, words)),
  ];
}

/** The document; `shown` are its dates. */
export function toEventDocument(
  detail: EventDetail,
  shown: readonly OccurrenceRecord[],
  lang: Lang,
  site: Site,
): string {
  const { event } = detail;
  const original = findOriginals(event, lang);
  const { calendar_url } = toDetailLinks(detail, shown, lang, site);
  const url = toAbsolute(site.url, toThingPath('event', event.slug, lang));
  const when = detail.next && toWhen(detail.next, lang);
  return toMarkdown([
    heading(1, link(url, event.title[lang])),
    ...(detail.is_past && !event.open_end ? [paragraph(plain(t(lang, 'label.past')))] : []),
    ...toOriginalParagraphs(original.summary, lang),
    ...paragraphs(event.summary[lang]),
    list([
      ...toFactItems(detail, { surface: 'answer', when, lang, site }),
      ...toFurtherFacts(detail, calendar_url, lang, site),
    ]),
    ...(original.summary ? [] : toOriginalParagraphs(original.description, lang)),
    ...(event.description ? paragraphs(event.description[lang]) : []),
    ...toDates(detail, shown, lang, site),
  ]);
}
