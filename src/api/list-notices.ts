// GET /api/v1/notices: the notices that touch a day (interface 4, listNotices; decisions, Resources 5).
import type { Temporal } from 'temporal-polyfill';
import { parseDay, toCancunDay } from '../domain/cancun-time.ts';
import type { Answer } from '../http/exchange.ts';
import { toEnvelopeAnswer } from '../http/json.ts';
import { parseParameters } from '../http/parameters.ts';
import { toMeta, toNoticesMeta } from '../serializers/meta.ts';
import { toPublicNotice } from '../serializers/public-notice.ts';
import { findNotices } from '../snapshot/find-notices.ts';
import type { Call } from './context.ts';
import { toFreshness } from './freshness.ts';
import { readLang, refuse } from './parse-lang.ts';

/** The words that `date` takes beside a day. */
export const NOTICE_DATE_WORDS = ['today', 'tomorrow'] as const;

function readDay(date: string, now_ms: number, faults: string[]): Temporal.PlainDate {
  const today = toCancunDay(now_ms);
  if (date === 'today') return today;
  if (date === 'tomorrow') return today.add({ days: 1 });
  const day = parseDay(date);
  if (!day) faults.push(`date: '${date}' is not accepted. Use today, tomorrow or a day as YYYY-MM-DD`);
  return day ?? today;
}

/** The day's notices, the gravest first, as `{data, meta}`. */
export function listNotices({ question, context }: Call): Answer {
  const { snapshot, now_ms, site } = context;
  const faults: string[] = [];
  const params = parseParameters(question.query, ['date', 'lang'], faults);
  const lang = readLang(params, faults);
  const day = readDay(params.date ?? 'today', now_ms, faults);
  refuse(faults);
  const data = findNotices(snapshot, day).map((notice) => toPublicNotice(notice, lang));
  const meta = toNoticesMeta(toMeta(snapshot.generated_at, lang, site), data.length, day.toString());
  return toEnvelopeAnswer(data, meta, { 'cache-control': toFreshness(now_ms) });
}
