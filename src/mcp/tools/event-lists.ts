// Event list tools: search and list events with the filters of GET /events (contract 8.2):
// buscar_eventos, eventos_hoy and eventos_fin_de_semana. A card is an event with its related
// records and next occurrence. As on the page of today, highlights are selected events, and quick
// sections are short lists such as those for children or indoors.
import { Temporal } from 'temporal-polyfill';
import {
  type DayPart,
  type EventCard,
  type Highlights,
  isNightTime,
  NO_HIGHLIGHTS,
  groupTodayByTime,
} from '../../domain/agenda.ts';
import { toLocalDay, toDayNumber } from '../../domain/local-time.ts';
import {
  findUntranslatedTexts,
  separateNightclubs,
  separateSeasons,
} from '../../domain/event/event.ts';
import { listFacts } from '../../domain/event/facts.ts';
import {
  hasEventOnlyFilter,
  type EventFilter,
  encodeEventCursor,
  hasNonZoneFilter,
  parseEventQuery,
} from '../../domain/query/event-query.ts';
import { LIST_PARAMETERS } from '../../domain/query/parameters.ts';
import { foldText } from '../../domain/text-folding.ts';
import type { Lang } from '../../domain/lang.ts';
import { findTaxon } from '../../domain/taxon.ts';
import {
  FACT_LINE_SEPARATOR,
  formatFactLines,
  formatAskFirst,
  formatListUncertainty,
} from '../../i18n/format-facts.ts';
import { formatBriefDay, formatBriefWhen, formatLongRange } from '../../i18n/format-dates.ts';
import { PAGE_PATHS, absoluteUrl, recordPath } from '../../i18n/paths.ts';
import { formatPriceAdvice, formatPrice } from '../../i18n/format-price.ts';
import {
  formatEmptyResult,
  formatSpellingCorrections,
  formatNearCaveats,
  formatEventCount,
} from '../../i18n/format-query.ts';
import { capitalize, t, tPlural } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import {
  comesAfterVenues,
  renderEmptyResult,
  dayPartHeading,
  formatEntryWhen,
} from '../../serializers/markdown/entries.ts';
import {
  heading,
  joinInline,
  labeled,
  link,
  list,
  strong,
  type Inline,
} from '../../serializers/markdown/nodes.ts';
import { serializeEvent } from '../../serializers/wire/event.ts';
import {
  serializeAskFirst,
  serializeListMeta,
  serializeEmptyResult,
} from '../../serializers/wire/meta.ts';
import {
  findOngoingEvents,
  MAX_AGENDA_EVENTS,
  findHighlights,
} from '../../snapshot/load-agenda.ts';
import { findEvents } from '../../snapshot/find-events.ts';
import { countEvents, countWithoutSeasons } from '../../snapshot/count-events.ts';
import { type EmptyResultHints, summarizeList } from '../../snapshot/list-summary.ts';
import { findOpenVenues } from '../../snapshot/find-directory.ts';
import { buildQuickSectionsView, findQuickSections } from '../../site/quick-sections.ts';
import { truncateTexts, truncateText, defineReadTool, type ToolAnswer } from '../tool-answer.ts';
import {
  DEFAULT_LIST_LIMIT,
  normalizeArguments,
  filterArgumentSchemas,
} from '../tool-arguments.ts';
import {
  type AnswerSection,
  findRelatedSections,
  EMPTY_SECTION,
  serializeDate,
  buildDaySection,
  buildRelatedSections,
  buildListNotices,
  buildOpenVenuesSection,
} from '../answer-sections.ts';
import {
  ANY_SCHEMA,
  NOTICE_FIELDS_SCHEMA,
  BRIEF_DAY_SCHEMA,
  DAY_SCHEMA,
  EVENT_SCHEMA,
  OPEN_VENUE_SCHEMA,
  NULLABLE_TEXT_SCHEMA,
  arraySchema,
} from '../output-schemas.ts';
import type { RelatedSection } from '../../site/related-results.ts';
import { type AnswerContext, type McpContext, type Tool, inputSchema } from '../tool.ts';
import type { ParameterIssue } from '../../domain/query/parameter-issue.ts';

/** The fixed days of a tool, which then has no date arguments. */
type PresetDays = 'today' | 'weekend' | null;

