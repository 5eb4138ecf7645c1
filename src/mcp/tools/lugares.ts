// lugares tool: searches venues by name, words, zone, distance and day, with opening hours,
// admission and directions (contract 13.19).
import { toLocalDay } from '../../domain/local-time.ts';
import {
  encodeDirectoryCursor,
  parseDirectoryQuery,
  VENUE_LIST_PARAMETERS,
} from '../../domain/query/list-queries.ts';
import type { VenueRecord } from '../../domain/venue.ts';
import { formatBriefDay } from '../../i18n/format-dates.ts';
import { formatDistance } from '../../i18n/format-facts.ts';
import {
  formatAdmissionWithAge,
  formatOpeningOn,
  formatOpeningWeek,
  formatUnlistedVenues,
} from '../../i18n/format-opening-hours.ts';
import { absoluteUrl, directoryPath } from '../../i18n/paths.ts';
import { formatSpellingCorrections, formatNearCaveats } from '../../i18n/format-query.ts';
import { type MessageKey, t, tPlural } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { joinInline, labeled, link, list, type Inline } from '../../serializers/markdown/nodes.ts';
import { serializePlacesMeta, serializeUnlistedVenues } from '../../serializers/wire/meta.ts';
import { ListedVenueSchema, serializeVenue } from '../../serializers/wire/venues.ts';
import { countVenues, findVenues, type VenueResult } from '../../snapshot/find-directory.ts';
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
  constSchema,
} from '../output-schemas.ts';
import { type AnswerContext, TEXT_SCHEMA, inputSchema } from '../tool.ts';
import type { ParameterIssue } from '../../domain/query/parameter-issue.ts';

const VENUE_SCHEMA = selectSchemaFields(
  ListedVenueSchema,
  `id url name description address locality zone directions_url website phone accessibility admission
  free_for admission_confirm family indoor upcoming_count distance_km lat lng`,
  {
    today: selectNestedFields('date open spans note free_for'),
    week: arraySchema(ANY_SCHEMA),
    coordinates: constSchema('zone'),
  },
);
const INPUT = inputSchema({
  ...filterArgumentSchemas(VENUE_LIST_PARAMETERS),
  q: { ...TEXT_SCHEMA, description: 'Name, id, slug or words.' },
  open_on: { ...TEXT_SCHEMA, description: 'today, tomorrow, a weekday or YYYY-MM-DD.' },
});

/**
 * The tool. An id, slug, URL or further name of a venue as `q` selects this venue, if no venue has
 * it as words.
 */
