// The three tools that list events with the shared filters: buscar_eventos, eventos_hoy and
// eventos_fin_de_semana (contract 8.2).
import { Temporal } from 'temporal-polyfill';
import {
  type EventCard,
  type Highlights,
  isNightTime,
  NO_HIGHLIGHTS,
  groupTodayByTime,
} from '../../domain/agenda.ts';
import { toLocalDay, toDayNumber } from '../../domain/local-time.ts';
import { findUntranslatedTexts, separateNightclubs } from '../../domain/event/event.ts';
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
  formatListUncertainty,
} from '../../i18n/format-facts.ts';
import { formatBriefDay, formatBriefWhen, formatLongRange } from '../../i18n/format-dates.ts';
import { PAGE_PATHS, absoluteUrl, recordPath } from '../../i18n/paths.ts';
import { formatPriceAdvice, formatPrice } from '../../i18n/format-price.ts';
import {
  formatEmptyResult,
  formatSpellingCorrections,
  formatNearCaveats,
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
import { serializeListMeta, serializeEmptyResult } from '../../serializers/wire/meta.ts';
import {
  findOngoingEvents,
  MAX_AGENDA_EVENTS,
  findHighlights,
} from '../../snapshot/load-agenda.ts';
import { findEvents } from '../../snapshot/find-events.ts';
import { countEvents } from '../../snapshot/count-events.ts';
import { summarizeList } from '../../snapshot/list-summary.ts';
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

/** The days that a tool stands for, which it then does not ask for. */
type PresetDays = 'today' | 'weekend' | null;

function defineList(name: Tool['name'], fixed: PresetDays): Tool {
  const is_today = fixed === 'today';
  const names = LIST_PARAMETERS.filter(({ tool }) => tool !== undefined)
    .map((parameter) => parameter.name)
    .filter((each) => fixed === null || !['date', 'from', 'to'].includes(each));
  return defineReadTool({
    name,
    input: (taxonomy) =>
      inputSchema(filterArgumentSchemas(names, fixed === null ? taxonomy : null)),
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
    least: 5,
    ask: (args, context) => {
      const { snapshot, now_ms } = context;
      const issues: string[] = [];
      const spelled = normalizeArguments(args, names, issues, context);
      const params = fixed === null ? spelled : { ...spelled, date: fixed };
      const { filter, lang } = parseEventQuery(params, snapshot, now_ms, 'list', issues);
      const found =
        filter.words === null || filter.after !== null
          ? []
          : findRelatedSections(params, countEvents(snapshot, filter), { ...context, lang });
      return {
        lang,
        most: params.limit === undefined ? DEFAULT_LIST_LIMIT : filter.limit,
        tell: (limit, allowed) => tellList({ ...filter, limit }, found, is_today, allowed),
      };
    },
  });
}

/** Events by day, place, price, kind and words. */
export const buscarEventos = defineList('buscar_eventos', null);
/** The town's today, whatever day it is where the model runs, with last night's, the day and open places. */
export const eventosHoy = defineList('eventos_hoy', 'today');
/** Friday to Sunday, from today on those days. */
export const eventosFinDeSemana = defineList('eventos_fin_de_semana', 'weekend');

/** What is asked for: the one day and the one zone, each null where it is several; certain hours are no day. */
function readAsked({ range, hours, zones, now_ms }: EventFilter, { snapshot }: McpContext) {
  const [key, ...others] = zones ?? [];
  const is_one_day = range !== null && hours === null && range.from.equals(range.to);
  return {
    today: toLocalDay(now_ms),
    day: is_one_day ? range.from : null,
    zone: key === undefined || others.length > 0 ? null : findTaxon(snapshot.taxonomy.zones, key),
  };
}
type ListScope = ReturnType<typeof readAsked>;

/** `beside` is what the words find besides events; `is_today` adds what only eventos_hoy gives. */
function tellList(
  filter: EventFilter,
  beside: readonly RelatedSection[],
  is_today: boolean,
  context: AnswerContext,
): ToolAnswer {
  const { lang, snapshot, site } = context;
  const { cards: whole, next, total } = findEvents(snapshot, filter, lang);
  const cards = whole.map((card) => truncateTexts(card, context));
  const count = cards.length;
  const said = summarizeList(snapshot, filter, lang, { count, next, total });
  const nothing = said.nothing && truncateTexts(said.nothing, context);
  const asked = readAsked(filter, context);
  const is_first = filter.after === null;
  const is_alone = is_today && is_first && !hasNonZoneFilter(filter);
  const day =
    is_first && asked.day && buildDaySection(asked.day, is_alone && filter.zones === null, context);
  const going_on = is_today && is_first ? findOngoingEvents(snapshot, filter, lang) : [];
  const still_on = going_on.slice(0, filter.limit).map((card) => truncateTexts(card, context));
  const notices = buildListNotices(filter, is_alone, context);
  const places = tellPlacesOf(filter, is_today, asked, context);
  const found = buildRelatedSections(beside, context);
  const is_beside = notices.text !== '' || places.text !== '';
  const ids = new Set([...still_on, ...cards].map(({ event }) => event.id));
  const front = is_alone
    ? readDayFront(
        filter,
        asked.today,
        ({ id, title }) => ids.has(id) || places.text.includes(`[${title}]`),
        context,
      )
    : null;
  const sections = listSections(
    cards,
    { still_on, is_beside, now_ms: filter.now_ms, front: front?.front ?? NO_HIGHLIGHTS },
    asked,
    lang,
  );
  const write = (is_pick: boolean, is_last: boolean): readonly string[] =>
    sections
      .filter((section) => section.is_pick === is_pick && section.is_last === is_last)
      .map(({ title, cards: own }) =>
        toMarkdown([
          title && heading(2, title),
          list(own.map((card) => toEventItem(card, asked, context))),
        ]),
      );
  const is_night = isNightTime(filter.now_ms);
  const shelves = front?.shelves ?? '';
  const items = [
    nothing ? toMarkdown([renderEmptyResult(formatEmptyResult(nothing, lang), lang, site)]) : '',
    notices.text,
    ...(is_night ? [shelves, ...write(true, false)] : [...write(true, false), shelves]),
    ...write(false, false),
    places.text,
    ...write(false, true),
    found.text,
  ];
  const events = tPlural(lang, 'events.count', total);
  const opening = t(lang, 'mcp.list.opening', {
    asked: describeAsked(filter, asked, lang),
    count: count === total ? events : t(lang, 'mcp.list.some', { count, total: events }),
  });
  const doubt = formatListUncertainty([...still_on, ...cards], lang);
  // How closely its place is known is told where it is measured to.
  const toFields = (card: EventCard): object => ({
    ...serializeEvent(card, lang, site),
    next: card.next && serializeDate(card.next, lang),
    ...(card.distance_km === undefined && { venue: card.venue && { name: card.venue.name } }),
  });
  // `Sin zone: 3 eventos.` for each filter without which there is something; not for words that find something else.
  const advice = nothing?.without
    .filter(({ parameter }) => parameter !== 'q' || found.text === '')
    .map(({ parameter, count: left }) =>
      t(lang, 'mcp.list.without', {
        filter: parameter,
        count: tPlural(lang, 'events.count', left),
      }),
    );
  return {
    opening: [
      opening,
      ...formatSpellingCorrections(said.spellings, lang),
      ...formatNearCaveats(said.near, lang),
      ...(doubt === null ? [] : [doubt]),
      ...(day ? [day.text] : []),
    ],
    advice: advice ? [t(lang, 'mcp.list.none'), ...advice] : [],
    items: items.filter((part) => part !== '').join('\n'),
    whole_url: absoluteUrl(site.url, PAGE_PATHS.notices[lang]),
    next_cursor: next && encodeEventCursor(next),
    fields: {
      ...notices.fields,
      day: day ? day.fields : undefined,
      data: cards.map(toFields),
      still_on: still_on.map(toFields),
      ...places.fields,
      ...found.fields,
    },
    meta: serializeListMeta({
      ...said,
      nothing: nothing && serializeEmptyResult(nothing, lang, site),
    }),
  };
}

/**
 * What today's page says before its list: what is chosen, and by name what is most asked; names of the events and
 * places that the answer lists alone.
 */
function readDayFront(
  filter: EventFilter,
  today: Temporal.PlainDate,
  isListed: (item: { readonly id: string; readonly title: string }) => boolean,
  context: AnswerContext,
) {
  const { lang, snapshot } = context;
  const range = { from: today, to: today };
  const { cards } = findEvents(snapshot, { ...filter, limit: MAX_AGENDA_EVENTS }, lang);
  const front = findHighlights(snapshot, { ...range, events: cards }, filter.now_ms);
  const shelves = findQuickSections(snapshot, { kind: 'today', range, path: '' }, filter, lang);
  const named = front.picks.flatMap(({ card }) =>
    isListed({ id: card.event.id, title: card.event.title[lang] }) ? [card] : [],
  );
  const told = buildQuickSectionsView(shelves, named, {
    is_day: true,
    minute_ms: filter.now_ms,
    lang,
  });
  const lines = told.flatMap(({ title, items }) => {
    const names = items.filter(isListed).map((item) => truncateText(item.title, context));
    return names.length === 0 ? [] : [labeled(title, names.join(' · '))];
  });
  return { front, shelves: lines.length === 0 ? '' : toMarkdown([list(lines)]) };
}

/** Most places beside a list that is narrowed by more than a zone. */
const MAX_NARROWED_PLACES = 2;

/**
 * The places that are open on the one day that is asked for, at the beginning of a list. Beside other
 * lists than today's none where the day is over, a zone is asked for, or the day is a holiday whose hours
 * nobody has confirmed.
 */
function tellPlacesOf(
  filter: EventFilter,
  is_today: boolean,
  { today, day: one_day }: ListScope,
  context: AnswerContext,
): AnswerSection {
  const day = is_today ? today : one_day;
  if (day === null) return EMPTY_SECTION;
  const may_have = !hasEventOnlyFilter(filter) && filter.after === null;
  const places = may_have ? findOpenVenues(context.snapshot, day, filter) : [];
  const is_over = Temporal.PlainDate.compare(day, today) < 0;
  const is_unsure = places.some(({ on_day }) => on_day.opening.is_unsure);
  if (!is_today && (places.length === 0 || is_over || filter.zones !== null || is_unsure))
    return EMPTY_SECTION;
  const limit = hasNonZoneFilter(filter)
    ? Math.min(filter.limit, MAX_NARROWED_PLACES)
    : filter.limit;
  return buildOpenVenuesSection(places, day, { now_ms: filter.now_ms, limit }, context);
}

/** `Domingo 22 de noviembre, Centro`: the days, or the hours of which days, and the one zone. */
function describeAsked(
  { range, hours }: EventFilter,
  { today, zone }: ListScope,
  lang: Lang,
): string {
  const describeDays = (): string => {
    if (range === null) return t(lang, 'mcp.list.upcoming');
    const days = range.from.equals(range.to)
      ? formatBriefDay(range.from, today.year, lang)
      : formatLongRange(range, lang);
    return hours === null ? days : t(lang, `mcp.list.${hours.word}`, { days });
  };
  return [capitalize(describeDays()), ...(zone ? [zone.name[lang]] : [])].join(', ');
}

/** What else decides under which headings events stand. */
interface ListContext {
  readonly still_on: readonly EventCard[];
  readonly is_beside: boolean;
  readonly now_ms: number;
  readonly front: Highlights;
}

/** Today's headings are those of its page, by the hour; else there are the events, then the nightclubs. */
function listSections(
  cards: readonly EventCard[],
  { still_on, is_beside, now_ms, front }: ListContext,
  { today, day }: ListScope,
  lang: Lang,
) {
  if (day?.equals(today))
    return groupTodayByTime({ events: cards, still_on, from: today }, now_ms, front).map(
      (part) => ({
        title: dayPartHeading(part, lang),
        cards: part.cards,
        is_pick: part.key === 'picks',
        is_last: comesAfterVenues(part),
      }),
    );
  const { others, nightclubs } = separateNightclubs(cards);
  // Without a title where nothing else stands beside them.
  const events = is_beside || nightclubs.length > 0 ? t(lang, 'label.events') : null;
  const clubs = `${t(lang, 'agenda.nightclubs')} (${t(lang, 'agenda.adults')})`;
  return [
    { title: events, cards: others, is_pick: false, is_last: false },
    { title: clubs, cards: nightclubs, is_pick: false, is_last: true },
  ].filter((section) => section.cards.length > 0);
}

/** An event in a line: its title as a link, what is to be known, what it is, what to confirm; not again what is asked for. */
function toEventItem(card: EventCard, asked: ListScope, { lang, site }: AnswerContext): Inline {
  const { event, category, venue, zone, next } = card;
  const { title, tags, price, certainty } = event;
  const written = findUntranslatedTexts(event, lang).summary;
  const facts = listFacts(card, 'line').map(({ name, value }) => ({
    name,
    words: formatFactLines(value, lang),
  }));
  const tell = ({ name, words }: (typeof facts)[number]): Inline => {
    if (words.length === 0) return null;
    switch (name) {
      case 'confirm':
        return null;
      case 'status':
        return strong(words.join());
      case 'when': {
        const is_under_day = asked.day !== null && next?.first_day === toDayNumber(asked.day);
        return formatEntryWhen(card, lang, is_under_day, [], (one) =>
          formatBriefWhen(one, asked.today.year, lang),
        );
      }
      case 'where': {
        // Without the street, and the venue only where the title does not name it.
        const is_named = venue !== null && foldText(title[lang]).includes(foldText(venue.name));
        const place = [
          is_named ? undefined : venue?.name,
          asked.zone ? undefined : zone?.name[lang],
          event.location_note?.[lang],
        ].filter((part, at, parts) => part !== undefined && parts.indexOf(part) === at);
        return place.length === 0 ? null : place.join(' · ');
      }
      case 'price': {
        const doubt = formatPriceAdvice(price, lang);
        return formatPrice(price, lang) + (doubt === null ? '' : ` (${doubt})`);
      }
      case 'category':
        return words.join() + (tags.length === 0 ? '' : ` (${tags.join(', ')})`);
      default:
        return words.join(FACT_LINE_SEPARATOR);
    }
  };
  const confirm = facts.find(({ name }) => name === 'confirm')?.words ?? [];
  // An editor's words about a date that is sure are named for what they are.
  const label = certainty === 'confirmed' ? ` ${t(lang, 'label.confirm')}:` : '';
  return [
    joinInline([
      link(absoluteUrl(site.url, recordPath('event', event.slug, lang)), title[lang]),
      ...facts.map(tell),
      tags.length > 0 && category === null ? tags.join(', ') : null,
    ]),
    '. ',
    written && `${t(lang, `original.${written}`)}: `,
    event.summary[lang],
    confirm.map((sentence) => `${label} ${sentence}`),
  ];
}
