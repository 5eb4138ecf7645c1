// A place of a list in both halves: its hours in the words of its page, what entering costs, where it is
// and how to get there (contract 13.19).
import type { PhrasingContent } from 'mdast';
import type { Temporal } from 'temporal-polyfill';
import { toCancunDay } from '../../domain/cancun-time.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Today } from '../../domain/opening-fields.ts';
import { toVenueDay } from '../../domain/venue-day.ts';
import type { VenueRecord } from '../../domain/venue.ts';
import { toDistanceWords } from '../../i18n/distance.ts';
import { toDayWords, toPricedLines, toTodayWords, toWeekLines } from '../../i18n/opening.ts';
import { type Key, t, tCount } from '../../i18n/translate.ts';
import { labelled, link, plain, text } from '../../serializers/markdown/nodes.ts';
import { type ListedVenue, toListedVenue, toPublicToday } from '../../serializers/wire/places.ts';
import type { ListedPlace } from '../../snapshot/places.ts';
import type { McpContext } from '../context.ts';
import { cutText, cutTexts, fewer } from '../cut.ts';
import { withoutEmpty } from './without-empty.ts';

interface ToldPlace {
  readonly fields: ListedVenue;
  /** Its hours on the day that is asked for, else today: as data, and in words. */
  readonly on_day: ListedVenue['today'];
  readonly day_words: readonly string[];
  readonly week: readonly string[];
  readonly admission_words: readonly string[];
}

const toShortDay = (day: Today, context: McpContext): Today => ({
  ...cutTexts(day, context),
  spans: [...fewer(day.spans, context)],
});

/** `day`: that which is asked for; null for today. */
export function tellPlace(
  { record, upcoming_count, distance_km }: ListedPlace<VenueRecord>,
  day: Temporal.PlainDate | null,
  lang: Lang,
  context: McpContext,
): ToldPlace {
  const { snapshot, now_ms, site } = context;
  const today = toCancunDay(now_ms);
  const is_today = day === null || day.equals(today);
  const on_day = toVenueDay(record, day ?? today, snapshot.calendar.holidays);
  const cut = cutTexts(record, context);
  const admission = [...fewer(cut.admission, context)];
  const item = { record: { ...cut, hours: null, admission }, upcoming_count, distance_km };
  const week =
    record.hours === null || on_day === null ? [] : toWeekLines(record.hours, on_day, lang);
  return {
    fields: toListedVenue(item, null, snapshot.taxonomy, lang, site),
    on_day: on_day && toShortDay(toPublicToday(on_day, lang), context),
    day_words:
      on_day === null
        ? []
        : [
            cutText(
              is_today ? toTodayWords(on_day, lang) : toDayWords(on_day, today.year, lang),
              context,
            ),
          ],
    week: fewer(week, context).map((line) => cutText(line, context)),
    admission_words: toPricedLines({ ...cut, admission }, lang),
  };
}

/** The structured half: REST's fields, with the hours of the week as its page says them. */
export function toLeanPlace({ fields, on_day, week }: ToldPlace): unknown {
  const {
    slug: _slug,
    url_es: _es,
    url_en: _en,
    postal_code: _postal,
    zone_lat: _zone_lat,
    zone_lng: _zone_lng,
    coordinates,
    lat,
    lng,
    social: _social,
    capacity: _capacity,
    hours: _as_week,
    open_place: _open_place,
    source_published: _published,
    source_checked: _checked,
    updated_at: _updated,
    admission_certainty: _confirm_says_it,
    ...told
  } = fields;
  return withoutEmpty({
    ...told,
    ...(coordinates === 'venue' && { lat, lng }),
    today: on_day && { ...on_day, free_for: null },
    week,
  });
}

const isThere = (words: string | null | undefined): boolean => Boolean(words);

/** The same as an item of Markdown. */
export function toPlaceItem(place: ToldPlace, lang: Lang): PhrasingContent[] {
  const { fields, day_words, week, admission_words } = place;
  const { name, url, zone, distance_km, description, directions_url, website, phone } = fields;
  const label = (key: Key, words: readonly string[]): PhrasingContent[][] =>
    words.length === 0 ? [] : [labelled(t(lang, key), plain(words.join('; ')))];
  const parts: PhrasingContent[][] = [
    [link(url, name)],
    ...[
      zone?.name,
      distance_km === undefined
        ? null
        : toDistanceWords(distance_km, fields.coordinates ?? null, lang),
    ].flatMap((words) => (words === null || words === undefined ? [] : [[plain(words)]])),
    ...day_words.map((words) => [plain(words)]),
    ...label('label.hours', week),
    ...label('label.admission', admission_words),
    ...(description ? [[plain(description)]] : []),
    ...label('label.address', [[fields.address, fields.locality].filter(isThere).join(', ')]),
    ...(directions_url ? [[link(directions_url, t(lang, 'label.directions'))]] : []),
    ...(website ? [labelled(t(lang, 'label.website'), link(website, website))] : []),
    ...label('label.phone', phone ? [phone] : []),
    ...label('label.accessibility', fields.accessibility ? [fields.accessibility] : []),
    [plain(tCount(lang, 'events.count', fields.upcoming_count))],
  ];
  return parts.flatMap((part, at) => (at === 0 ? part : [text(' · '), ...part]));
}
