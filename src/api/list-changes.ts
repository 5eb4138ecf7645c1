// GET /api/v1/changes: what came, changed and went, for who keeps a copy in step (contract 8.31).
import {
  CHANGES_PARAMETER_NAMES,
  formatChangesCursor,
  parseChangesQuery,
} from '../domain/filters/changes-query.ts';
import { type HttpResponse, toEnvelopeResponse } from '../http/message.ts';
import { API_PATHS, withQuery } from '../i18n/api-paths.ts';
import { toAbsolute } from '../i18n/paths.ts';
import { toPublicChange } from '../serializers/wire/change.ts';
import { toChangesMeta, toMeta } from '../serializers/wire/meta.ts';
import { listChanges } from '../snapshot/changes.ts';
import { type Call, readParameters, toFreshness } from './operation.ts';

/**
 * The changes as `{data, meta}`, the earliest first; where there are more, a Link with rel="next"
 * (RFC 8288).
 */
export function toChangeListResponse({ request, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = readParameters(request.query, CHANGES_PARAMETER_NAMES, issues);
  const query = parseChangesQuery(params, now_ms, issues);
  const { since, lang } = query;
  const { changes, end, has_more } = listChanges(snapshot, query, now_ms);
  const cursor = formatChangesCursor(since, end);
  const meta = toChangesMeta(toMeta(snapshot.generated_at, lang, site), {
    count: changes.length,
    since,
    cursor,
    has_more,
  });
  const { since: _, ...rest } = params;
  const next = withQuery(API_PATHS.listChanges, { ...rest, cursor });
  return toEnvelopeResponse(
    changes.map((change) => toPublicChange(change, lang, site)),
    meta,
    {
      'cache-control': toFreshness(now_ms),
      ...(has_more && { link: `<${toAbsolute(site.url, next)}>; rel="next"` }),
    },
  );
}
