// The page of one event and the page of all its dates (contract 8.18), by its slug; by an older slug or its
// id, the way to them.
import type { EventDetail } from '../domain/agenda.ts';
import { fromDayNumber, startOfDayMs, toCancunDay } from '../domain/cancun-time.ts';
import {
  filterUpcoming,
  findOriginals,
  isToCome,
  type OccurrenceRecord,
} from '../domain/event/event.ts';
import { type FactValue, findStatus, listFacts } from '../domain/event/facts.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import { type HeldPicture, type PictureFormat, toLargestWidth } from '../domain/pictures.ts';
import { toHours, toHoursOrNote, toMonthOfYear, toShortDay, toWhen } from '../i18n/dates.ts';
import {
  toConfirmSentence,
  toFactLines,
  toPastSentence,
  toSourceSentence,
} from '../i18n/fact-words.ts';
import { toDirectionsUrl, toHostName, toWhatsAppUrl } from '../i18n/links.ts';
import {
  SECTION_PATHS,
  toAbsolute,
  toDateIcsPath,
  toDatesPath,
  toMarkdownPath,
  toPicturePath,
  toPosterPath,
  toThingIcsPath,
  toThingPath,
} from '../i18n/paths.ts';
import { toRegularityWords } from '../i18n/recurrence.ts';
import { type FactPart, sayLines, type ThingFact } from '../i18n/thing-facts.ts';
import { t, tCount } from '../i18n/translate.ts';
import { toGoogleTemplateUrl } from '../serializers/calendar.ts';
import { toEventJsonLd } from '../serializers/json-ld.ts';
import { linkCorrection, renderDocument } from '../serializers/markdown/document.ts';
import { toDateItem, toFactItems, toOriginalParagraphs } from '../serializers/markdown/entries.ts';
import { link, list, paragraph, paragraphs, section } from '../serializers/markdown/nodes.ts';
import { getEvent } from '../snapshot/get-thing.ts';
import { listUpcomingEvents } from '../snapshot/list-things.ts';
import {
  definePage,
  definePrintedPage,
  listThingPaths,
  type Loaded,
  type SlugRequest,
  toRoutes,
  toThingRoutes,
} from './page-kind.ts';
import { buildMeta, GONE, NOT_FOUND, toEventPoster, toPosterLink } from './page.ts';
import type { SiteState } from './state.ts';
import { move, show } from './visit.ts';

const IN_SIGHT = 4;
/** Most dates on the page of dates: a year of every day. */
export const MAX_DATES = 366;
/** Dates of that page that can be saved there: those that one may know whether one will go. */
const SAVED_IN_LIST = 60;

/** The event with what its two pages say of themselves; 410 where it was withdrawn (contract 5.5, 5.7). */
function findEvent(
  state: SiteState,
  { slug, lang }: SlugRequest,
  toPath: (slug: EventDetail['event']['slug'], lang: Lang) => string,
) {
  const detail = getEvent(state.snapshot, slug, state.now_ms);
  if (detail === 'gone') return GONE;
  if (detail === null) return NOT_FOUND;
  const { event } = detail;
  const paths = byLang((each) => toPath(event.slug, each));
  if (event.slug[lang] !== slug) return move(paths[lang]);
  const meta = buildMeta(state, lang, paths, {
    title: event.title[lang],
    description: event.summary[lang],
    calendar: toThingIcsPath('event', event.slug, lang),
  });
  return show({ meta, detail });
}

export function loadEvent(state: SiteState, request: SlugRequest) {
  const found = findEvent(state, request, (slug, lang) => toThingPath('event', slug, lang));
  if (found.kind !== 'page') return found;
  const { meta, detail } = found.page;
  const { now_ms, site } = state;
  const { lang } = request;
  const path = toPosterPath(toThingPath('event', detail.event.slug, lang));
  const ahead = filterUpcoming(detail.occurrences, now_ms);
  const has_more = ahead.length > 1;
  return show({
    meta: {
      ...meta,
      json_ld: toEventJsonLd(detail, lang, site, now_ms),
      poster: toPosterLink(toEventPoster(detail, lang, site), path),
    },
    detail,
    /** The ways to save the date that stands in the heading. */
    save: detail.next && findSaveLinks(detail, detail.next, state, lang),
    /** The next few, each with the ways to save it; none where there is only one. */
    dates: (has_more ? ahead : []).slice(0, IN_SIGHT).map((occurrence) => ({
      occurrence,
      save: findSaveLinks(detail, occurrence, state, lang),
    })),
    count: ahead.length,
    follow_url: findFollowUrl(detail, ahead, state, lang),
    year: toCancunDay(now_ms).year,
  });
}

