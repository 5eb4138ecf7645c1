// avisos_hoy: weather, traffic, closures and the like on a day (contract 8.8).
import { NOTICE_PARAMETER_NAMES, parseNoticeQuery } from '../../domain/filters/notice-query.ts';
import { splitNotices } from '../../domain/notices-of-day.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { PAGE_PATHS, toAbsolute } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toMeta, toNoticesMeta } from '../../serializers/wire/meta.ts';
import { NoticeListResponse } from '../../serializers/wire/responses.ts';
import { findNotices } from '../../snapshot/agenda.ts';
import { readArguments } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { toItemsResult } from '../items-result.ts';
import { shorten } from '../shorten.ts';
import { toLeanNotice } from '../lean/notice.ts';
import { toNoticeItem } from '../text/notices.ts';
import { LANG_PROPERTY, READ_ONLY, type Tool, type ToolResult, toResultSchema } from './tool.ts';

const DATE = {
  type: 'string',
  default: 'today',
  description: 'today, tomorrow or YYYY-MM-DD, in Cancún.',
} as const;

/** Most notices of one answer, the gravest first; seasons last. */
const MAX_NOTICES = 20;

function response(args: Readonly<Record<string, unknown>>, context: McpContext): ToolResult {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = readArguments(args, NOTICE_PARAMETER_NAMES, issues);
  const { day, lang } = parseNoticeQuery(params, now_ms, issues);
  const split = splitNotices(findNotices(snapshot, day), { from: day, to: day });
  const all = [...split.now, ...split.in_season];
  const opening = t(lang, 'mcp.notices.opening', {
    day: toLongDay(day, lang),
    count: tCount(lang, 'notices.count', all.length),
  });
  const page = toAbsolute(site.url, PAGE_PATHS.notices[lang]);
  return shorten((most) => {
    const told = all.slice(0, most);
    const left_out = all.length - told.length;
    const meta = toMeta(snapshot.generated_at, lang, site);
    return toItemsResult(
      {
        opening,
        data: told.map((notice) => toLeanNotice(notice, lang)),
        items: told.map((notice) => toNoticeItem(notice, lang, context)).join(''),
        total: all.length,
        more: left_out > 0 ? tCount(lang, 'mcp.notices.rest', left_out, { url: page }) : null,
        meta: toNoticesMeta(meta, told.length, day.toString()),
      },
      lang,
      site,
    );
  }, MAX_NOTICES);
}

export const avisosHoy: Tool = {
  name: 'avisos_hoy',
  annotations: READ_ONLY,
  toInputSchema: () => ({
    type: 'object',
    properties: { date: DATE, lang: LANG_PROPERTY },
    additionalProperties: false,
  }),
  toOutputSchema: () => toResultSchema(NoticeListResponse, { total: { type: 'integer' } }),
  response,
};
