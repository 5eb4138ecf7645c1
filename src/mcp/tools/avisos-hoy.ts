// avisos_hoy: weather, traffic, closures and the like on a day (contract 8.8).
import type { Temporal } from 'temporal-polyfill';
import { NOTICE_PARAMETER_NAMES, parseNoticeQuery } from '../../domain/filters/notice-query.ts';
import type { Lang } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import { splitNotices } from '../../domain/notices-of-day.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toAttribution, toMeta, toNoticesMeta } from '../../serializers/wire/meta.ts';
import { toPublicNotice } from '../../serializers/wire/notice.ts';
import { NoticeListResponse } from '../../serializers/wire/responses.ts';
import { findNotices } from '../../snapshot/find-notices.ts';
import { readArguments } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { fence } from '../text/fence.ts';
import { toNoticesSection } from '../text/notices.ts';
import { LANG_PROPERTY, READ_ONLY, type Tool, type ToolResult, toResultSchema } from './tool.ts';

const DATE = {
  type: 'string',
  default: 'today',
  description: 'today, tomorrow or a day as YYYY-MM-DD, in Cancún time.',
  examples: ['tomorrow'],
} as const;

/** The day's notices for a reader. */
function toNoticesText(
  notices: readonly NoticeRecord[],
  day: Temporal.PlainDate,
  lang: Lang,
  context: McpContext,
): string {
  const split = splitNotices(notices, { from: day, to: day });
  const count = tCount(lang, 'notices.count', split.now.length);
  const opening = t(lang, 'mcp.notices.opening', {
    day: toLongDay(day, lang),
    count,
    zone: t(lang, 'time.zone'),
  });
  const section = toNoticesSection(split, lang, context);
  return [
    opening,
    ...(section === '' ? [] : [fence(section, lang)]),
    toAttribution(lang, context.site),
  ].join('\n\n');
}

function response(args: Readonly<Record<string, unknown>>, context: McpContext): ToolResult {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = readArguments(args, NOTICE_PARAMETER_NAMES, issues);
  const { day, lang } = parseNoticeQuery(params, now_ms, issues);
  const notices = findNotices(snapshot, day);
  const meta = toNoticesMeta(
    toMeta(snapshot.generated_at, lang, site),
    notices.length,
    day.toString(),
  );
  const structured = { data: notices.map((notice) => toPublicNotice(notice, lang)), meta };
  return { structured, text: toNoticesText(notices, day, lang, context), lang, next_cursor: null };
}

export const avisosHoy: Tool = {
  name: 'avisos_hoy',
  annotations: READ_ONLY,
  toInputSchema: () => ({
    type: 'object',
    properties: { date: DATE, lang: LANG_PROPERTY },
    additionalProperties: false,
  }),
  toOutputSchema: () => toResultSchema(NoticeListResponse),
  response,
};
