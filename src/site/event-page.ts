// The page of one event and the page of all its dates (contract 8.18), by its slug; by an older slug or its
// id, the way to them.
import type { EventDetail } from '../domain/agenda.ts';
import { type DayRange, fromDayNumber, epochMsAt, toLocalDay } from '../domain/local-time.ts';
import {
  type EventRecord,
  filterNotEnded,
  findUntranslatedTexts,
  isUpcoming,
  type OccurrenceRecord,
} from '../domain/event/event.ts';
import { type EventFactValue, getEffectiveStatus, listFacts } from '../domain/event/facts.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import {
  type DateDetails,
  findSharedDateDetails,
  formatDateDetails,
  formatShortDayNoMonth,
  formatHoursOrNote,
  formatMonthAndYear,
  formatShortDay,
  formatShortRange,
  formatWhen,
} from '../i18n/format-dates.ts';
import {
  formatConfirmedBy,
  formatConfirmAdvice,
  formatFactLines,
  formatPastSentence,
  formatSourceSentence,
  formatConfirmedWhen,
} from '../i18n/format-facts.ts';
import { directionsUrl, displayHost, phoneUrl, whatsAppShareUrl } from '../i18n/external-links.ts';
import {
  SECTION_PATHS,
  absoluteUrl,
  occurrenceIcsPath,
  eventDatesPath,
  markdownPath,
  posterPath,
  recordIcsPath,
  recordPath,
} from '../i18n/paths.ts';
import { formatRegularity } from '../i18n/format-recurrence.ts';
import { type FactPart, textLines } from '../i18n/record-facts.ts';
import { capitalize, t, tPlural, toSentence } from '../i18n/translate.ts';
import { googleEventUrl } from '../serializers/icalendar.ts';
import { eventJsonLd } from '../serializers/json-ld.ts';
import { correctionLink, renderDocument } from '../serializers/markdown/document.ts';
import {
  renderDates,
  renderFactItems,
  renderLanguageNote,
} from '../serializers/markdown/entries.ts';
import { link, list, paragraph, paragraphs, section } from '../serializers/markdown/nodes.ts';
import { getEvent } from '../snapshot/get-record.ts';
import { listUpcomingEvents } from '../snapshot/list-records.ts';
import { placeDateNote } from './event-list-views.ts';
import {
  definePage,
  defineViewPage,
  listRecordPaths,
  type LoadedPage,
  type SlugRequest,
  routesOf,
  recordRoutes,
} from './page-definition.ts';
import {
  buildPageMeta,
  GONE,
  type SubscribeLinks,
  NOT_FOUND,
  buildEventPoster,
  buildSubscribeLinks,
  posterLink,
} from './page-meta.ts';
import { buildPictureView } from './picture-views.ts';
import type { PageContext } from './page-context.ts';
import { redirectPermanently, pageResult } from './visitor-request.ts';

/** Further dates on the page of an event. */
const IN_SIGHT = 8;
/** Most dates on the page of dates: a year of every day. */
export const MAX_LISTED_DATES = 366;
/** Dates of that page that can be saved there: those that one may know whether one will go. */
const SAVED_IN_LIST = 60;

/** The event with what its two pages say of themselves; 410 where it was withdrawn (contract 5.5, 5.7). */
function findEvent(
  state: PageContext,
  { slug, lang }: SlugRequest,
  toPath: (slug: EventDetail['event']['slug'], lang: Lang) => string,
) {
  const detail = getEvent(state.snapshot, slug, state.now_ms);
  if (detail === 'gone') return GONE;
  if (detail === null) return NOT_FOUND;
  const { event } = detail;
  const paths = byLang((each) => toPath(event.slug, each));
  if (event.slug[lang] !== slug) return redirectPermanently(paths[lang]);
  const meta = buildPageMeta(state, lang, paths, {
    title: event.title[lang],
    description: event.summary[lang],
    calendar: recordIcsPath('event', event.slug, lang),
  });
  return pageResult({ meta, detail });
}

