// lugares: places by name, words, zone, distance and day, each with its hours in the words of its page,
// what entering costs and how to get there (contract 13.19).
import type { Temporal } from 'temporal-polyfill';
import { toLocalDay } from '../../domain/local-time.ts';
import {
  encodeDirectoryCursor,
  parseDirectoryQuery,
  VENUE_LIST_PARAMETERS,
} from '../../domain/query/list-queries.ts';
import { computeVenueDay } from '../../domain/opening-hours.ts';
import type { VenueRecord } from '../../domain/venue.ts';
import { formatBriefDay } from '../../i18n/format-dates.ts';
import { formatDistance } from '../../i18n/format-facts.ts';
import {
  formatOpeningDay,
  formatAdmissionWithAge,
  formatOpeningToday,
  formatOpeningWeek,
} from '../../i18n/format-opening-hours.ts';
import { absoluteUrl, directoryPath } from '../../i18n/paths.ts';
import { formatSpellingCorrections, formatNearCaveats } from '../../i18n/format-query.ts';
import { type MessageKey, formatList, t, tPlural } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { joinInline, labeled, link, list, type Inline } from '../../serializers/markdown/nodes.ts';
import { serializePlacesMeta } from '../../serializers/wire/meta.ts';
import { ListedVenueSchema, serializeVenue } from '../../serializers/wire/venues.ts';
import { findVenues, type DirectoryResult } from '../../snapshot/find-directory.ts';
import { truncateTexts, truncateText, defineReadTool, truncateList } from '../tool-answer.ts';
import {
  DEFAULT_LIST_LIMIT,
  findVenueByName,
  parseArguments,
  normalizeArguments,
  filterArgumentSchemas,
} from '../tool-arguments.ts';
import { findRelatedSections, buildRelatedSections } from '../answer-sections.ts';
import {
  ANY_SCHEMA,
  selectNestedFields,
  selectSchemaFields,
  NULLABLE_TEXT_SCHEMA,
  arraySchema,
} from '../output-schemas.ts';
import { type AnswerContext, TEXT_SCHEMA, inputSchema } from '../tool.ts';

const PLACE = selectSchemaFields(
  ListedVenueSchema,
  `id url name description address locality zone directions_url website phone accessibility admission
  admission_confirm family indoor upcoming_count distance_km lat lng`,
  { today: selectNestedFields('date open spans note'), week: arraySchema(ANY_SCHEMA) },
);
const INPUT = inputSchema({
  ...filterArgumentSchemas(VENUE_LIST_PARAMETERS),
  q: { ...TEXT_SCHEMA, description: 'Name, id, slug or words.' },
  open_on: { ...TEXT_SCHEMA, description: 'today, tomorrow, a weekday or YYYY-MM-DD.' },
});

/** Most places named that do not open. */
const MAX_SHUT = 3;

