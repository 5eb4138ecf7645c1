// detalle_evento: everything about one event, with its next dates or those of some days
// (contract 8.4, 13.10).
import type { EventDetail } from '../../domain/agenda.ts';
import { AppError } from '../../domain/app-error.ts';
import { floorToMinute } from '../../domain/local-time.ts';
import {
  filterUpcoming,
  findOriginals,
  type OccurrenceRecord,
  pickDates,
} from '../../domain/event/event.ts';
import { findBookingSource } from '../../domain/event/facts.ts';
import { toPastSentence, toSureWhen } from '../../i18n/fact-words.ts';
import { EVENT_DATES_NAMES, parseEventDatesQuery } from '../../domain/query/list-queries.ts';
import { toEventDirectionsUrl } from '../../i18n/links.ts';
import {
  toAbsolute,
  toDatesPath,
  toMarkdownPath,
  toPictureLink,
  toThingIcsPath,
  toThingPath,
} from '../../i18n/paths.ts';
import { capitalise, t, tCount } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import {
  renderDates,
  toFactItems,
  toOriginalParagraphs,
} from '../../serializers/markdown/entries.ts';
import {
  type Block,
  heading,
  labelled,
  link,
  list,
  paragraph,
  paragraphs,
  section,
} from '../../serializers/markdown/nodes.ts';
import { toEventDetail } from '../../serializers/wire/event.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import { cut, defineReading, type Told } from '../answer.ts';
import { findNamedPlace, readArguments, readThingName } from '../arguments.ts';
import { tellDate, tellEventNotices } from '../beside.ts';
import { BESIDE, EVENT_DETAIL } from '../output.ts';
import { LANG_PROPERTY, type Answering, type McpContext, TEXT, toInput } from '../tool.ts';

const DAY = { ...TEXT, format: 'date' } as const;
const INPUT = toInput({
  id: { ...TEXT, description: "The event's id, its slug, or the address of its page." },
  // What REST calls it.
  idOrSlug: { ...TEXT, description: 'The same as id.' },
  from: { ...DAY, description: 'For dates of certain days, else the next 12.' },
  to: DAY,
  lang: LANG_PROPERTY,
});

/** Most dates where nobody asks for certain ones (contract 13.10). */
const MAX_DATES = 12;

export const detalleEvento = defineReading({
  name: 'detalle_evento',
  input: () => INPUT,
  output: { ...BESIDE, data: EVENT_DETAIL },
  required: ['data'],
  least: MAX_DATES,
  ask: (args, context) => {
    const issues: string[] = [];
    const params = readArguments(args, ['id', 'idOrSlug', ...EVENT_DATES_NAMES], issues);
    const { id, idOrSlug } = params;
    if (id === undefined && idOrSlug === undefined)
      issues.push("id: is missing. Give an event's id, its slug, or the address of its page");
    if (id !== undefined && idOrSlug !== undefined && id !== idOrSlug)
      issues.push("idOrSlug: names another event than 'id'. Give one of the two");
    const { lang, range } = parseEventDatesQuery(params, context.now_ms, issues);
    const detail = findEvent(id ?? idOrSlug ?? '', context);
    const dates =
      range === null ? pickNextDates(detail, context) : pickDates(detail.occurrences, range);
    return {
      lang,
      most: dates.length,
      tell: (count, allowed) => tellEvent(detail, dates.slice(0, count), allowed),
    };
  },
});

/** The event that a name stands for. Throws AppError not_found or gone, as REST does. */
function findEvent(name: string, context: McpContext): EventDetail {
  const { snapshot, now_ms, site } = context;
  const id = readThingName('event', name, site);
  const detail = id === null ? null : getEvent(snapshot, id, floorToMinute(now_ms));
  if (detail === 'gone') throw new AppError('gone', 'id: this event has been withdrawn');
  if (detail !== null) return detail;
  const place = findNamedPlace(name, context);
  throw new AppError(
    'not_found',
    place === null
      ? "id: no event has this id, slug or address. Take it from an event's id or url, or look for it with buscar_eventos"
      : `id: is a place (${place.name}), no event. Ask lugares for it, or buscar_eventos for its events, with q`,
  );
}