export function loadDates(state: SiteState, request: SlugRequest) {
  const found = findEvent(state, request, toDatesPath);
  if (found.kind !== 'page') return found;
  const { meta, detail } = found.page;
  const { lang } = request;
  const { event, regularity, is_past } = detail;
  const ahead = filterUpcoming(detail.occurrences, state.now_ms);
  const told = is_past ? detail.occurrences : ahead;
  const shown = is_past ? told.slice(-MAX_DATES) : told.slice(0, MAX_DATES);
  const { year } = toCancunDay(state.now_ms);
  const dates = shown.map((occurrence, at) => {
    const save = at < SAVED_IN_LIST ? findSaveLinks(detail, occurrence, state, lang) : null;
    const month = toMonthOfYear(fromDayNumber(occurrence.first_day), lang);
    // Google's link is as long as the event's words.
    const date = { occurrence, save: save && { ...save, google: null } };
    return { month, occurrence, ...printDate(date, year, null, lang) };
  });
  const { title } = meta;
  return show({
    meta: { ...meta, title: t(lang, is_past ? 'dates.title_past' : 'dates.title', { title }) },
    event: {
      title,
      path: toThingPath('event', event.slug, lang),
      original: findOriginals(event, lang).title,
    },
    title: t(lang, is_past ? 'label.dates_past_all' : 'event.dates'),
    regularity: regularity && `${toRegularityWords(regularity, lang)}.`,
    tally: tCount(lang, is_past ? 'dates.count_past' : 'dates.count', told.length),
    months: [...Map.groupBy(dates, ({ month }) => month)].map(([month, of_month]) => ({
      month,
      dates: of_month,
    })),
    left_out:
      told.length > dates.length && !is_past
        ? tCount(lang, 'dates.left_out', told.length - dates.length)
        : null,
    follow_url: findFollowUrl(detail, ahead, state, lang),
  });
}

/** Where one date is saved: a file with that day alone, and Google's form filled in. */
export interface SaveLinks {
  readonly file: string;
  readonly google: string | null;
}

function findSaveLinks(
  detail: EventDetail,
  occurrence: OccurrenceRecord,
  { now_ms, site }: SiteState,
  lang: Lang,
): SaveLinks | null {
  if (!isToCome(occurrence, now_ms)) return null;
  const day = fromDayNumber(occurrence.first_day).toString();
  return {
    file: toDateIcsPath(detail.event.id, day, lang),
    google: toGoogleTemplateUrl(detail, occurrence, lang, site),
  };
}

/** The calendar of all dates, absolute; null where one date is all that is left. */
const findFollowUrl = (
  { event }: EventDetail,
  ahead: readonly OccurrenceRecord[],
  { now_ms, site }: SiteState,
  lang: Lang,
): string | null =>
  ahead.length > 1 && ahead.some((one) => isToCome(one, now_ms))
    ? toAbsolute(site.url, toThingIcsPath('event', event.slug, lang))
    : null;

export type PrintedDate = ReturnType<typeof printDate>;

/** A date of another year says its year; `told` is the note that the page has given already. */
function printDate(
  { occurrence, save }: { readonly occurrence: OccurrenceRecord; readonly save: SaveLinks | null },
  year: number,
  told: string | null,
  lang: Lang,
) {
  const { status, all_day, first_day, last_day, time_known, start, notes } = occurrence;
  const [first, last] = [fromDayNumber(first_day), fromDayNumber(last_day)];
  const [first_words, last_words] = [first, last].map((day) => toShortDay(day, lang, year));
  const note = notes?.[lang];
  return {
    status: status === 'scheduled' ? null : { kind: status, words: t(lang, `status.${status}`) },
    datetime: all_day ? first.toString() : start,
    days:
      first_day === last_day || !all_day
        ? (first_words ?? '')
        : t(lang, 'time.days', { first: first_words ?? '', last: last_words ?? '' }),
    hours: all_day && time_known ? null : toHours(occurrence, lang),
    note: note && note !== told ? note : null,
    save,
  };
}