/** Defines a list tool: all three have the same filters and output. */
function defineListTool(name: Tool['name'], preset_days: PresetDays): Tool {
  const is_today = preset_days === 'today';
  const names = LIST_PARAMETERS.filter(({ tool }) => tool !== undefined)
    .map((parameter) => parameter.name)
    .filter((name) => preset_days === null || !['date', 'from', 'to'].includes(name));
  return defineReadTool({
    name,
    input: (taxonomy) =>
      inputSchema(filterArgumentSchemas(names, preset_days === null ? taxonomy : null)),
    output: {
      ...NOTICE_FIELDS_SCHEMA,
      day: is_today ? DAY_SCHEMA : BRIEF_DAY_SCHEMA,
      data: arraySchema(EVENT_SCHEMA),
      ...(is_today && { still_on: arraySchema({ $ref: '#/properties/data/items' }) }),
      open_places: arraySchema(OPEN_VENUE_SCHEMA),
      others: arraySchema(ANY_SCHEMA),
      next_cursor: NULLABLE_TEXT_SCHEMA,
    },
    required: ['data', 'next_cursor'],
    min_items: 5,
    plan: (args, context) => {
      const { snapshot, now_ms } = context;
      const issues: ParameterIssue[] = [];
      const normalized = normalizeArguments(args, names, issues, context);
      const params = preset_days === null ? normalized : { ...normalized, date: preset_days };
      const { filter, lang } = parseEventQuery(params, snapshot, now_ms, 'list', issues);
      // Only the first page of a search has related results.
      const related =
        filter.words === null || filter.after !== null
          ? []
          : findRelatedSections(params, countEvents(snapshot, filter), { ...context, lang });
      return {
        lang,
        max_items: params.limit === undefined ? DEFAULT_LIST_LIMIT : filter.limit,
        buildAnswer: (limit, limited_context) =>
          buildListAnswer({ ...filter, limit }, related, is_today, limited_context),
      };
    },
  });
}

/** Searches events by day, place, price, category and words. */
export const buscarEventos = defineListTool('buscar_eventos', null);
/** Lists today's events by the town's clock, with ongoing events, day facts and open venues. */
export const eventosHoy = defineListTool('eventos_hoy', 'today');
/** Lists events from Friday to Sunday; on these days, from today. */
export const eventosFinDeSemana = defineListTool('eventos_fin_de_semana', 'weekend');

/**
 * Returns today, and the single day and zone of a filter, which the entries need not repeat. The
 * day is null if the filter has several, none, or only some hours of one; the zone if it has
 * several or none.
 */
function resolveScope({ range, hours, zones, now_ms }: EventFilter, { snapshot }: McpContext) {
  const [zone_key, ...other_zone_keys] = zones ?? [];
  const is_one_day = range !== null && hours === null && range.from.equals(range.to);
  return {
    today: toLocalDay(now_ms),
    day: is_one_day ? range.from : null,
    zone:
      zone_key === undefined || other_zone_keys.length > 0
        ? null
        : findTaxon(snapshot.taxonomy.zones, zone_key),
  };
}
type ListScope = ReturnType<typeof resolveScope>;

/**
 * Builds the answer of a list tool: one page of events, with notices, open venues and related
 * results.
 * @param related Results of the search words other than events.
 * @param is_today For eventos_hoy: adds ongoing events, highlights and quick sections.
 */
function buildListAnswer(
  filter: EventFilter,
  related: readonly RelatedSection[],
  is_today: boolean,
  context: AnswerContext,
): ToolAnswer {
  const { lang, snapshot, site } = context;
  const { cards: full_cards, next: next_page_start, total } = findEvents(snapshot, filter, lang);
  const cards = full_cards.map((card) => truncateTexts(card, context));
  const count = cards.length;
  const summary = summarizeList(snapshot, filter, lang, {
    count,
    next: next_page_start,
    total,
  });
  // `nothing`: the alternatives of an empty list; null if it has events.
  const empty_result = summary.nothing && truncateTexts(summary.nothing, context);

  const scope = resolveScope(filter, context);
  const is_first_page = filter.after === null;
  const is_plain_today = is_today && is_first_page && !hasNonZoneFilter(filter);
  const has_full_day_facts = is_plain_today && filter.zones === null;
  const day_section =
    is_first_page && scope.day && buildDaySection(scope.day, has_full_day_facts, context);
  const all_ongoing = is_today && is_first_page ? findOngoingEvents(snapshot, filter, lang) : [];
  const ongoing = all_ongoing.slice(0, filter.limit).map((card) => truncateTexts(card, context));
  const notices = buildListNotices(filter, is_plain_today, context);
  const open_venues = buildOpenVenuesOfDay(filter, is_today, scope, context);
  const related_results = buildRelatedSections(related, context);

  const ask_first = formatAskFirst(summary.ask_first, lang);
  const uncertainty = formatListUncertainty([...ongoing, ...cards], lang, is_today);
  return {
    opening: [
      formatOpening(filter, scope, { count, total }, context),
      ...formatSpellingCorrections(summary.spellings, lang),
      ...formatNearCaveats(summary.near, lang),
      ...(uncertainty === null ? [] : [uncertainty]),
      ...(ask_first === null ? [] : [truncateText(ask_first, context)]),
      ...(day_section ? [day_section.text] : []),
    ],
    advice: empty_result ? formatAdvice(empty_result, related_results, lang) : [],
    items: renderItems(
      { cards, ongoing, empty_result, notices, open_venues, related_results },
      filter,
      scope,
      is_plain_today,
      context,
    ),
    // Each event links to its own full texts; only the notices have no links.
    full_list_url: absoluteUrl(site.url, PAGE_PATHS.notices[lang]),
    next_cursor: next_page_start && encodeEventCursor(next_page_start, filter),
    fields: {
      ...notices.fields,
      day: day_section ? day_section.fields : undefined,
      data: cards.map((card) => serializeCard(card, context)),
      still_on: ongoing.map((card) => serializeCard(card, context)),
      ...open_venues.fields,
      ...related_results.fields,
    },
    meta: serializeListMeta({
      ...summary,
      ask_first: serializeAskFirst(summary.ask_first, lang, site),
      nothing: empty_result && serializeEmptyResult(empty_result, lang, site),
    }),
  };
}

