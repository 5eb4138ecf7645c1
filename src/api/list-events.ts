// GET /api/v1/events: one item an event, with its next occurrence in the range (contract 8.2).
import { LIST_PARAMETER_NAMES } from '../domain/filters/filters.ts';
import { formatCursor } from '../domain/filters/cursor.ts';
import { parseEventQuery } from '../domain/filters/event-query.ts';
import { type HttpResponse, toEnvelopeResponse } from '../http/message.ts';
import { parseParameters } from '../http/address.ts';
import { toAbsolute } from '../i18n/paths.ts';
import { withQuery, API_PATHS } from '../i18n/api-paths.ts';
import { toPublicEvent } from '../serializers/wire/event.ts';
import { toListMeta, toMeta } from '../serializers/wire/meta.ts';
import { toNothing } from '../serializers/wire/nothing.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { readListFacts } from '../snapshot/list-facts.ts';
import { type Call, toFreshness } from './operation.ts';

/**
 * The list as `{data, meta}`; where more matched, a Link with rel="next" (RFC 8288; contract 7.20).
 */
export function toEventListResponse({ request, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = parseParameters(request.query, LIST_PARAMETER_NAMES, issues);
  const { filter, lang } = parseEventQuery(params, snapshot.taxonomy, now_ms, 'list', issues);
  const { cards, next, total } = findEvents(snapshot, filter, lang);
  const facts = readListFacts(snapshot, filter, lang, { count: cards.length, next, total });
  const meta = toListMeta(toMeta(snapshot.generated_at, lang, site), {
    ...facts,
    nothing: facts.nothing && toNothing(facts.nothing, lang, site),
  });
  const path = next && withQuery(API_PATHS.listEvents, { ...params, cursor: formatCursor(next) });
  return toEnvelopeResponse(
    cards.map((card) => toPublicEvent(card, lang, site)),
    meta,
    {
      'cache-control': toFreshness(now_ms, filter.hours),
      ...(path && { link: `<${toAbsolute(site.url, path)}>; rel="next"` }),
    },
  );
}
