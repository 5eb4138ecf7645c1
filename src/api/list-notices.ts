// GET /api/v1/notices: the notices that touch a day (contract 8.8, 8.9).
import { NOTICE_LIST_PARAMETERS, parseNoticeListQuery } from '../domain/filters/notice-query.ts';
import { type HttpResponse, toEnvelopeResponse } from '../http/message.ts';
import { toMeta, toNoticesMeta } from '../serializers/wire/meta.ts';
import { toPublicNotice } from '../serializers/wire/notice.ts';
import { findNotices } from '../snapshot/agenda.ts';
import { type Call, readParameters, toFreshness } from './operation.ts';

/** The day's notices, the gravest first, as `{data, meta}`. */
export function toNoticeListResponse({ request, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = readParameters(request.query, NOTICE_LIST_PARAMETERS, issues);
  const { day, lang, isAsked } = parseNoticeListQuery(params, snapshot, now_ms, issues);
  const asked = findNotices(snapshot, day).filter(isAsked);
  const data = asked.map((notice) => toPublicNotice(notice, lang));
  const meta = toNoticesMeta(
    toMeta(snapshot.generated_at, lang, site),
    data.length,
    day.toString(),
  );
  return toEnvelopeResponse(data, meta, { 'cache-control': toFreshness(now_ms) });
}
