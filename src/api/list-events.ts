// GET /api/v1/events: one item an event, with its next occurrence in the range (contract 8.2).
import { toDayNumber } from '../domain/cancun-time.ts';
import { LIST_PARAMETER_NAMES } from '../domain/filters/filters.ts';
import { formatCursor } from '../domain/filters/cursor.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import { parseEventQuery } from '../domain/filters/event-query.ts';
import { readChoice } from '../domain/filters/filter.ts';
import { INCLUDE, MAX_INCLUDED } from '../domain/filters/include.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { toAbsolute } from '../i18n/paths.ts';
import { withQuery, API_PATHS } from '../i18n/api-paths.ts';
import { type PublicEvent, toPublicEvent, toPublicOccurrence } from '../serializers/wire/event.ts';
import { toListMeta, toMeta } from '../serializers/wire/meta.ts';
import { type NothingWire, toNothing } from '../serializers/wire/nothing.ts';
import { findEvents, findHits, findOccurrences, type Hit } from '../snapshot/find-events.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { type ListFacts, readListFacts } from '../snapshot/list-facts.ts';
import { type HttpResponse, JSON_TYPE, toEnvelopeResponse } from '../http/message.ts';
import { writeEventList } from './event-fragments.ts';
import { type Call, readParameters, toFreshness } from './operation.ts';

/**
 * The list as `{data, meta}`; where more matched, a Link with rel="next" (RFC 8288; contract 7.20).
 */
export function toEventListResponse({ request, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const names = [...LIST_PARAMETER_NAMES, INCLUDE.name];
  const params = readParameters(request.query, names, issues);
  const included = readChoice(INCLUDE.name, INCLUDE.schema.enum, params, issues);
  const { filter, lang } = parseEventQuery(params, snapshot, now_ms, 'list', issues);
  const { hits, next, total } = findHits(snapshot, filter, lang);
  const facts = readListFacts(snapshot, filter, lang, { count: hits.length, next, total });
  const meta = toListMeta(toMeta(snapshot.generated_at, lang, site), {
    ...facts,
    nothing: facts.nothing && toNothing(facts.nothing, lang, site),
  });
  const headers: Record<string, string> = {
    'content-type': JSON_TYPE,
    'cache-control': toFreshness(now_ms, filter.hours),
  };
  if (next) {
    const path = withQuery(API_PATHS.listEvents, { ...params, cursor: formatCursor(next) });
    headers.link = `<${toAbsolute(site.url, path)}>; rel="next"`;
  }
  if (included)
    return toEnvelopeResponse(listWithDates(snapshot, filter, lang, site), meta, headers);
  return {
    status: 200,
    headers,
    body: writeEventList(snapshot, { hits, near: filter.near }, meta, lang, site),
    made_of: toMadeOf(snapshot, lang, hits, facts, meta.nothing),
  };
}

/** The events of a page, each with its occurrences in the range (contract 8.38). */
function listWithDates(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
  site: Site,
): readonly PublicEvent[] {
  const all = { ...filter, limit: Number.POSITIVE_INFINITY };
  const dates = Map.groupBy(findOccurrences(snapshot, all).items, ({ card }) => card.event.id);
  return findEvents(snapshot, filter, lang).cards.map((card) => {
    const own = dates.get(card.event.id) ?? [];
    return {
      ...toPublicEvent(card, lang, site),
      occurrences: own
        .slice(0, MAX_INCLUDED)
        .map(({ occurrence }) => toPublicOccurrence(occurrence, lang)),
      dates_in_range: own.length,
    };
  });
}

/**
 * What decides the body: the snapshot's second, the range, the language, what `near` leaves out, how many there are, each
 * hit's positions and count, and what is said where there is none.
 */
function toMadeOf(
  { generated_ms }: Snapshot,
  lang: Lang,
  hits: readonly Hit[],
  { range, near, total }: ListFacts,
  nothing: NothingWire | undefined,
): Buffer {
  const numbers = [
    generated_ms / 1000,
    LANGS.indexOf(lang),
    range ? toDayNumber(range.from) : -1,
    range ? toDayNumber(range.to) : -1,
    near?.without_place ?? -1,
    total,
  ];
  for (const { event, next, more_dates } of hits) numbers.push(event, next, more_dates);
  const told = nothing === undefined ? '' : JSON.stringify(nothing);
  return Buffer.concat([Buffer.from(Int32Array.from(numbers).buffer), Buffer.from(told)]);
}