export function loadEventPage(state: PageContext, request: SlugRequest) {
  const found = findEvent(state, request, (slug, lang) => recordPath('event', slug, lang));
  if (found.kind !== 'page') return found;
  const { meta, detail } = found.page;
  const { now_ms, site } = state;
  const { lang } = request;
  const path = posterPath(recordPath('event', detail.event.slug, lang));
  const ahead = filterNotEnded(detail.occurrences, now_ms);
  const shown = detail.next ?? detail.occurrences.at(-1) ?? null;
  // Of what is called off as a whole nobody asks the other dates.
  const is_off = detail.event.status === 'cancelled';
  const further = is_off ? [] : ahead.filter(({ id }) => id !== shown?.id);
  return pageResult({
    meta: {
      ...meta,
      json_ld: eventJsonLd(detail, lang, site, now_ms),
      poster: posterLink(buildEventPoster(detail, lang, site), path),
    },
    detail,
    /** The date of the heading: the next, or the last where all is over. */
    shown,
    save: detail.next && findSaveLinks(detail, detail.next, state, lang),
    dates: further.slice(0, IN_SIGHT).map((occurrence) => ({
      occurrence,
      file: findSaveFile(detail, occurrence, state, lang),
    })),
    /** All that are ahead, where they are more than stand on the page. */
    count: further.length > IN_SIGHT ? ahead.length : null,
    follow_url: findFollowUrl(detail, ahead, state, lang),
    year: toLocalDay(now_ms).year,
  });
}

export function loadEventDatesPage(state: PageContext, request: SlugRequest) {
  const found = findEvent(state, request, eventDatesPath);
  if (found.kind !== 'page') return found;
  const { meta, detail } = found.page;
  const { lang } = request;
  const { event, regularity, is_past } = detail;
  const ahead = filterNotEnded(detail.occurrences, state.now_ms);
  const told = is_past ? detail.occurrences : ahead;
  const shown = is_past ? told.slice(-MAX_LISTED_DATES) : told.slice(0, MAX_LISTED_DATES);
  const shared = findSharedDateDetails(shown, lang);
  const dates = shown.map((occurrence, at) => ({
    month: formatMonthAndYear(fromDayNumber(occurrence.first_day), lang),
    occurrence,
    ...printDate(
      {
        occurrence,
        file: at < SAVED_IN_LIST ? findSaveFile(detail, occurrence, state, lang) : null,
      },
      shared,
      toDaysInMonth,
      lang,
    ),
  }));
  const rule = regularity && formatRegularity(regularity, lang);
  const { title } = meta;
  const follow_url = findFollowUrl(detail, ahead, state, lang);
  return pageResult({
    meta: { ...meta, title: t(lang, is_past ? 'dates.title_past' : 'dates.title', { title }) },
    event: {
      title,
      path: recordPath('event', event.slug, lang),
      original: findUntranslatedTexts(event, lang).title,
    },
    title: t(lang, is_past ? 'label.dates_past_all' : 'event.dates'),
    /** The rule, what most dates have in common beside it, how many they are. */
    about: [
      rule,
      shared.hours !== null && rule?.includes(shared.hours) ? null : shared.hours,
      shared.note,
      tPlural(lang, is_past ? 'dates.count_past' : 'dates.count', told.length),
    ].flatMap((words) => (words === null ? [] : toSentence(words))),
    is_saved: dates.some(({ file }) => file !== null),
    months: [...Map.groupBy(dates, ({ month }) => month)].map(([month, of_month]) => ({
      month,
      dates: of_month,
    })),
    left_out:
      told.length > dates.length && !is_past
        ? tPlural(lang, 'dates.left_out', told.length - dates.length)
        : null,
    keep: follow_url && buildSubscribeLinks(t(lang, 'subscribe.title'), title, follow_url),
  });
}

/** The file with that day alone; null where nothing is to take place. */
const findSaveFile = (
  { event }: EventDetail,
  occurrence: OccurrenceRecord,
  { now_ms }: PageContext,
  lang: Lang,
): string | null =>
  isUpcoming(occurrence, now_ms)
    ? occurrenceIcsPath(event.id, fromDayNumber(occurrence.first_day).toString(), lang)
    : null;

