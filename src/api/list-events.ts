// GET /api/v1/events: one item an event, with its next occurrence in the range (interface 4, listEvents).
import { EVENT_PARAMETER_NAMES, formatCursor, parseEventQuery } from '../domain/event-query.ts';
import { JSON_TYPE } from '../http/json.ts';
import { parseParameters } from '../http/parameters.ts';
import { toListMeta, toMeta } from '../serializers/meta.ts';
import { findHits } from '../snapshot/find-hits.ts';
import type { Answer } from '../http/exchange.ts';
import type { Call } from './context.ts';
import { writeEventList } from './event-fragments.ts';
import { toFreshness } from './freshness.ts';

const EVENTS_PATH = '/api/v1/events';
const KNOWN = [...EVENT_PARAMETER_NAMES, 'cursor'];

/** The list as `{data, meta}`; where more matched, a Link with rel="next" (RFC 8288; decisions, Filters 8). */
export function listEvents({ question, context }: Call): Answer {
  const { snapshot, now_ms, site } = context;
  const faults: string[] = [];
  const params = parseParameters(question.query, KNOWN, faults);
  const { filter, lang } = parseEventQuery(params, snapshot.taxonomy, now_ms, 'list', faults);
  const { hits, next } = findHits(snapshot, filter, lang);
  const meta = toListMeta(toMeta(snapshot.generated_at, lang, site), hits.length, filter.range);
  const headers: Record<string, string> = { 'content-type': JSON_TYPE, 'cache-control': toFreshness(now_ms) };
  if (next) {
    const query = new URLSearchParams({ ...params, cursor: formatCursor(next) });
    headers.link = `<${site.url}${EVENTS_PATH}?${query}>; rel="next"`;
  }
  return { status: 200, headers, body: writeEventList(snapshot, hits, meta, lang, site) };
}
