// GET /api/v1/notices: the notices that touch a day (contract 8.8, 8.9).
import { NOTICE_PARAMETER_NAMES, parseNoticeQuery } from '../domain/filters/notice-query.ts';
import { type HttpResponse, toEnvelopeResponse } from '../http/message.ts';
import { parseParameters } from '../http/address.ts';
import { toMeta, toNoticesMeta } from '../serializers/wire/meta.ts';
import { toPublicNotice } from '../serializers/wire/notice.ts';
import { findNotices } from '../snapshot/agenda.ts';
import { type Call, toFreshness } from './operation.ts';

/** The day's notices, the gravest first, as `{data, meta}`. */
export function toNoticeListResponse({ request, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = parseParameters(request.query, NOTICE_PARAMETER_NAMES, issues);
  const { day, lang } = parseNoticeQuery(params, now_ms, issues);
  const data = findNotices(snapshot, day).map((notice) => toPublicNotice(notice, lang));
  const meta = toNoticesMeta(
    toMeta(snapshot.generated_at, lang, site),
    data.length,
    day.toString(),
  );
  return toEnvelopeResponse(data, meta, { 'cache-control': toFreshness(now_ms) });
}
