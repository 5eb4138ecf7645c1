// GET /api/v1/events: one item an event, with its next occurrence in the range (contract 8.2).
import { LIST_PARAMETER_NAMES } from '../domain/filters/filters.ts';
import { formatCursor } from '../domain/filters/cursor.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import { parseEventQuery } from '../domain/filters/event-query.ts';
import { readChoice } from '../domain/filters/filter.ts';
import { INCLUDE, MAX_INCLUDED } from '../domain/filters/include.ts';
import type { Lang } from '../domain/lang.ts';
import { type HttpResponse, toEnvelopeResponse } from '../http/message.ts';
import { toAbsolute } from '../i18n/paths.ts';
import { withQuery, API_PATHS } from '../i18n/api-paths.ts';
import { type PublicEvent, toPublicEvent, toPublicOccurrence } from '../serializers/wire/event.ts';
import { toListMeta, toMeta } from '../serializers/wire/meta.ts';
import { toNothing } from '../serializers/wire/nothing.ts';
import { findEvents, findOccurrences } from '../snapshot/find-events.ts';
import { readListFacts } from '../snapshot/list-facts.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { type Call, readParameters, toFreshness } from './operation.ts';

/**
 * The list as `{data, meta}`; where more matched, a Link with rel="next" (RFC 8288; contract 7.20).
 */
export function toEventListResponse({ request, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const names = [...LIST_PARAMETER_NAMES, INCLUDE.name];
  const params = readParameters(request.query, names, issues);
  const is_included = readChoice(INCLUDE.name, INCLUDE.schema.enum, params, issues) !== null;
  const { filter, lang } = parseEventQuery(params, snapshot, now_ms, 'list', issues);
  const { cards, next, total } = findEvents(snapshot, filter, lang);
  const facts = readListFacts(snapshot, filter, lang, { count: cards.length, next, total });
  const meta = toListMeta(toMeta(snapshot.generated_at, lang, site), {
    ...facts,
    nothing: facts.nothing && toNothing(facts.nothing, lang, site),
  });
  const path = next && withQuery(API_PATHS.listEvents, { ...params, cursor: formatCursor(next) });
  const datesOf = is_included ? readDates(snapshot, filter, lang) : () => ({});
  return toEnvelopeResponse(
    cards.map((card) => ({ ...toPublicEvent(card, lang, site), ...datesOf(card.event.id) })),
    meta,
    {
      'cache-control': toFreshness(now_ms, filter.hours),
      ...(path && { link: `<${toAbsolute(site.url, path)}>; rel="next"` }),
    },
  );
}

type Dates = Pick<PublicEvent, 'occurrences' | 'dates_in_range'>;

/** The occurrences of an event in the range (contract 8.38). */
function readDates(snapshot: Snapshot, filter: EventFilter, lang: Lang): (event: string) => Dates {
  const all = { ...filter, limit: Number.POSITIVE_INFINITY };
  const dates = Map.groupBy(findOccurrences(snapshot, all).items, ({ card }) => card.event.id);
  return (event) => {
    const own = dates.get(event) ?? [];
    const shown = own.slice(0, MAX_INCLUDED);
    return {
      occurrences: shown.map(({ occurrence }) => toPublicOccurrence(occurrence, lang)),
      dates_in_range: own.length,
    };
  };
}
