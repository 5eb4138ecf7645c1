// GET /api/v1/notices: the notices that touch a day (interface 4, listNotices; decisions, Resources
// 5).
import { NOTICE_PARAMETER_NAMES, parseNoticeQuery } from '../domain/filters/notice-query.ts';
import type { Answer } from '../http/message.ts';
import { toEnvelopeAnswer } from '../http/json.ts';
import { parseParameters } from '../http/parameters.ts';
import { toMeta, toNoticesMeta } from '../serializers/meta.ts';
import { toPublicNotice } from '../serializers/public-notice.ts';
import { findNotices } from '../snapshot/find-notices.ts';
import type { Call } from './context.ts';
import { toFreshness } from './freshness.ts';

/** The day's notices, the gravest first, as `{data, meta}`. */
export function listNotices({ question, context }: Call): Answer {
  const { snapshot, now_ms, site } = context;
  const faults: string[] = [];
  const params = parseParameters(question.query, NOTICE_PARAMETER_NAMES, faults);
  const { day, lang } = parseNoticeQuery(params, now_ms, faults);
  const data = findNotices(snapshot, day).map((notice) => toPublicNotice(notice, lang));
  const meta = toNoticesMeta(
    toMeta(snapshot.generated_at, lang, site),
    data.length,
    day.toString(),
  );
  return toEnvelopeAnswer(data, meta, { 'cache-control': toFreshness(now_ms) });
}
