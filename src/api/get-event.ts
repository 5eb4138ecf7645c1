// GET /api/v1/events/{idOrSlug}: one event with every occurrence (interface 4, getEvent).
import type { HttpResponse } from '../http/message.ts';
import { toEnvelopeResponse } from '../http/json.ts';
import { toMeta } from '../serializers/wire/meta.ts';
import { toEventDetail } from '../serializers/wire/event.ts';
import type { Call } from './context.ts';
import { findEvent } from './find-event.ts';
import { toFreshness } from './freshness.ts';
import { parseLang } from './parse-lang.ts';

/** The event as `{data, meta}`, past ones too. */
export function getEvent({ request, id, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const lang = parseLang(request.query);
  const detail = findEvent(id, context);
  return toEnvelopeResponse(
    toEventDetail(detail, lang, site),
    toMeta(snapshot.generated_at, lang, site),
    { 'cache-control': toFreshness(now_ms) },
  );
}
