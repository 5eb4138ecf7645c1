// A notice in its wire form (interface 2, Notice).
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import type { NoticeRecord } from '../domain/notice.ts';
import type { PublicNotice } from './wire/notice.ts';

/** The wire form; `zone` is the zone's key. */
export function toPublicNotice(notice: NoticeRecord, lang: Lang): PublicNotice {
  return {
    id: notice.id,
    type: notice.type,
    severity: notice.severity,
    title: notice.title[lang],
    body: notice.body[lang],
    zone: notice.zone,
    starts_at: formatTimestamp(notice.start_ms),
    ends_at: notice.end_ms === null ? null : formatTimestamp(notice.end_ms),
    source: notice.source,
    source_url: notice.source_url,
  };
}