/** Where the date of the heading is saved: its file, and Google's form filled in. */
function findSaveLinks(
  detail: EventDetail,
  occurrence: OccurrenceRecord,
  state: PageContext,
  lang: Lang,
) {
  const file = findSaveFile(detail, occurrence, state, lang);
  return file === null
    ? null
    : { file, google: googleEventUrl(detail, occurrence, lang, state.site) };
}

/** The calendar of all dates, absolute; null where one date is all that is left. */
const findFollowUrl = (
  { event }: EventDetail,
  ahead: readonly OccurrenceRecord[],
  { now_ms, site }: PageContext,
  lang: Lang,
): string | null =>
  ahead.length > 1 && ahead.some((one) => isUpcoming(one, now_ms))
    ? absoluteUrl(site.url, recordIcsPath('event', event.slug, lang))
    : null;

/** Under the name of the month of the first. */
const toDaysInMonth = ({ from, to }: DayRange, lang: Lang): string =>
  from.equals(to)
    ? formatShortDayNoMonth(from, lang)
    : t(lang, 'date.short_range', {
        from: formatShortDayNoMonth(from, lang),
        to: formatShortDay(to, lang, from.year),
      });

export type DateView = ReturnType<typeof printDate>;

/** One of many dates: its day and, where they are not those that `shared` says once, its hours and its note. */
function printDate(
  { occurrence, file }: { readonly occurrence: OccurrenceRecord; readonly file: string | null },
  shared: DateDetails,
  toDays: (days: DayRange, lang: Lang) => string,
  lang: Lang,
) {
  const { status, all_day, first_day, last_day, start } = occurrence;
  const [first, last] = [fromDayNumber(first_day), fromDayNumber(last_day)];
  const { hours, note } = formatDateDetails(occurrence, lang);
  const is_range = all_day && first_day < last_day;
  const days = toDays({ from: first, to: is_range ? last : first }, lang);
  return {
    status: status === 'scheduled' ? null : { kind: status, words: t(lang, `status.${status}`) },
    datetime: all_day ? first.toString() : start,
    days,
    hours: hours === shared.hours ? null : hours,
    note: note === shared.note ? null : note,
    is_range,
    file: file && { path: file, label: t(lang, 'dates.save', { days }) },
  };
}

/** Longer words of the hour stand in a line of their own. */
const MAX_OF_HOUR = 30;

export type EventView = ReturnType<typeof printEvent>;