export type EventView = ReturnType<typeof printEvent>;

function printEvent(view: Loaded<typeof loadEvent>) {
  const { meta, detail, save, dates, count, follow_url, year } = view;
  const { lang, site } = meta;
  const { event, category, venue, next, is_past } = detail;
  const original = findOriginals(event, lang);
  const shown = next ?? detail.occurrences.at(-1) ?? null;
  const status = findStatus(event, next);
  const note = next?.notes?.[lang] ?? null;
  const title = event.title[lang];
  const status_words = status && t(lang, `status.${status}`);
  const confirm = toConfirmSentence(event, lang);
  return {
    meta,
    detail,
    title,
    original,
    status,
    is_past,
    category: category && {
      name: category.name[lang],
      path: toThingPath('category', category.slug, lang),
    },
    when: shown && {
      days: { from: fromDayNumber(shown.first_day), to: fromDayNumber(shown.last_day) },
      hours: toHoursOrNote(shown, lang),
    },
    tide: toTide(shown),
    banner: status && { words: `${status_words}.`, text: note ?? t(lang, `event.${status}`) },
    note: status === null && !(next?.all_day && next.time_known) ? note : null,
    over: status ? null : toPastSentence(detail, lang),
    confirm: confirm && {
      text: confirm,
      is_marked: Boolean(event.confirm_note) && event.certainty === 'confirmed' && !is_past,
    },
    summary: event.summary[lang],
    picture: event.image?.held && printPicture(event.image.held, event.image.alt[lang]),
    actions:
      is_past || status === 'cancelled'
        ? null
        : {
            tickets: event.ticket_url,
            register: event.registration_url,
            directions: venue && toDirectionsUrl(venue),
            save,
          },
    facts: listEventFacts(detail, lang),
    description: event.description?.[lang],
    share: printShare(
      [status_words, title, shown && toWhen(shown, lang)]
        .filter((part) => part !== null)
        .join('. '),
      toAbsolute(site.url, toThingPath('event', event.slug, lang)),
    ),
    dates: dates.map((date) => printDate(date, year, note, lang)),
    all_dates:
      count > dates.length
        ? { path: toDatesPath(event.slug, lang), words: tCount(lang, 'dates.all', count) }
        : null,
    follow_url,
    source: {
      words: t(lang, `event.source.${event.source}`),
      url: event.source_url,
      host: event.source_url && toHostName(event.source_url),
      is_verified: event.verified,
      checked: toSourceSentence(event, lang, event.source),
    },
    id: event.id,
  };
}

const listEventFacts = (detail: EventDetail, lang: Lang): readonly ThingFact[] =>
  listFacts(detail, 'page').map(({ name, value }) => ({
    label: t(lang, value.kind === 'place' ? 'label.where' : `label.${name}`),
    lines: [toFactParts(value, lang)],
    is_free: value.kind === 'price' && value.price.is_free,
  }));

function toFactParts(value: FactValue, lang: Lang): readonly FactPart[] {
  if (value.kind === 'organizer') {
    const { name, slug } = value.organizer;
    return [{ text: name, url: toThingPath('organizer', slug, lang) }];
  }
  if (value.kind !== 'place') return sayLines(toFactLines(value, lang));
  const { venue, street, note, zone } = value;
  return [
    ...(venue ? [{ text: venue.name, url: toThingPath('venue', venue.slug, lang) }] : []),
    ...sayLines([street, note?.[lang]]),
    ...sayLines([zone?.name[lang]]).map((line) => ({
      ...line,
      ...(zone && { url: toThingPath('zone', zone.slug, lang) }),
    })),
  ];
}