/** Formats the first line of a list: its scope and the number of events. */
function formatOpening(
  filter: EventFilter,
  scope: ListScope,
  { count, total }: { readonly count: number; readonly total: number },
  { lang, snapshot }: AnswerContext,
): string {
  const total_text = formatEventCount(total, countWithoutSeasons(snapshot, filter), lang);
  return t(lang, 'mcp.list.opening', {
    // `asked`: the requested days and zone.
    asked: describeScope(filter, scope, lang),
    count: count === total ? total_text : t(lang, 'mcp.list.some', { count, total: total_text }),
  });
}

/**
 * Formats advice for an empty list: the number of events without each filter, `Sin zone: 3
 * eventos.` Omits the advice to remove the search words if they have related results.
 */
function formatAdvice(
  { without }: EmptyResultHints,
  related_results: AnswerSection,
  lang: Lang,
): readonly string[] {
  const filter_hints = without
    .filter(({ parameter }) => parameter !== 'q' || related_results.text === '')
    .map(({ parameter, count }) =>
      t(lang, 'mcp.list.without', {
        filter: parameter,
        count: tPlural(lang, 'events.count', count),
      }),
    );
  return [t(lang, 'mcp.list.none'), ...filter_hints];
}

/**
 * Serializes an event of a list. Only lists around a point have the whole venue: it has the
 * precision of distances.
 */
const serializeCard = (card: EventCard, { lang, site }: AnswerContext): object => ({
  ...serializeEvent(card, lang, site),
  next: card.next && serializeDate(card.next, lang),
  ...(card.distance_km === undefined && { venue: card.venue && { name: card.venue.name } }),
});

/**
 * The parts of an answer, before they are rendered in order; a section is empty if it does not
 * apply.
 */
interface ListContents {
  readonly cards: readonly EventCard[];
  readonly ongoing: readonly EventCard[];
  readonly empty_result: EmptyResultHints | null;
  readonly notices: AnswerSection;
  readonly open_venues: AnswerSection;
  readonly related_results: AnswerSection;
}

/**
 * Renders a list as Markdown. Order: advice for an empty list, notices, highlights and quick
 * sections, events, open venues, events that come after them (nightclubs, ended ones), related
 * results. At night, quick sections such as the current events come before the highlights.
 */
