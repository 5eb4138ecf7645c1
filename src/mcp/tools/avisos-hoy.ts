// avisos_hoy: weather, traffic, closures and the like on a day (contract 8.8).
import { toCancunDay } from '../../domain/cancun-time.ts';
import { NOTICE_PARAMETER_NAMES, parseNoticeQuery } from '../../domain/query/list-queries.ts';
import { splitNotices } from '../../domain/notices-of-day.ts';
import { API_PATHS, withQuery } from '../../i18n/api-paths.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { PAGE_PATHS, toAbsolute } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toMeta } from '../../serializers/wire/meta.ts';
import { NoticeListResponse } from '../../serializers/wire/responses.ts';
import { findNotices } from '../../snapshot/agenda.ts';
import { readArguments } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { cutTexts, toCutHints } from '../cut.ts';
import { toItemsResult } from '../items-result.ts';
import { shorten } from '../shorten.ts';
import { spellArguments } from '../spelled-arguments.ts';
import { tellDay } from '../lean/day.ts';
import { toLeanNotice } from '../lean/notice.ts';
import { toNoticeItem } from '../text/notices.ts';
import { LANG_PROPERTY, READ_ONLY, type Tool, type ToolResult, toResultSchema } from './tool.ts';

const DATE = {
  type: 'string',
  default: 'today',
  description: 'today, tomorrow, a weekday or YYYY-MM-DD.',
} as const;

/** Most notices of one answer, the gravest first; seasons last. */
const MAX_NOTICES = 20;
/** As many are told rather than fewer at length. */
const LEAST_NOTICES = 5;

function response(args: Readonly<Record<string, unknown>>, context: McpContext): ToolResult {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = spellArguments(readArguments(args, NOTICE_PARAMETER_NAMES, issues), context);
  const { day, lang } = parseNoticeQuery(params, snapshot, now_ms, issues);
  const split = splitNotices(findNotices(snapshot, day), { from: day, to: day });
  const all = [...split.now, ...split.in_season];
  const opening = t(lang, 'mcp.notices.opening', {
    day: toLongDay(day, lang),
    count: tCount(lang, 'notices.count', all.length),
  });
  const is_today = day.equals(toCancunDay(now_ms));
  const elsewhere = withQuery(API_PATHS.listNotices, { date: day.toString(), lang });
  const page = toAbsolute(site.url, is_today ? PAGE_PATHS.notices[lang] : elsewhere);
  const make = (most: number, allowed: McpContext): ToolResult => {
    const told = all.slice(0, most).map((notice) => cutTexts(notice, allowed));
    const left_out = all.length - told.length;
    const told_day = tellDay(day, false, lang, allowed);
    const meta = toMeta(snapshot.generated_at, lang, site);
    return toItemsResult(
      {
        opening: told_day === null ? opening : `${opening}\n\n${told_day.text}`,
        beside: { total: all.length, ...(told_day && { day: told_day.fields }) },
        data: told.map((notice) => toLeanNotice(notice, lang)),
        items: told.map((notice) => toNoticeItem(notice, lang, allowed)).join(''),
        hints: [
          ...(left_out > 0 ? [tCount(lang, 'mcp.notices.rest', left_out, { url: page })] : []),
          ...toCutHints(page, lang, allowed),
        ],
        meta: { ...meta, count: told.length, date: day.toString() },
      },
      lang,
      site,
    );
  };
  return shorten(make, { most: Math.min(all.length, MAX_NOTICES), least: LEAST_NOTICES }, context);
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