export const lugares = defineReadTool({
  name: 'lugares',
  input: () => INPUT,
  output: {
    data: arraySchema(PLACE),
    others: arraySchema(ANY_SCHEMA),
    next_cursor: NULLABLE_TEXT_SCHEMA,
  },
  required: ['data', 'next_cursor'],
  least: 3,
  ask: (args, context) => {
    const { snapshot, now_ms, site } = context;
    const issues: string[] = [];
    const params = normalizeArguments(args, VENUE_LIST_PARAMETERS, issues, context);
    const { filter, lang } = parseDirectoryQuery(params, snapshot, now_ms, issues);
    const { q } = parseArguments(args, ['q'], []);
    const named = q === undefined ? null : findVenueByName(q, context);
    const asked = named === null ? filter : { ...filter, words: null };
    const isMeant = ({ id }: VenueRecord): boolean => named === null || id === named.id;
    const { open_on } = filter;
    const url = absoluteUrl(site.url, directoryPath('venue', lang));
    // Those that are meant, and are known not to open on the day that is asked for.
    const { holidays } = snapshot.calendar;
    const findShut = () =>
      q === undefined || open_on === null
        ? []
        : findVenues(snapshot, { ...asked, open_on: null, limit: MAX_SHUT }, isMeant).items.filter(
            ({ record }) => computeVenueDay(record, open_on, holidays)?.opening.is_open === false,
          );
    return {
      lang,
      most: params.limit === undefined ? DEFAULT_LIST_LIMIT : filter.limit,
      tell: (limit, allowed) => {
        const found = findVenues(snapshot, { ...asked, limit }, isMeant);
        const { items, total, next, spellings, near } = found;
        const told = items.map((item) => tellPlace(item, open_on, allowed));
        const count = items.length;
        const shut = total > 0 ? [] : findShut();
        const beside = total + shut.length > 0 ? [] : findRelatedSections(params, 0, allowed);
        const others = buildRelatedSections(beside, allowed);
        const names = shut.map(({ record: { name } }) => truncateText(name, allowed));
        const nothing =
          names.length > 0
            ? t(lang, 'opening.closed_places', { names: formatList(names, lang) })
            : t(lang, 'mcp.places.none', { url });
        const places = tPlural(lang, 'mcp.places.count', total);
        const opening = t(lang, 'mcp.list.opening', {
          asked:
            open_on === null
              ? t(lang, 'mcp.places.asked')
              : t(lang, 'mcp.places.asked_on', {
                  day: formatBriefDay(open_on, toLocalDay(now_ms).year, lang),
                }),
          count: count === total ? places : t(lang, 'mcp.list.some', { count, total: places }),
        });
        return {
          opening: [
            opening,
            ...formatSpellingCorrections(spellings, lang),
            ...formatNearCaveats(near, lang),
          ],
          items: [toMarkdown([list(told.map(({ item }) => item))]), others.text].join('\n'),
          hints: total > 0 ? [] : [nothing],
          whole_url: url,
          next_cursor: next && encodeDirectoryCursor(next),
          fields: { data: told.map(({ fields }) => fields), ...others.fields },
          meta: serializePlacesMeta({ count, total, spellings, near }),
        };
      },
    };
  },
});

/** Both halves of a place; `day` is that which is asked for, null for today. */
function tellPlace(
  { record, upcoming_count, distance_km }: DirectoryResult<VenueRecord>,
  day: Temporal.PlainDate | null,
  context: AnswerContext,
) {
  const { lang, snapshot, now_ms, site } = context;
  const { calendar, taxonomy } = snapshot;
  const today = toLocalDay(now_ms);
  const on_day = computeVenueDay(record, day ?? today, calendar.holidays);
  const week = record.hours && on_day ? formatOpeningWeek(record.hours, on_day, lang) : [];
  const told_week = truncateList(week, context).map((line) => truncateText(line, context));
  const venue = truncateTexts(record, context);
  const is_today = day === null || day.equals(today);
  const hours =
    on_day &&
    (is_today ? formatOpeningToday(on_day, lang) : formatOpeningDay(on_day, today.year, lang));
  const fields = serializeVenue(venue, truncateTexts(on_day, context), taxonomy, lang, site);
  const label = (key: MessageKey, words: readonly string[]): Inline =>
    words.length === 0 ? null : labeled(t(lang, key), words.join('; '));
  const { website, directions_url, phone, accessibility } = fields;
  const address = [fields.address, fields.locality].filter(Boolean).join(', ');
  const item = joinInline([
    link(fields.url, fields.name),
    fields.zone?.name,
    distance_km === null ? null : formatDistance(distance_km, venue.coordinates, lang),
    hours && truncateText(hours, context),
    label('label.hours', told_week),
    label('label.admission', formatAdmissionWithAge(venue, lang)),
    fields.description,
    label('label.address', [address]),
    directions_url && link(directions_url, t(lang, 'label.directions')),
    website && labeled(t(lang, 'label.website'), link(website)),
    label('label.phone', phone ? [phone] : []),
    label('label.accessibility', accessibility ? [accessibility] : []),
    tPlural(lang, 'events.count', upcoming_count),
  ]);
  return { fields: { ...fields, upcoming_count, distance_km, week: told_week }, item };
}