function renderItems(
  { cards, ongoing, empty_result, notices, open_venues, related_results }: ListContents,
  filter: EventFilter,
  scope: ListScope,
  is_plain_today: boolean,
  context: AnswerContext,
): string {
  const { lang, site } = context;
  const listed_ids = new Set([...ongoing, ...cards].map(({ event }) => event.id));
  const day_highlights = is_plain_today
    ? buildDayHighlights(
        filter,
        scope.today,
        // A venue is listed if its name is a link in the section of open venues.
        ({ id, title }) => listed_ids.has(id) || open_venues.text.includes(`[${title}]`),
        context,
      )
    : null;
  const sections = groupIntoSections(
    cards,
    {
      ongoing,
      has_other_sections: notices.text !== '' || open_venues.text !== '',
      now_ms: filter.now_ms,
      highlights: day_highlights?.highlights ?? NO_HIGHLIGHTS,
    },
    scope,
    lang,
  );
  const renderSections = (position: SectionPosition): readonly string[] =>
    sections
      .filter((section) => section.position === position)
      .map((section) =>
        toMarkdown([
          section.title && heading(2, section.title),
          list(section.cards.map((card) => renderEventItem(card, scope, context))),
        ]),
      );
  const highlights = renderSections('highlights');
  const quick_sections = day_highlights?.quick_sections ?? '';
  const empty_text = empty_result
    ? toMarkdown([renderEmptyResult(formatEmptyResult(empty_result, lang), lang, site)])
    : '';
  return [
    empty_text,
    notices.text,
    ...(isNightTime(filter.now_ms)
      ? [quick_sections, ...highlights]
      : [...highlights, quick_sections]),
    ...renderSections('before_venues'),
    open_venues.text,
    ...renderSections('after_venues'),
    related_results.text,
  ]
    .filter((text) => text !== '')
    .join('\n');
}

/**
 * Builds the highlights and quick sections of today, as on its page. Quick sections have only the
 * names of events and venues that the answer lists.
 */
function buildDayHighlights(
  filter: EventFilter,
  today: Temporal.PlainDate,
  isListed: (item: { readonly id: string; readonly title: string }) => boolean,
  context: AnswerContext,
) {
  const { lang, snapshot } = context;
  const range = { from: today, to: today };
  // All events of today, not only the requested page of them.
  const { cards } = findEvents(snapshot, { ...filter, limit: MAX_AGENDA_EVENTS }, lang);
  const highlights = findHighlights(snapshot, { ...range, events: cards }, filter.now_ms);
  const sections = findQuickSections(snapshot, { kind: 'today', range, path: '' }, filter, lang);
  const listed_highlights = highlights.picks.flatMap(({ card }) =>
    isListed({ id: card.event.id, title: card.event.title[lang] }) ? [card] : [],
  );
  const views = buildQuickSectionsView(sections, listed_highlights, {
    is_day: true,
    minute_ms: filter.now_ms,
    lang,
  });
  const lines = views.flatMap(({ title, items }) => {
    const names = items.filter(isListed).map((item) => truncateText(item.title, context));
    return names.length === 0 ? [] : [labeled(title, names.join(' · '))];
  });
  return { highlights, quick_sections: lines.length === 0 ? '' : toMarkdown([list(lines)]) };
}

/** Maximum open venues in a list with filters other than a zone. */
const MAX_FILTERED_VENUES = 2;

/**
 * Builds the open venues of the single day of a list, on its first page. Lists other than today's
 * have none if the day is over, a zone is selected, or the day is a holiday with unconfirmed hours.
 */
function buildOpenVenuesOfDay(
  filter: EventFilter,
  is_today: boolean,
  { today, day: single_day }: ListScope,
  context: AnswerContext,
): AnswerSection {
  const day = is_today ? today : single_day;
  if (day === null) return EMPTY_SECTION;
  const can_list_venues = !hasEventOnlyFilter(filter) && filter.after === null;
  const venues = can_list_venues ? findOpenVenues(context.snapshot, day, filter) : [];
  const is_over = Temporal.PlainDate.compare(day, today) < 0;
  const is_unconfirmed = venues.some(({ on_day: venue_day }) => venue_day.opening.is_unconfirmed);
  const is_omitted = venues.length === 0 || is_over || filter.zones !== null || is_unconfirmed;
  if (!is_today && is_omitted) return EMPTY_SECTION;
  const limit = hasNonZoneFilter(filter)
    ? Math.min(filter.limit, MAX_FILTERED_VENUES)
    : filter.limit;
  return buildOpenVenuesSection(venues, day, { now_ms: filter.now_ms, limit }, context);
}

/** Describes the days or hours and the single zone of a list: `Domingo 22 de noviembre, Centro`. */
function describeScope(
  { range, hours }: EventFilter,
  { today, zone }: ListScope,
  lang: Lang,
): string {
  const describeDays = (): string => {
    if (range === null) return t(lang, 'mcp.list.upcoming');
    const days = range.from.equals(range.to)
      ? formatBriefDay(range.from, today.year, lang)
      : formatLongRange(range, lang);
    return hours === null ? days : t(lang, `mcp.list.${hours.keyword}`, { days });
  };
  return [capitalize(describeDays()), ...(zone ? [zone.name[lang]] : [])].join(', ');
}

type SectionPosition = 'highlights' | 'before_venues' | 'after_venues';

/** Events under one heading; the title is null if the list needs no heading. */
interface EventSection {
  readonly title: string | null;
  readonly cards: readonly EventCard[];
  readonly position: SectionPosition;
}