export const lugares = defineReadTool({
  name: 'lugares',
  input: () => INPUT,
  output: {
    data: arraySchema(VENUE_SCHEMA),
    others: arraySchema(ANY_SCHEMA),
    next_cursor: NULLABLE_TEXT_SCHEMA,
  },
  required: ['data', 'next_cursor'],
  min_items: 3,
  plan: (args, context) => {
    const { snapshot, now_ms, site } = context;
    const issues: ParameterIssue[] = [];
    const params = normalizeArguments(args, VENUE_LIST_PARAMETERS, issues, context);
    const { filter, lang } = parseDirectoryQuery(params, snapshot, now_ms, issues);
    const { q } = parseArguments(args, ['q'], []);
    const { open_on } = filter;
    const has_words = countVenues(snapshot, { ...filter, open_on: null }) > 0;
    const named_venue = q === undefined || has_words ? null : findVenueByName(q, context);
    const venue_filter = named_venue === null ? filter : { ...filter, words: null };
    const options = named_venue && {
      isIncluded: ({ id }: VenueRecord): boolean => id === named_venue.id,
    };
    const venue_list_url = absoluteUrl(site.url, directoryPath('venue', lang));
    const today = toLocalDay(now_ms);
    return {
      lang,
      max_items: params.limit === undefined ? DEFAULT_LIST_LIMIT : filter.limit,
      buildAnswer: (limit, limited_context) => {
        const results = findVenues(snapshot, { ...venue_filter, limit }, options ?? {});
        const { items, total, next: next_page_start, spellings, near } = results;
        const venues = items.map((result) => buildVenue(result, limited_context));
        const count = items.length;
        const unlisted = truncateTexts(results.unlisted, limited_context);
        const day_hints = formatUnlistedVenues({ items, unlisted }, today, lang);
        const is_empty = total === 0 && day_hints.length === 0;
        const related = is_empty ? findRelatedSections(params, 0, limited_context) : [];
        const related_section = buildRelatedSections(related, limited_context);
        const is_unconfirmed = items.some(({ on_day }) => on_day?.opening.is_unconfirmed);
        const total_text = tPlural(lang, 'mcp.places.count', total);
        const opening_line = t(lang, 'mcp.list.opening', {
          asked:
            open_on === null
              ? t(lang, 'mcp.places.asked')
              : t(lang, is_unconfirmed ? 'mcp.places.asked_unconfirmed' : 'mcp.places.asked_on', {
                  day: formatBriefDay(open_on, today.year, lang),
                }),
          count:
            count === total ? total_text : t(lang, 'mcp.list.some', { count, total: total_text }),
        });
        return {
          opening: [
            opening_line,
            ...formatSpellingCorrections(spellings, lang),
            ...formatNearCaveats(near, lang),
          ],
          items: [
            toMarkdown([list(venues.map(({ list_item }) => list_item))]),
            related_section.text,
          ].join('\n'),
          hints: [
            ...day_hints,
            ...(is_empty ? [t(lang, 'mcp.places.none', { url: venue_list_url })] : []),
          ],
          full_list_url: venue_list_url,
          next_cursor: next_page_start && encodeDirectoryCursor(next_page_start, filter),
          fields: { data: venues.map(({ fields }) => fields), ...related_section.fields },
          meta: {
            ...serializePlacesMeta({ count, total, spellings, near }),
            ...(unlisted && serializeUnlistedVenues(unlisted, lang, site)),
          },
        };
      },
    };
  },
});

/** Builds the fields and the list item of a venue. */
function buildVenue(
  { record, upcoming_count, distance_km, on_day }: VenueResult,
  context: AnswerContext,
) {
  const { lang, snapshot, now_ms, site } = context;
  const week = record.hours && on_day ? formatOpeningWeek(record.hours, on_day, lang) : [];
  const week_lines = truncateList(week, context).map((line) => truncateText(line, context));
  const venue = truncateTexts(record, context);
  const hours = on_day && formatOpeningOn(on_day, toLocalDay(now_ms), lang);
  const { taxonomy } = snapshot;
  const fields = serializeVenue(venue, truncateTexts(on_day, context), taxonomy, lang, site);
  const renderLabeledLines = (key: MessageKey, lines: readonly string[]): Inline =>
    lines.length === 0 ? null : labeled(t(lang, key), lines.join('; '));
  const { website, directions_url, phone, accessibility } = fields;
  const address = [fields.address, fields.locality].filter(Boolean).join(', ');
  const list_item = joinInline([
    link(fields.url, fields.name),
    fields.zone?.name,
    distance_km === null ? null : formatDistance(distance_km, venue.coordinates, lang),
    hours && truncateText(hours, context),
    renderLabeledLines('label.hours', week_lines),
    renderLabeledLines('label.admission', formatAdmissionWithAge(venue, lang)),
    fields.description,
    renderLabeledLines('label.address', [address]),
    directions_url && link(directions_url, t(lang, 'label.directions')),
    website && labeled(t(lang, 'label.website'), link(website)),
    renderLabeledLines('label.phone', phone ? [phone] : []),
    renderLabeledLines('label.accessibility', accessibility ? [accessibility] : []),
    tPlural(lang, 'events.count', upcoming_count),
  ]);
  return { fields: { ...fields, upcoming_count, distance_km, week: week_lines }, list_item };
}
