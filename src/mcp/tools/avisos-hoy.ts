// avisos_hoy: weather, traffic, closures and the like on a day, and the day itself (contract 8.8).
import { toCancunDay } from '../../domain/cancun-time.ts';
import { NOTICE_PARAMETER_NAMES, parseNoticeQuery } from '../../domain/query/list-queries.ts';
import { splitNotices } from '../../domain/notice.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { API_PATHS, PAGE_PATHS, toAbsolute, withQuery } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { list } from '../../serializers/markdown/nodes.ts';
import { toMeta } from '../../serializers/wire/meta.ts';
import { toPublicNotice } from '../../serializers/wire/day.ts';
import { findNotices } from '../../snapshot/agenda.ts';
import { cut, shorten, toAnswer, toCutHints } from '../answer.ts';
import { spellArguments } from '../arguments.ts';
import { tellDay, toNoticeItem } from '../beside.ts';
import { BRIEF_DAY, COUNT, NOTICES, toList, toOutput } from '../output.ts';
import {
  type Answering,
  LANG_PROPERTY,
  READ_ONLY,
  TEXT,
  type Tool,
  type ToolResult,
  toInput,
} from '../tool.ts';

const OUTPUT = toOutput({ total: COUNT, day: BRIEF_DAY, data: NOTICES, hints: toList(TEXT) }, [
  'total',
  'data',
]);
const DATE = {
  ...TEXT,
  default: 'today',
  description: 'today, tomorrow, a weekday or YYYY-MM-DD.',
} as const;

/** Most notices of one answer, the gravest first; seasons last. */
const MAX_NOTICES = 20;
/** As many are told rather than fewer at length. */
const LEAST = 5;

export const avisosHoy: Tool = {
  name: 'avisos_hoy',
  annotations: READ_ONLY,
  input: () => toInput({ date: DATE, lang: LANG_PROPERTY }),
  output: OUTPUT,
  run: (args, context) => {
    const { snapshot, now_ms, site } = context;
    const issues: string[] = [];
    const params = spellArguments(args, NOTICE_PARAMETER_NAMES, issues, context);
    const { day, lang } = parseNoticeQuery(params, snapshot, now_ms, issues);
    const { now, in_season } = splitNotices(findNotices(snapshot, day), { from: day, to: day });
    const all = [...now, ...in_season];
    const opening = t(lang, 'mcp.notices.opening', {
      day: toLongDay(day, lang),
      count: tCount(lang, 'notices.count', all.length),
    });
    const is_today = day.equals(toCancunDay(now_ms));
    const elsewhere = withQuery(API_PATHS.listNotices, { date: day.toString(), lang });
    const url = toAbsolute(site.url, is_today ? PAGE_PATHS.notices[lang] : elsewhere);
    const make = (most: number, allowed: Answering): ToolResult => {
      const told = all.slice(0, most).map((notice) => cut(notice, allowed));
      const left_out = all.length - told.length;
      const told_day = tellDay(day, false, allowed);
      const meta = toMeta(snapshot.generated_at, lang, site);
      return toAnswer(
        {
          opening: [opening, ...(told_day === null ? [] : [told_day.text])],
          items: toMarkdown([list(told.map((notice) => toNoticeItem(notice, allowed)))]),
          hints: [
            ...(left_out > 0 ? [tCount(lang, 'mcp.notices.rest', left_out, { url })] : []),
            ...toCutHints(url, allowed),
          ],
          fields: {
            total: all.length,
            day: told_day?.fields,
            data: told.map((notice) => toPublicNotice(notice, lang)),
          },
          meta: { ...meta, count: told.length, date: day.toString() },
        },
        OUTPUT,
        allowed,
      );
    };
    return shorten(
      make,
      { most: Math.min(all.length, MAX_NOTICES), least: LEAST },
      { ...context, lang },
    );
  },
};