/** Inputs of the grouping, besides the events of the list. */
interface GroupingInput {
  readonly ongoing: readonly EventCard[];
  readonly has_other_sections: boolean;
  readonly now_ms: number;
  readonly highlights: Highlights;
}

/**
 * Groups events into sections: today as on its page, by time; otherwise events and then nightclubs.
 */
function groupIntoSections(
  cards: readonly EventCard[],
  { ongoing, has_other_sections, now_ms, highlights }: GroupingInput,
  { today, day }: ListScope,
  lang: Lang,
): readonly EventSection[] {
  if (day?.equals(today))
    return groupTodayByTime({ events: cards, ongoing, from: today }, now_ms, highlights).map(
      (part) => ({
        title: dayPartHeading(part, lang),
        cards: part.cards,
        position: getPartPosition(part),
      }),
    );
  const { others: countable, seasons } = separateSeasons(cards);
  const { others, nightclubs } = separateNightclubs(countable);
  // A list without other sections needs no heading.
  const events_title =
    has_other_sections || nightclubs.length + seasons.length > 0 ? t(lang, 'label.events') : null;
  const clubs_title = `${t(lang, 'agenda.nightclubs')} (${t(lang, 'agenda.adults')})`;
  const sections: readonly EventSection[] = [
    { title: events_title, cards: others, position: 'before_venues' },
    { title: t(lang, 'agenda.season'), cards: seasons, position: 'before_venues' },
    { title: clubs_title, cards: nightclubs, position: 'after_venues' },
  ];
  return sections.filter((section) => section.cards.length > 0);
}

function getPartPosition(part: DayPart): SectionPosition {
  if (part.key === 'picks') return 'highlights';
  return comesAfterVenues(part) ? 'after_venues' : 'before_venues';
}

/**
 * Renders an event as one list item: title as a link, facts, summary and advice to confirm. Omits
 * the day and zone that the scope of the list has.
 */
function renderEventItem(card: EventCard, scope: ListScope, { lang, site }: AnswerContext): Inline {
  const { event, category, venue, zone, next } = card;
  const { title, tags, price, certainty } = event;
  const original_lang = findUntranslatedTexts(event, lang).summary;
  const facts = listFacts(card, 'line').map(({ name, value }) => ({
    name,
    lines: formatFactLines(value, lang),
  }));
  const renderFact = ({ name, lines }: (typeof facts)[number]): Inline => {
    if (lines.length === 0) return null;
    switch (name) {
      case 'confirm':
        return null;
      case 'status':
        return strong(lines.join());
      case 'cancelled_dates':
      case 'postponed_dates':
        return labeled(t(lang, `label.${name}`), lines.join());
      case 'when': {
        const is_on_scope_day = scope.day !== null && next?.first_day === toDayNumber(scope.day);
        return formatEntryWhen(card, lang, is_on_scope_day, [], (occurrence) =>
          formatBriefWhen(occurrence, scope.today.year, lang),
        );
      }
      case 'where': {
        // Without the street, and without the venue if the title contains its name.
        const is_in_title = venue !== null && foldText(title[lang]).includes(foldText(venue.name));
        const place_parts = [
          is_in_title ? undefined : venue?.name,
          scope.zone ? undefined : zone?.name[lang],
          event.location_note?.[lang],
        ].filter((part, index, parts) => part !== undefined && parts.indexOf(part) === index);
        return place_parts.length === 0 ? null : place_parts.join(' · ');
      }
      case 'price': {
        const advice = formatPriceAdvice(price, lang);
        return formatPrice(price, lang) + (advice === null ? '' : ` (${advice})`);
      }
      case 'category':
        return lines.join() + (tags.length === 0 ? '' : ` (${tags.join(', ')})`);
      default:
        return lines.join(FACT_LINE_SEPARATOR);
    }
  };
  const confirm_advice = facts.find(({ name }) => name === 'confirm')?.lines ?? [];
  // A note of an editor about a confirmed date needs a label.
  const advice_label = certainty === 'confirmed' ? ` ${t(lang, 'label.confirm')}:` : '';
  return [
    joinInline([
      link(absoluteUrl(site.url, recordPath('event', event.slug, lang)), title[lang]),
      ...facts.map(renderFact),
      tags.length > 0 && category === null ? tags.join(', ') : null,
    ]),
    '. ',
    original_lang && `${t(lang, `original.${original_lang}`)}: `,
    event.summary[lang],
    confirm_advice.map((sentence) => `${advice_label} ${sentence}`),
  ];
}
