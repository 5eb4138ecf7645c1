// GET /api/openapi.json: the machine-readable description (interface 9).
import type { HttpResponse } from '../http/message.ts';
import { toJsonResponse } from '../http/json.ts';
import { toOpenApi } from '../serializers/openapi/document.ts';
import type { Call } from './context.ts';
import { toFreshness } from './freshness.ts';
import { findPathExamples } from './path-examples.ts';

/** OpenAPI 3.1, with the categories and zones of the snapshot and examples that it answers. */
export function getOpenApi({ context }: Call): HttpResponse {
  const { snapshot, site, now_ms } = context;
  return toJsonResponse(200, toOpenApi(snapshot.taxonomy, site, findPathExamples(context), 'en'), {
    'cache-control': toFreshness(now_ms),
  });
}
