// A notice in its wire form (contract 4.12).
import * as v from 'valibot';
import { formatTimestamp } from '../../domain/cancun-time.ts';
import { toInferredSentence } from '../../i18n/notice-words.ts';
import { toWire, toWireEntries } from '../../domain/fields.ts';
import type { Lang } from '../../domain/lang.ts';
import { NOTICE_FIELDS, type NoticeRecord } from '../../domain/notice.ts';

/** Something a day brings that is not an event: weather, traffic, closures. */
export const PublicNoticeSchema = v.strictObject(toWireEntries(NOTICE_FIELDS));
export type PublicNotice = v.InferOutput<typeof PublicNoticeSchema>;

/** `zone` is the zone's key. */
export function toPublicNotice(notice: NoticeRecord, lang: Lang): PublicNotice {
  return toWire(NOTICE_FIELDS, notice, lang, {
    confirm: toInferredSentence(notice, lang),
    starts_at: formatTimestamp(notice.start_ms),
    ends_at: notice.end_ms === null ? null : formatTimestamp(notice.end_ms),
  });
}