function printEvent(view: LoadedPage<typeof loadEventPage>) {
  const { meta, detail, shown, save, dates, count, follow_url, year } = view;
  const { lang, site } = meta;
  const { event, category, next, is_past, regularity } = detail;
  const original = findUntranslatedTexts(event, lang);
  const status = getEffectiveStatus(event, next);
  const note = next?.notes?.[lang] ?? null;
  const { of_hour } = placeDateNote(next, status, 'hour', lang);
  const is_short = of_hour !== null && of_hour.length <= MAX_OF_HOUR;
  const hours = is_short
    ? `${of_hour} · ${t(lang, 'time.unknown')}`
    : shown && formatHoursOrNote(shown, lang);
  const facts = Object.groupBy(listEventFacts(detail, lang), ({ is_key }) =>
    is_key ? 'key' : 'other',
  );
  const title = event.title[lang];
  const status_words = status && t(lang, `status.${status}`);
  const confirm = formatConfirmAdvice(event, lang);
  return {
    meta,
    detail,
    title,
    original,
    status,
    is_past,
    category: category && {
      name: category.name[lang],
      path: recordPath('category', category.slug, lang),
    },
    when: shown && {
      days: { from: fromDayNumber(shown.first_day), to: fromDayNumber(shown.last_day) },
      hours,
      note: status === null && note !== hours && !is_short ? note : null,
      confirmed: formatConfirmedBy(next, lang),
    },
    tide: toTide(shown),
    banner: status && {
      words: `${status_words}.`,
      text: note ?? t(lang, toStatusKey(event, status)),
    },
    over: status ? null : formatPastSentence(detail, lang),
    confirm: confirm && {
      text: confirm,
      is_marked:
        Boolean(event.confirm_note ?? event.gone_from) &&
        event.certainty === 'confirmed' &&
        !is_past,
    },
    summary: event.summary[lang],
    picture: buildPictureView(detail, shown && fromDayNumber(shown.first_day).day, lang),
    ways: is_past || status === 'cancelled' ? [] : listWays(detail, lang),
    facts: facts.key ?? [],
    other_facts: facts.other ?? [],
    description: event.description?.[lang],
    keep: {
      title: t(lang, save || follow_url ? 'event.keep' : 'share.share'),
      name: title,
      save,
      follow_url,
      share: printShare(
        [status_words, title, shown && formatWhen(shown, lang)]
          .filter((part) => part !== null)
          .join('. '),
        absoluteUrl(site.url, recordPath('event', event.slug, lang)),
      ),
    } satisfies SubscribeLinks,
    rule: regularity && toSentence(formatRegularity(regularity, lang)),
    dates: dates.map((date) =>
      printDate(
        date,
        shown ? formatDateDetails(shown, lang) : { hours: null, note: null },
        (days) => formatShortRange(days, lang, year),
        lang,
      ),
    ),
    all_dates: count && {
      path: eventDatesPath(event.slug, lang),
      words: tPlural(lang, 'dates.all', count),
    },
    source: {
      /** Who sent it in, where we did not gather it. */
      words: event.source === 'editor' ? null : `${t(lang, `event.source.${event.source}`)}.`,
      url: event.source_url,
      host: event.source_url && displayHost(event.source_url),
      others: event.other_source_urls.map((url) => ({ url, host: displayHost(url) })),
      is_verified: event.verified,
      checked: formatSourceSentence(event, lang, event.source),
    },
    id: event.id,
  };
}

/** What a banner says where nobody gave a reason. */
const toStatusKey = (event: EventRecord, status: 'cancelled' | 'postponed') =>
  event.status === 'cancelled' ? 'event.cancelled_all' : (`event.${status}` as const);

/** The ways in, the first to be pressed before all others: a ticket or a place, else a site; the telephone; the way. */
function listWays({ event, organizer, venue }: EventDetail, lang: Lang) {
  const is_booked = event.ticket_url !== null || event.registration_url !== null;
  const website = organizer?.website ?? null;
  const site =
    website === null
      ? { words: t(lang, 'event.venue_site'), url: venue?.website ?? null }
      : { words: t(lang, 'event.site'), url: website };
  const phone = venue?.phone ?? null;
  return [
    { words: t(lang, 'event.tickets'), url: event.ticket_url },
    { words: t(lang, 'event.register'), url: event.registration_url },
    ...(is_booked ? [] : [site]),
    { words: t(lang, 'event.call'), url: phone && phoneUrl(phone) },
    { words: t(lang, 'event.directions'), url: venue && directionsUrl(venue) },
  ].flatMap(({ words, url }) => (url === null ? [] : { words, url }));
}

/** What stands above the ways in; the rest comes after what the event is. */
const KEY_FACTS: readonly string[] = ['where', 'price', 'admission'];

/** All but its rule, which stands above its dates. */
const listEventFacts = (detail: EventDetail, lang: Lang) =>
  listFacts(detail, 'page')
    .filter(({ name }) => name !== 'recurrence')
    .map(({ name, value }) => ({
      label: t(lang, `label.${name}`),
      lines: [toFactParts(value, lang)],
      is_free: value.kind === 'price' && value.price.is_free,
      is_key: KEY_FACTS.includes(name),
    }));

