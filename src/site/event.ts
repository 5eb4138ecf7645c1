// The page of one event and the page of all its dates (contract 8.18), by its slug; by an older slug or its
// id, the way to them.
import type { EventDetail } from '../domain/agenda.ts';
import { type DayRange, fromDayNumber, toEpochMsOf, toLocalDay } from '../domain/local-time.ts';
import {
  type EventRecord,
  filterUpcoming,
  findOriginals,
  isToCome,
  type OccurrenceRecord,
} from '../domain/event/event.ts';
import { type FactValue, findStatus, listFacts } from '../domain/event/facts.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import {
  type BesideDay,
  findShared,
  toBeside,
  toDayInMonth,
  toHoursOrNote,
  toMonthOfYear,
  toShortDay,
  toShortDays,
  toWhen,
} from '../i18n/dates.ts';
import {
  toConfirmer,
  toConfirmSentence,
  toFactLines,
  toPastSentence,
  toSourceSentence,
  toSureWhen,
} from '../i18n/fact-words.ts';
import { toDirectionsUrl, toHostName, toPhoneUrl, toWhatsAppUrl } from '../i18n/links.ts';
import {
  SECTION_PATHS,
  toAbsolute,
  toDateIcsPath,
  toDatesPath,
  toMarkdownPath,
  toPosterPath,
  toThingIcsPath,
  toThingPath,
} from '../i18n/paths.ts';
import { toRegularityWords } from '../i18n/recurrence.ts';
import { type FactPart, sayLines } from '../i18n/thing-facts.ts';
import { capitalise, t, tCount, asSentence } from '../i18n/translate.ts';
import { toGoogleTemplateUrl } from '../serializers/calendar.ts';
import { toEventJsonLd } from '../serializers/json-ld.ts';
import { linkCorrection, renderDocument } from '../serializers/markdown/document.ts';
import { renderDates, toFactItems, toOriginalParagraphs } from '../serializers/markdown/entries.ts';
import { link, list, paragraph, paragraphs, section } from '../serializers/markdown/nodes.ts';
import { getEvent } from '../snapshot/get-thing.ts';
import { listUpcomingEvents } from '../snapshot/list-things.ts';
import { toNote } from './event-lists.ts';
import {
  definePage,
  definePrintedPage,
  listThingPaths,
  type Loaded,
  type SlugRequest,
  toRoutes,
  toThingRoutes,
} from './page-kind.ts';
import {
  buildMeta,
  GONE,
  type Keep,
  NOT_FOUND,
  toEventPoster,
  toFollow,
  toPosterLink,
} from './page.ts';
import { printPicture } from './pictures.ts';
import type { SiteState } from './state.ts';
import { move, show } from './visit.ts';