/** The next dates, or the last one where all is over. */
function pickNextDates(
  { occurrences }: EventDetail,
  { now_ms }: McpContext,
): readonly OccurrenceRecord[] {
  const ahead = filterUpcoming(occurrences, floorToMinute(now_ms));
  return ahead.length > 0 ? ahead.slice(0, MAX_DATES) : occurrences.slice(-1);
}

function tellEvent(
  whole: EventDetail,
  dates: readonly OccurrenceRecord[],
  context: Answering,
): Told {
  const { lang, site } = context;
  const { slug } = whole.event;
  const detail = cut(whole, context);
  const shown = dates.map((one) => cut(one, context));
  const notices = tellEventNotices(detail, context);
  const toUrl = (path: string): string => toAbsolute(site.url, path);
  const calendar_url = toUrl(toThingIcsPath('event', slug, lang));
  const listed = detail.is_past ? detail.occurrences.length : detail.ahead_count;
  const dates_url =
    listed > shown.length ? toUrl(toMarkdownPath(toDatesPath(slug, lang))) : undefined;
  const blocks = [
    renderAbout(detail, calendar_url, context),
    renderTold(detail, shown, dates_url, context),
  ];
  return {
    opening: [],
    items: [toMarkdown(blocks), notices.text].join('\n'),
    whole_url: toUrl(toMarkdownPath(toThingPath('event', slug, lang))),
    fields: {
      ...notices.fields,
      data: {
        ...toEventDetail(detail, lang, site, shown),
        next: detail.next === null ? undefined : tellDate(detail.next, lang),
        occurrences: shown.map((one) => tellDate(one, lang)),
        source_url: findBookingSource(detail.event),
        calendar_url,
        dates_url,
        // Of a venue they are in it.
        directions_url: detail.venue === null ? toEventDirectionsUrl(detail, lang) : null,
      },
    },
  };
}

/** Facts, with further ones than a document has: the way, tags, the point, the picture, the calendar; description. */
function renderAbout(detail: EventDetail, calendar_url: string, { lang, site }: Answering): Block {
  const { event, venue, next } = detail;
  const { tags } = event;
  const image = toPictureLink(detail, lang, site);
  const original = findOriginals(event, lang);
  const directions = toEventDirectionsUrl(detail, lang);
  const page = toAbsolute(site.url, toThingPath('event', event.slug, lang));
  const when = next && toSureWhen(next, lang);
  return [
    heading(1, link(page, event.title[lang])),
    toPastSentence(detail, lang),
    toOriginalParagraphs(original.summary, lang),
    paragraphs(event.summary[lang]),
    list([
      ...toFactItems(detail, { surface: 'answer', when, lang, site }),
      directions && labelled(capitalise(t(lang, 'label.directions')), link(directions)),
      tags.length === 0 ? null : labelled(t(lang, 'mcp.label.tags'), tags.join(', ')),
      venue?.coordinates === 'venue'
        ? labelled(t(lang, 'mcp.label.point'), `${venue.lat}, ${venue.lng}`)
        : null,
      image && labelled(t(lang, 'mcp.label.image'), link(image.url, image.alt)),
      labelled(t(lang, 'label.calendar'), link(calendar_url)),
    ]),
    original.summary ? null : toOriginalParagraphs(original.description, lang),
    event.description && paragraphs(event.description[lang]),
  ];
}

/** The dates that are shown, how many lie ahead and how many there are. */
function renderTold(
  { occurrences, is_past, ahead_count }: EventDetail,
  shown: readonly OccurrenceRecord[],
  dates_url: string | undefined,
  { lang }: Answering,
): Block {
  if (occurrences.length === 1 && !is_past) return null;
  const is_sure = shown.at(-1)?.certainty === 'confirmed';
  const counts = { shown: shown.length, ahead: ahead_count, all: occurrences.length };
  const words = is_past
    ? tCount(lang, 'mcp.detail.dates_past', occurrences.length)
    : t(lang, 'mcp.detail.dates', counts);
  return section(
    t(lang, is_past ? (is_sure ? 'label.dates_past' : 'label.dates_past_unsure') : 'label.dates'),
    renderDates(shown, lang),
    dates_url === undefined ? words : paragraph(link(dates_url, words)),
  );
}
