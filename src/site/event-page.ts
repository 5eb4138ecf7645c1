// Event pages: show an event, and on a page of their own all its dates (contract 8.18). Older slugs
// and ids redirect to the current slug. A date of an event is an occurrence.
import type { EventDetail } from '../domain/agenda.ts';
import { type DayRange, fromDayNumber, epochMsAt, toLocalDay } from '../domain/local-time.ts';
import {
  findLastDate,
  type EventRecord,
  filterNotEnded,
  findUntranslatedTexts,
  isUpcoming,
  type OccurrenceRecord,
} from '../domain/event/event.ts';
import { type EventFactValue, getEffectiveStatus, listFacts } from '../domain/event/facts.ts';
import { stripTrailingPeriod } from '../domain/place-text.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import {
  type DateDetails,
  findSharedDateDetails,
  formatDateDetails,
  formatShortDayNoMonth,
  formatHoursOrNote,
  formatNoteInParentheses,
  formatMonthAndYear,
  formatShortDay,
  formatShortRange,
  formatWhen,
} from '../i18n/format-dates.ts';
import {
  formatConfirmedBy,
  formatAttendanceNote,
  formatConfirmAdvice,
  formatFactLines,
  formatLastDateLabel,
  formatPastDateNote,
  formatSourceNote,
  formatConfirmedWhen,
  formatDoubt,
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
import { capitalize, t, tPlural, endWithPeriod } from '../i18n/translate.ts';
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

/** Most further dates on an event's page; the others are on the page of all dates. */
const MAX_FURTHER_DATES = 8;
/** Most dates on the page of all dates: a daily event for a year. */
export const MAX_LISTED_DATES = 366;
/** Dates on that page with a calendar file: people rarely plan further ahead. */
const MAX_SAVABLE_DATES = 60;

/**
 * Finds an event and builds the metadata of one of its pages; 410 if the event was withdrawn
 * (contract 5.5, 5.7).
 * @param pathOf Returns the path of that page.
 */
function findEvent(
  context: PageContext,
  { slug, lang }: SlugRequest,
  pathOf: (slug: EventDetail['event']['slug'], lang: Lang) => string,
) {
  const detail = getEvent(context.snapshot, slug, context.now_ms);
  if (detail === 'gone') return GONE;
  if (detail === null) return NOT_FOUND;
  const { event } = detail;
  const paths = byLang((each) => pathOf(event.slug, each));
  if (event.slug[lang] !== slug) return redirectPermanently(paths[lang]);
  const meta = buildPageMeta(context, lang, paths, {
    title: event.title[lang],
    description: event.summary[lang],
    calendar: recordIcsPath('event', event.slug, lang),
  });
  return pageResult({ meta, detail });
}

export function loadEventPage(context: PageContext, request: SlugRequest) {
  const outcome = findEvent(context, request, (slug, lang) => recordPath('event', slug, lang));
  if (outcome.kind !== 'page') return outcome;
  const { meta, detail } = outcome.page;
  const { now_ms, site } = context;
  const { lang } = request;
  const path = posterPath(recordPath('event', detail.event.slug, lang));
  const upcoming = filterNotEnded(detail.occurrences, now_ms);
  const main_occurrence = detail.next ?? findLastDate(detail.occurrences);
  // A cancelled event does not list its further dates.
  const is_cancelled = detail.event.status === 'cancelled';
  const further_dates = is_cancelled ? [] : upcoming.filter(({ id }) => id !== main_occurrence?.id);
  return pageResult({
    meta: {
      ...meta,
      json_ld: eventJsonLd(detail, lang, site, now_ms),
      poster: posterLink(buildEventPoster(detail, lang, site), path),
    },
    detail,
    /** Date of the heading: the next, or the last if all are over. */
    main_occurrence,
    save: detail.next && buildSaveLinks(detail, detail.next, context, lang),
    further_dates: further_dates.slice(0, MAX_FURTHER_DATES).map((occurrence) => ({
      occurrence,
      file: icsFilePath(detail, occurrence, context, lang),
    })),
    /** Number of all upcoming dates, if the page does not list them all. */
    all_dates_count: further_dates.length > MAX_FURTHER_DATES ? upcoming.length : null,
    follow_url: followUrl(detail, upcoming, context, lang),
    /** Dates in this year are shown without it. */
    year: toLocalDay(now_ms).year,
  });
}

/** Loads the page of all dates: the upcoming dates, or all dates of a past event. */
export function loadEventDatesPage(context: PageContext, request: SlugRequest) {
  const outcome = findEvent(context, request, eventDatesPath);
  if (outcome.kind !== 'page') return outcome;
  const { meta, detail } = outcome.page;
  const { lang } = request;
  const { event, regularity, is_past } = detail;
  const upcoming = filterNotEnded(detail.occurrences, context.now_ms);
  const all_dates = is_past ? detail.occurrences : upcoming;
  const listed = is_past
    ? all_dates.slice(-MAX_LISTED_DATES)
    : all_dates.slice(0, MAX_LISTED_DATES);
  const shared = findSharedDateDetails(listed, lang);
  const dates = listed.map((occurrence, index) => ({
    month: formatMonthAndYear(fromDayNumber(occurrence.first_day), lang),
    occurrence,
    ...buildDateView(
      {
        occurrence,
        file: index < MAX_SAVABLE_DATES ? icsFilePath(detail, occurrence, context, lang) : null,
      },
      shared,
      formatDaysInMonth,
      lang,
    ),
  }));
  const recurrence_text = regularity && formatRegularity(regularity, lang);
  const repeats_hours = shared.hours !== null && recurrence_text?.includes(shared.hours);
  const { title } = meta;
  const follow_url = followUrl(detail, upcoming, context, lang);
  return pageResult({
    meta: { ...meta, title: t(lang, is_past ? 'dates.title_past' : 'dates.title', { title }) },
    event: {
      title,
      path: recordPath('event', event.slug, lang),
      title_lang: findUntranslatedTexts(event, lang).title,
    },
    title: t(lang, is_past ? 'label.dates_past_all' : 'event.dates'),
    /**
     * Sentences: the recurrence, the hours and note that most dates share, and the number of dates.
     */
    about: [
      recurrence_text,
      repeats_hours ? null : shared.hours,
      shared.note,
      tPlural(lang, is_past ? 'dates.count_past' : 'dates.count', all_dates.length),
    ].flatMap((text) => (text === null ? [] : endWithPeriod(text))),
    has_files: dates.some(({ file }) => file !== null),
    months: [...Map.groupBy(dates, ({ month }) => month)].map(([month, month_dates]) => ({
      month,
      dates: month_dates,
    })),
    /** Number of upcoming dates after the listed ones, as text. */
    omitted:
      all_dates.length > dates.length && !is_past
        ? tPlural(lang, 'dates.left_out', all_dates.length - dates.length)
        : null,
    subscribe_links:
      follow_url && buildSubscribeLinks(t(lang, 'subscribe.title'), title, follow_url),
  });
}

/** Returns the path of the calendar file of one date, or null if the date is over or cancelled. */
const icsFilePath = (
  { event }: EventDetail,
  occurrence: OccurrenceRecord,
  { now_ms }: PageContext,
  lang: Lang,
): string | null =>
  isUpcoming(occurrence, now_ms)
    ? occurrenceIcsPath(event.id, fromDayNumber(occurrence.first_day).toString(), lang)
    : null;

/** Builds the links to save a date: its calendar file and Google Calendar. */
function buildSaveLinks(
  detail: EventDetail,
  occurrence: OccurrenceRecord,
  context: PageContext,
  lang: Lang,
) {
  const file = icsFilePath(detail, occurrence, context, lang);
  return file === null
    ? null
    : { file, google: googleEventUrl(detail, occurrence, lang, context.site) };
}

/** Returns the URL of the calendar of all dates, or null if only one date remains. */
const followUrl = (
  { event }: EventDetail,
  upcoming: readonly OccurrenceRecord[],
  { now_ms, site }: PageContext,
  lang: Lang,
): string | null =>
  upcoming.length > 1 && upcoming.some((occurrence) => isUpcoming(occurrence, now_ms))
    ? absoluteUrl(site.url, recordIcsPath('event', event.slug, lang))
    : null;

/** Formats days under the heading of their first month, without that month's name. */
const formatDaysInMonth = ({ from, to }: DayRange, lang: Lang): string =>
  from.equals(to)
    ? formatShortDayNoMonth(from, lang)
    : t(lang, 'date.short_range', {
        from: formatShortDayNoMonth(from, lang),
        to: formatShortDay(to, lang, from.year),
      });

/**
 * One of many dates: `status` is null if it takes place; `file` is its calendar file, if it has
 * one.
 */
export type DateView = ReturnType<typeof buildDateView>;

/** Builds one of many dates: its days, with the hours and the note if they differ from `shared`. */
function buildDateView(
  { occurrence, file }: { readonly occurrence: OccurrenceRecord; readonly file: string | null },
  shared: DateDetails,
  formatDays: (days: DayRange, lang: Lang) => string,
  lang: Lang,
) {
  const { status, all_day, first_day, last_day, start } = occurrence;
  const [from, to] = [fromDayNumber(first_day), fromDayNumber(last_day)];
  const { hours, note } = formatDateDetails(occurrence, lang);
  const is_range = all_day && first_day < last_day;
  const days = formatDays({ from, to: is_range ? to : from }, lang);
  return {
    status: status === 'scheduled' ? null : { kind: status, text: t(lang, `status.${status}`) },
    datetime: all_day ? from.toString() : start,
    days,
    hours: hours === shared.hours ? null : hours,
    note: note === shared.note ? null : note,
    is_range,
    file: file && { path: file, label: t(lang, 'dates.save', { days }) },
  };
}

/** View model of an event's page; components/event/event-page.astro renders it. */
export type EventView = ReturnType<typeof buildEventView>;

/** Builds the view model of an event's page, in the order of the page. */
export function buildEventView(loaded: LoadedPage<typeof loadEventPage>) {
  const { meta, detail, main_occurrence, further_dates, all_dates_count, year } = loaded;
  const { lang, site } = meta;
  const { event, category, next, is_past, regularity } = detail;
  const original_langs = findUntranslatedTexts(event, lang);
  const status = getEffectiveStatus(event, next);
  const note = next?.notes?.[lang] ?? null;
  const facts_by_place = Object.groupBy(listEventFacts(detail, lang), ({ is_key }) =>
    is_key ? 'above_actions' : 'below_description',
  );
  const title = event.title[lang];
  const status_text = status && t(lang, `status.${status}`);
  return {
    meta,
    detail,
    title,
    /** Languages of the texts that are not translated, by field. */
    original_langs,
    /** Null for a scheduled event. */
    status,
    is_past,
    category: category && {
      name: category.name[lang],
      path: recordPath('category', category.slug, lang),
    },
    when: main_occurrence && buildWhen(main_occurrence, detail, lang),
    /** Label of the last date; null if there is a next one, or none. */
    last_date_label: is_past && main_occurrence ? formatLastDateLabel(main_occurrence, lang) : null,
    tide: buildTide(main_occurrence),
    /** Replaces the actions of a cancelled or postponed event, with the reason. */
    banner: status && {
      status: `${status_text}.`,
      text: note ?? t(lang, statusMessageKey(event, status)),
    },
    past_sentence: status ? null : formatPastDateNote(detail, lang),
    confirm_advice: buildConfirmAdvice(detail, lang),
    summary: event.summary[lang],
    picture: buildPictureView(
      detail,
      main_occurrence && fromDayNumber(main_occurrence.first_day).day,
      lang,
    ),
    actions: is_past || status === 'cancelled' ? [] : listActions(detail, lang),
    facts: facts_by_place.above_actions ?? [],
    other_facts: facts_by_place.below_description ?? [],
    description: event.description?.[lang],
    subscribe_links: {
      title: t(lang, loaded.save || loaded.follow_url ? 'event.keep' : 'share.share'),
      name: title,
      save: loaded.save,
      follow_url: loaded.follow_url,
      share: buildShareLinks(
        [
          status_text,
          title,
          main_occurrence &&
            formatWhen(main_occurrence, lang) + formatNoteInParentheses(main_occurrence, lang),
          formatAttendanceNote(detail, lang, 'whole') ?? formatDoubt(detail, lang),
        ]
          .filter((part) => part !== null)
          .join('. '),
        absoluteUrl(site.url, recordPath('event', event.slug, lang)),
      ),
    } satisfies SubscribeLinks,
    recurrence: regularity && endWithPeriod(formatRegularity(regularity, lang)),
    further_dates: further_dates.map((date) =>
      buildDateView(
        date,
        main_occurrence ? formatDateDetails(main_occurrence, lang) : { hours: null, note: null },
        (days) => formatShortRange(days, lang, year),
        lang,
      ),
    ),
    all_dates_link: all_dates_count && {
      path: eventDatesPath(event.slug, lang),
      text: tPlural(lang, 'dates.all', all_dates_count),
    },
    source: buildSource(event, lang),
    id: event.id,
  };
}

/** Builds the heading's days and hours. A note that these lack gets its own line. */
function buildWhen(main_occurrence: OccurrenceRecord, { event, next }: EventDetail, lang: Lang) {
  const status = getEffectiveStatus(event, next);
  const note = next?.notes?.[lang] ?? null;
  const hours = formatHoursOrNote(main_occurrence, lang);
  const shows_note =
    status === null && note !== null && !hours?.startsWith(stripTrailingPeriod(note));
  return {
    days: {
      from: fromDayNumber(main_occurrence.first_day),
      to: fromDayNumber(main_occurrence.last_day),
    },
    hours,
    note: shows_note ? note : null,
    confirmed_by: formatConfirmedBy(next, lang),
  };
}

/**
 * Builds the advice to check the date before going; null if there is nothing to check. `is_marked`:
 * shown as a warning.
 */
function buildConfirmAdvice({ event, next, is_past }: EventDetail, lang: Lang) {
  const text = formatConfirmAdvice({ event, next }, lang);
  const has_warning = Boolean(event.confirm_note ?? event.gone_from);
  // Without the mark, a confirmed event would not show that its source warns or no longer lists it.
  const is_marked = has_warning && event.certainty === 'confirmed' && !is_past;
  return text && { text, is_marked };
}

/** Builds the sentences and links about the sources of an event. */
const buildSource = (event: EventRecord, lang: Lang) => ({
  /** Kind of submitter, as a sentence; null if the editors collected the event. */
  text: event.source === 'editor' ? null : `${t(lang, `event.source.${event.source}`)}.`,
  url: event.source_url,
  host: event.source_url && displayHost(event.source_url),
  others: event.other_source_urls.map((url) => ({ url, host: displayHost(url) })),
  is_verified: event.verified,
  sentence: formatSourceNote(event, lang, event.source),
});

const statusMessageKey = (event: EventRecord, status: 'cancelled' | 'postponed') =>
  event.status === 'cancelled' ? 'event.cancelled_all' : (`event.${status}` as const);

/**
 * Lists the action links, the main one first: tickets or registration, else a website; then phone
 * and directions.
 */
function listActions({ event, organizer, venue }: EventDetail, lang: Lang) {
  const has_booking = event.ticket_url !== null || event.registration_url !== null;
  const website = organizer?.website ?? null;
  const website_action =
    website === null
      ? { text: t(lang, 'event.venue_site'), url: venue?.website ?? null }
      : { text: t(lang, 'event.site'), url: website };
  const phone = venue?.phone ?? null;
  return [
    { text: t(lang, 'event.tickets'), url: event.ticket_url },
    { text: t(lang, 'event.register'), url: event.registration_url },
    ...(has_booking ? [] : [website_action]),
    { text: t(lang, 'event.call'), url: phone && phoneUrl(phone) },
    { text: t(lang, 'event.directions'), url: venue && directionsUrl(venue) },
  ].flatMap(({ text, url }) => (url === null ? [] : { text, url }));
}

/** Facts above the action links; the others come after the description. */
const KEY_FACTS: readonly string[] = ['where', 'price', 'admission'];

/** Lists all facts but the recurrence, which is shown above the dates. */
const listEventFacts = (detail: EventDetail, lang: Lang) =>
  listFacts(detail, 'page')
    .filter(({ name }) => name !== 'recurrence')
    .map(({ name, value }) => ({
      label: t(lang, `label.${name}`),
      lines: [buildFactParts(value, lang)],
      is_free: value.kind === 'price' && value.price.is_free,
      is_key: KEY_FACTS.includes(name),
    }));

/** Builds the lines of a fact; venue, zone and organizer link to their pages. */
function buildFactParts(value: EventFactValue, lang: Lang): readonly FactPart[] {
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

/**
 * Builds the tide: the drawn sea below the heading, whose waves are high while the event is on. The
 * event counts three times so that its wave is visible.
 */
function buildTide(occurrence: OccurrenceRecord | null) {
  const day = occurrence?.first_day ?? 0;
  return {
    spans: occurrence === null || occurrence.all_day ? [] : [occurrence, occurrence, occurrence],
    from_ms: epochMsAt(day, 0),
    until_ms: epochMsAt(day + 1, 0),
  };
}

/** Builds the text and the links that share the event. */
const buildShareLinks = (text: string, url: string) => ({
  text,
  url,
  whatsapp: whatsAppShareUrl(`${text}\n${url}`),
});

/** Most dates in the Markdown version of an event. */
const MAX_MARKDOWN_DATES = 12;

/** Renders an event with its upcoming dates, or the last one if all are over. */
function renderEvent({ meta, detail }: EventView, { now_ms }: PageContext): string {
  const { lang, site } = meta;
  const { event, next, occurrences } = detail;
  const original_langs = findUntranslatedTexts(event, lang);
  const when = next && formatConfirmedWhen(next, lang);
  const upcoming = filterNotEnded(occurrences, now_ms);
  const last_date = upcoming.length > 0 ? null : findLastDate(occurrences);
  const dates = last_date ? [last_date] : upcoming.slice(0, MAX_MARKDOWN_DATES);
  const all_dates_url = absoluteUrl(site.url, markdownPath(eventDatesPath(event.slug, lang)));
  return renderDocument(
    meta,
    formatPastDateNote(detail, lang),
    renderLanguageNote(original_langs.summary, lang),
    paragraphs(event.summary[lang]),
    list(renderFactItems(detail, { surface: 'document', when, lang, site })),
    original_langs.summary ? null : renderLanguageNote(original_langs.description, lang),
    event.description && paragraphs(event.description[lang]),
    dates.length > 0 &&
      section(
        last_date ? formatLastDateLabel(last_date, lang) : t(lang, 'label.dates'),
        renderDates(dates, lang),
        upcoming.length > MAX_MARKDOWN_DATES &&
          paragraph(link(all_dates_url, tPlural(lang, 'dates.all', upcoming.length))),
      ),
    correctionLink('event', event.id, meta),
  );
}

export type EventDatesView = LoadedPage<typeof loadEventDatesPage>;

const renderAllDates = ({ meta, event, about, months, omitted }: EventDatesView): string =>
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
    omitted,
  );

/** Page of an event: `/eventos/[slug]`. */
export const eventPage = defineViewPage({
  name: 'event',
  routes: recordRoutes('event'),
  load: loadEventPage,
  buildView: buildEventView,
  toMarkdown: renderEvent,
  listWarmPaths: ({ snapshot, now_ms }) =>
    listRecordPaths('event', listUpcomingEvents(snapshot, now_ms)),
  buildPoster: (context, request) => {
    const outcome = findEvent(context, request, (slug, lang) =>
      posterPath(recordPath('event', slug, lang)),
    );
    return outcome.kind === 'page'
      ? buildEventPoster(outcome.page.detail, request.lang, context.site)
      : outcome;
  },
});

/** Page of all dates of an event: `/eventos/[slug]/fechas`. */
export const datesPage = definePage({
  name: 'dates',
  routes: routesOf(
    byLang((lang) => `${SECTION_PATHS.event[lang]}/[slug]/${t(lang, 'path.dates')}`),
    (lang, slug) => ({ lang, slug }),
  ),
  load: loadEventDatesPage,
  toMarkdown: renderAllDates,
});