function toFactParts(value: EventFactValue, lang: Lang): readonly FactPart[] {
  if (value.kind === 'organizer') {
    const { name, slug } = value.organizer;
    return [{ text: name, url: recordPath('organizer', slug, lang) }];
  }
  if (value.kind !== 'place') return textLines(formatFactLines(value, lang));
  const { venue, street, note, zone } = value;
  return [
    ...(venue ? [{ text: venue.name, url: recordPath('venue', venue.slug, lang) }] : []),
    ...textLines([street, note?.[lang]]),
    ...textLines([zone?.name[lang]]).map((line) => ({
      ...line,
      ...(zone && { url: recordPath('zone', zone.slug, lang) }),
    })),
  ];
}

/** The tide of its day; three at once are a high one. */
function toTide(shown: OccurrenceRecord | null) {
  const day = shown?.first_day ?? 0;
  return {
    spans: shown === null || shown.all_day ? [] : [shown, shown, shown],
    from_ms: epochMsAt(day, 0),
    until_ms: epochMsAt(day + 1, 0),
  };
}

const printShare = (text: string, url: string) => ({
  text,
  url,
  whatsapp: whatsAppShareUrl(`${text}\n${url}`),
});

/** Most dates in the document of an event. */
const MAX_NEXT = 12;

/** All that its page says; the upcoming dates, or the last one where all is over. */
function renderEvent({ meta, detail }: EventView, { now_ms }: PageContext): string {
  const { lang, site } = meta;
  const { event, next, occurrences } = detail;
  const original = findUntranslatedTexts(event, lang);
  const when = next && formatConfirmedWhen(next, lang);
  const ahead = filterNotEnded(occurrences, now_ms);
  const dates = ahead.length > 0 ? ahead.slice(0, MAX_NEXT) : occurrences.slice(-1);
  const all = absoluteUrl(site.url, markdownPath(eventDatesPath(event.slug, lang)));
  return renderDocument(
    meta,
    formatPastSentence(detail, lang),
    renderLanguageNote(original.summary, lang),
    paragraphs(event.summary[lang]),
    list(renderFactItems(detail, { surface: 'document', when, lang, site })),
    original.summary ? null : renderLanguageNote(original.description, lang),
    event.description && paragraphs(event.description[lang]),
    section(
      t(lang, ahead.length > 0 ? 'label.dates' : 'label.dates_past'),
      renderDates(dates, lang),
      ahead.length > MAX_NEXT && paragraph(link(all, tPlural(lang, 'dates.all', ahead.length))),
    ),
    correctionLink('event', event.id, meta),
  );
}

export type EventDatesView = LoadedPage<typeof loadEventDatesPage>;

const renderAllDates = ({ meta, event, about, months, left_out }: EventDatesView): string =>
  renderDocument(
    meta,
    paragraph(link(absoluteUrl(meta.site.url, event.path), event.title)),
    about.join(' '),
    months.map(({ month, dates }) =>
      section(
        capitalize(month),
        renderDates(
          dates.map(({ occurrence }) => occurrence),
          meta.lang,
          dates[0] && fromDayNumber(dates[0].occurrence.first_day).year,
        ),
      ),
    ),
    left_out,
  );

export const eventPage = defineViewPage({
  name: 'event',
  routes: recordRoutes('event'),
  load: loadEventPage,
  print: printEvent,
  toMarkdown: renderEvent,
  listBuilt: ({ snapshot, now_ms }) =>
    listRecordPaths('event', listUpcomingEvents(snapshot, now_ms)),
  toPoster: (state, request) => {
    const found = findEvent(state, request, (slug, lang) =>
      posterPath(recordPath('event', slug, lang)),
    );
    return found.kind === 'page'
      ? buildEventPoster(found.page.detail, request.lang, state.site)
      : found;
  },
});

export const datesPage = definePage({
  name: 'dates',
  routes: routesOf(
    byLang((lang) => `${SECTION_PATHS.event[lang]}/[slug]/${t(lang, 'path.dates')}`),
    (lang, slug) => ({ lang, slug }),
  ),
  load: loadEventDatesPage,
  toMarkdown: renderAllDates,
});