/** Further dates on the page of an event. */
const IN_SIGHT = 8;
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
  const shown = detail.next ?? detail.occurrences.at(-1) ?? null;
  // Of what is called off as a whole nobody asks the other dates.
  const is_off = detail.event.status === 'cancelled';
  const further = is_off ? [] : ahead.filter(({ id }) => id !== shown?.id);
  return show({
    meta: {
      ...meta,
      json_ld: toEventJsonLd(detail, lang, site, now_ms),
      poster: toPosterLink(toEventPoster(detail, lang, site), path),
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

export function loadDates(state: SiteState, request: SlugRequest) {
  const found = findEvent(state, request, toDatesPath);
  if (found.kind !== 'page') return found;
  const { meta, detail } = found.page;
  const { lang } = request;
  const { event, regularity, is_past } = detail;
  const ahead = filterUpcoming(detail.occurrences, state.now_ms);
  const told = is_past ? detail.occurrences : ahead;
  const shown = is_past ? told.slice(-MAX_DATES) : told.slice(0, MAX_DATES);
  const shared = findShared(shown, lang);
  const dates = shown.map((occurrence, at) => ({
    month: toMonthOfYear(fromDayNumber(occurrence.first_day), lang),
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
  const rule = regularity && toRegularityWords(regularity, lang);
  const { title } = meta;
  const follow_url = findFollowUrl(detail, ahead, state, lang);
  return show({
    meta: { ...meta, title: t(lang, is_past ? 'dates.title_past' : 'dates.title', { title }) },
    event: {
      title,
      path: toThingPath('event', event.slug, lang),
      original: findOriginals(event, lang).title,
    },
    title: t(lang, is_past ? 'label.dates_past_all' : 'event.dates'),
    /** The rule, what most dates have in common beside it, how many they are. */
    about: [
      rule,
      shared.hours !== null && rule?.includes(shared.hours) ? null : shared.hours,
      shared.note,
      tCount(lang, is_past ? 'dates.count_past' : 'dates.count', told.length),
    ].flatMap((words) => (words === null ? [] : asSentence(words))),
    is_saved: dates.some(({ file }) => file !== null),
    months: [...Map.groupBy(dates, ({ month }) => month)].map(([month, of_month]) => ({
      month,
      dates: of_month,
    })),
    left_out:
      told.length > dates.length && !is_past
        ? tCount(lang, 'dates.left_out', told.length - dates.length)
        : null,
    keep: follow_url && toFollow(t(lang, 'subscribe.title'), title, follow_url),
  });
}

/** The file with that day alone; null where nothing is to take place. */
const findSaveFile = (
  { event }: EventDetail,
  occurrence: OccurrenceRecord,
  { now_ms }: SiteState,
  lang: Lang,
): string | null =>
  isToCome(occurrence, now_ms)
    ? toDateIcsPath(event.id, fromDayNumber(occurrence.first_day).toString(), lang)
    : null;

/** Where the date of the heading is saved: its file, and Google's form filled in. */
function findSaveLinks(
  detail: EventDetail,
  occurrence: OccurrenceRecord,
  state: SiteState,
  lang: Lang,
) {
  const file = findSaveFile(detail, occurrence, state, lang);
  return file === null
    ? null
    : { file, google: toGoogleTemplateUrl(detail, occurrence, lang, state.site) };
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

/** Under the name of the month of the first. */
const toDaysInMonth = ({ from, to }: DayRange, lang: Lang): string =>
  from.equals(to)
    ? toDayInMonth(from, lang)
    : t(lang, 'date.short_range', {
        from: toDayInMonth(from, lang),
        to: toShortDay(to, lang, from.year),
      });

export type PrintedDate = ReturnType<typeof printDate>;

/** One of many dates: its day and, where they are not those that `shared` says once, its hours and its note. */
function printDate(
  { occurrence, file }: { readonly occurrence: OccurrenceRecord; readonly file: string | null },
  shared: BesideDay,
  toDays: (days: DayRange, lang: Lang) => string,
  lang: Lang,
) {
  const { status, all_day, first_day, last_day, start } = occurrence;
  const [first, last] = [fromDayNumber(first_day), fromDayNumber(last_day)];
  const { hours, note } = toBeside(occurrence, lang);
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

function printEvent(view: Loaded<typeof loadEvent>) {
  const { meta, detail, shown, save, dates, count, follow_url, year } = view;
  const { lang, site } = meta;
  const { event, category, next, is_past, regularity } = detail;
  const original = findOriginals(event, lang);
  const status = findStatus(event, next);
  const note = next?.notes?.[lang] ?? null;
  const { of_hour } = toNote(next, status, 'hour', lang);
  const is_short = of_hour !== null && of_hour.length <= MAX_OF_HOUR;
  const hours = is_short
    ? `${of_hour} · ${t(lang, 'time.unknown')}`
    : shown && toHoursOrNote(shown, lang);
  const facts = Object.groupBy(listEventFacts(detail, lang), ({ is_key }) =>
    is_key ? 'key' : 'other',
  );
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
      hours,
      note: status === null && note !== hours && !is_short ? note : null,
      confirmed: toConfirmer(next, lang),
    },
    tide: toTide(shown),
    banner: status && {
      words: `${status_words}.`,
      text: note ?? t(lang, toStatusKey(event, status)),
    },
    over: status ? null : toPastSentence(detail, lang),
    confirm: confirm && {
      text: confirm,
      is_marked:
        Boolean(event.confirm_note ?? event.gone_from) &&
        event.certainty === 'confirmed' &&
        !is_past,
    },
    summary: event.summary[lang],
    picture: printPicture(detail, shown && fromDayNumber(shown.first_day).day, lang),
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
        [status_words, title, shown && toWhen(shown, lang)]
          .filter((part) => part !== null)
          .join('. '),
        toAbsolute(site.url, toThingPath('event', event.slug, lang)),
      ),
    } satisfies Keep,
    rule: regularity && asSentence(toRegularityWords(regularity, lang)),
    dates: dates.map((date) =>
      printDate(
        date,
        shown ? toBeside(shown, lang) : { hours: null, note: null },
        (days) => toShortDays(days, lang, year),
        lang,
      ),
    ),
    all_dates: count && {
      path: toDatesPath(event.slug, lang),
      words: tCount(lang, 'dates.all', count),
    },
    source: {
      /** Who sent it in, where we did not gather it. */
      words: event.source === 'editor' ? null : `${t(lang, `event.source.${event.source}`)}.`,
      url: event.source_url,
      host: event.source_url && toHostName(event.source_url),
      others: event.other_source_urls.map((url) => ({ url, host: toHostName(url) })),
      is_verified: event.verified,
      checked: toSourceSentence(event, lang, event.source),
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
    { words: t(lang, 'event.call'), url: phone && toPhoneUrl(phone) },
    { words: t(lang, 'event.directions'), url: venue && toDirectionsUrl(venue) },
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
  const day = shown?.first_day ?? 0;
  return {
    spans: shown === null || shown.all_day ? [] : [shown, shown, shown],
    from_ms: toEpochMsOf(day, 0),
    until_ms: toEpochMsOf(day + 1, 0),
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
  const when = next && toSureWhen(next, lang);
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
      renderDates(dates, lang),
      ahead.length > MAX_NEXT && paragraph(link(all, tCount(lang, 'dates.all', ahead.length))),
    ),
    linkCorrection('event', event.id, meta),
  );
}

export type DatesView = Loaded<typeof loadDates>;

const renderAllDates = ({ meta, event, about, months, left_out }: DatesView): string =>
  renderDocument(
    meta,
    paragraph(link(toAbsolute(meta.site.url, event.path), event.title)),
    about.join(' '),
    months.map(({ month, dates }) =>
      section(
        capitalise(month),
        renderDates(
          dates.map(({ occurrence }) => occurrence),
          meta.lang,
          dates[0] && fromDayNumber(dates[0].occurrence.first_day).year,
        ),
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
  toMarkdown: renderAllDates,
});
