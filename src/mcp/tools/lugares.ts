// lugares: places by name, words, zone, distance and day, each with its hours in the words of its page,
// what entering costs and how to get there (contract 13.19).
import type { Temporal } from 'temporal-polyfill';
import { toLocalDay } from '../../domain/local-time.ts';
import {
  formatPlaceCursor,
  parsePlaceQuery,
  VENUE_LIST_PARAMETERS,
} from '../../domain/query/list-queries.ts';
import { toVenueDay } from '../../domain/opening-hours.ts';
import type { VenueRecord } from '../../domain/venue.ts';
import { toBriefDay } from '../../i18n/dates.ts';
import { toDistanceWords } from '../../i18n/fact-words.ts';
import { toDayWords, toPricedLines, toTodayWords, toWeekLines } from '../../i18n/opening.ts';
import { toAbsolute, toDirectoryPath } from '../../i18n/paths.ts';
import { toSpellingSentences, toUnplacedSentences } from '../../i18n/query-words.ts';
import { type Key, listWords, t, tCount } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { joined, labelled, link, list, type Words } from '../../serializers/markdown/nodes.ts';
import { toPlacesMeta } from '../../serializers/wire/meta.ts';
import { ListedVenueSchema, toPublicVenue } from '../../serializers/wire/places.ts';
import { findVenues, type ListedPlace } from '../../snapshot/places.ts';
import { cut, cutText, defineReading, fewer } from '../answer.ts';
import {
  DEFAULT_LIMIT,
  findNamedPlace,
  readArguments,
  spellArguments,
  toFilterProperties,
} from '../arguments.ts';
import { findFound, tellFound } from '../beside.ts';
import { ANY_TEXT, part, tell, TEXT_OR_NULL, toList } from '../output.ts';
import { type Answering, TEXT, toInput } from '../tool.ts';

const PLACE = tell(
  ListedVenueSchema,
  `id url name description address locality zone directions_url website phone accessibility admission
  admission_confirm family indoor upcoming_count distance_km lat lng`,
  { today: part('date open spans note'), week: toList(ANY_TEXT) },
);
const INPUT = toInput({
  ...toFilterProperties(VENUE_LIST_PARAMETERS),
  q: { ...TEXT, description: 'Name, id, slug or words.' },
  open_on: { ...TEXT, description: 'today, tomorrow, a weekday or YYYY-MM-DD.' },
});

/** Most places named that do not open. */
const MAX_SHUT = 3;

export const lugares = defineReading({
  name: 'lugares',
  input: () => INPUT,
  output: { data: toList(PLACE), others: toList(ANY_TEXT), next_cursor: TEXT_OR_NULL },
  required: ['data', 'next_cursor'],
  least: 3,
  ask: (args, context) => {
    const { snapshot, now_ms, site } = context;
    const issues: string[] = [];
    const params = spellArguments(args, VENUE_LIST_PARAMETERS, issues, context);
    const { filter, lang } = parsePlaceQuery(params, snapshot, now_ms, issues);
    const { q } = readArguments(args, ['q'], []);
    const named = q === undefined ? null : findNamedPlace(q, context);
    const asked = named === null ? filter : { ...filter, words: null };
    const isMeant = ({ id }: VenueRecord): boolean => named === null || id === named.id;
    const { open_on } = filter;
    const url = toAbsolute(site.url, toDirectoryPath('venue', lang));
    // Those that are meant, and are known not to open on the day that is asked for.
    const { holidays } = snapshot.calendar;
    const findShut = () =>
      q === undefined || open_on === null
        ? []
        : findVenues(snapshot, { ...asked, open_on: null, limit: MAX_SHUT }, isMeant).items.filter(
            ({ record }) => toVenueDay(record, open_on, holidays)?.opening.is_open === false,
          );
    return {
      lang,
      most: params.limit === undefined ? DEFAULT_LIMIT : filter.limit,
      tell: (limit, allowed) => {
        const found = findVenues(snapshot, { ...asked, limit }, isMeant);
        const { items, total, next, spellings, near } = found;
        const told = items.map((item) => tellPlace(item, open_on, allowed));
        const count = items.length;
        const shut = total > 0 ? [] : findShut();
        const beside = total + shut.length > 0 ? [] : findFound(params, 0, allowed);
        const others = tellFound(beside, allowed);
        const names = shut.map(({ record: { name } }) => cutText(name, allowed));
        const nothing =
          names.length > 0
            ? t(lang, 'opening.closed_places', { names: listWords(names, lang) })
            : t(lang, 'mcp.places.none', { url });
        const places = tCount(lang, 'mcp.places.count', total);
        const opening = t(lang, 'mcp.list.opening', {
          asked:
            open_on === null
              ? t(lang, 'mcp.places.asked')
              : t(lang, 'mcp.places.asked_on', {
                  day: toBriefDay(open_on, toLocalDay(now_ms).year, lang),
                }),
          count: count === total ? places : t(lang, 'mcp.list.some', { count, total: places }),
        });
        return {
          opening: [
            opening,
            ...toSpellingSentences(spellings, lang),
            ...toUnplacedSentences(near, lang),
          ],
          items: [toMarkdown([list(told.map(({ item }) => item))]), others.text].join('\n'),
          hints: total > 0 ? [] : [nothing],
          whole_url: url,
          next_cursor: next && formatPlaceCursor(next),
          fields: { data: told.map(({ fields }) => fields), ...others.fields },
          meta: toPlacesMeta({ count, total, spellings, near }),
        };
      },
    };
  },
});

/** Both halves of a place; `day` is that which is asked for, null for today. */
function tellPlace(
  { record, upcoming_count, distance_km }: ListedPlace<VenueRecord>,
  day: Temporal.PlainDate | null,
  context: Answering,
) {
  const { lang, snapshot, now_ms, site } = context;
  const { calendar, taxonomy } = snapshot;
  const today = toLocalDay(now_ms);
  const on_day = toVenueDay(record, day ?? today, calendar.holidays);
  const week = record.hours && on_day ? toWeekLines(record.hours, on_day, lang) : [];
  const told_week = fewer(week, context).map((line) => cutText(line, context));
  const venue = cut(record, context);
  const is_today = day === null || day.equals(today);
  const hours =
    on_day && (is_today ? toTodayWords(on_day, lang) : toDayWords(on_day, today.year, lang));
  const fields = toPublicVenue(venue, cut(on_day, context), taxonomy, lang, site);
  const label = (key: Key, words: readonly string[]): Words =>
    words.length === 0 ? null : labelled(t(lang, key), words.join('; '));
  const { website, directions_url, phone, accessibility } = fields;
  const address = [fields.address, fields.locality].filter(Boolean).join(', ');
  const item = joined([
    link(fields.url, fields.name),
    fields.zone?.name,
    distance_km === null ? null : toDistanceWords(distance_km, venue.coordinates, lang),
    hours && cutText(hours, context),
    label('label.hours', told_week),
    label('label.admission', toPricedLines(venue, lang)),
    fields.description,
    label('label.address', [address]),
    directions_url && link(directions_url, t(lang, 'label.directions')),
    website && labelled(t(lang, 'label.website'), link(website)),
    label('label.phone', phone ? [phone] : []),
    label('label.accessibility', accessibility ? [accessibility] : []),
    tCount(lang, 'events.count', upcoming_count),
  ]);
  return { fields: { ...fields, upcoming_count, distance_km, week: told_week }, item };
}