/** The tide of its day; three at once are a high one. */
function toTide(shown: OccurrenceRecord | null) {
  const from_ms = shown ? startOfDayMs(fromDayNumber(shown.first_day)) : 0;
  return {
    spans: shown === null || shown.all_day ? [] : [shown, shown, shown],
    from_ms,
    until_ms: from_ms + 86_400_000,
  };
}

/** A picture in the widths and formats that we hold, in a room of its own size from the start. */
function printPicture(held: HeldPicture, alt: string) {
  const width = toLargestWidth(held);
  const shape = width > held.height * 1.1 ? 'wide' : 'tall';
  const toSet = (format: PictureFormat): string =>
    held.widths.map((each) => `${toPicturePath(held, each, format)} ${each}w`).join(', ');
  return {
    alt,
    shape,
    width,
    height: held.height,
    sizes: shape === 'wide' ? '(min-width: 48rem) 44rem, 92vw' : '(min-width: 26rem) 24rem, 92vw',
    path: toPicturePath(held, width, 'jpg'),
    avif: toSet('avif'),
    webp: toSet('webp'),
    jpg: toSet('jpg'),
  };
}

const printShare = (text: string, url: string) => ({
  text,
  url,
  whatsapp: toWhatsAppUrl(`${text}\n${url}`),
});

/** Most dates in the document of an event. */
const MAX_NEXT = 12;

/** All that its page says; the upcoming dates, or the last one where all is over. */
function renderEvent({ meta, detail }: EventView, { now_ms }: SiteState): string {
  const { lang, site } = meta;
  const { event, next, occurrences } = detail;
  const original = findOriginals(event, lang);
  const when = next && toWhen(next, lang);
  const ahead = filterUpcoming(occurrences, now_ms);
  const dates = ahead.length > 0 ? ahead.slice(0, MAX_NEXT) : occurrences.slice(-1);
  const all = toAbsolute(site.url, toMarkdownPath(toDatesPath(event.slug, lang)));
  return renderDocument(
    meta,
    toPastSentence(detail, lang),
    toOriginalParagraphs(original.summary, lang),
    paragraphs(event.summary[lang]),
    list(toFactItems(detail, { surface: 'document', when, lang, site })),
    original.summary ? null : toOriginalParagraphs(original.description, lang),
    event.description && paragraphs(event.description[lang]),
    section(
      t(lang, ahead.length > 0 ? 'label.dates' : 'label.dates_past'),
      list(dates.map((occurrence) => toDateItem(occurrence, lang))),
      ahead.length > MAX_NEXT && paragraph(link(all, tCount(lang, 'dates.all', ahead.length))),
    ),
    linkCorrection('event', event.id, meta),
  );
}

export type DatesView = Loaded<typeof loadDates>;

const renderDates = ({ meta, event, regularity, tally, months, left_out }: DatesView): string =>
  renderDocument(
    meta,
    paragraph(link(toAbsolute(meta.site.url, event.path), event.title)),
    regularity,
    tally,
    list(
      months.flatMap(({ dates }) =>
        dates.map(({ occurrence }) => toDateItem(occurrence, meta.lang)),
      ),
    ),
    left_out,
  );

export const eventPage = definePrintedPage({
  name: 'event',
  routes: toThingRoutes('event'),
  load: loadEvent,
  print: printEvent,
  toMarkdown: renderEvent,
  listBuilt: ({ snapshot, now_ms }) =>
    listThingPaths('event', listUpcomingEvents(snapshot, now_ms)),
  toPoster: (state, request) => {
    const found = findEvent(state, request, (slug, lang) =>
      toPosterPath(toThingPath('event', slug, lang)),
    );
    return found.kind === 'page'
      ? toEventPoster(found.page.detail, request.lang, state.site)
      : found;
  },
});

export const datesPage = definePage({
  name: 'dates',
  routes: toRoutes(
    byLang((lang) => `${SECTION_PATHS.event[lang]}/[slug]/${t(lang, 'path.dates')}`),
    (lang, slug) => ({ lang, slug }),
  ),
  load: loadDates,
  toMarkdown: renderDates,
});
