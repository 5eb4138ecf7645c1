// avisos_hoy: weather, traffic, closures and the like on a day, and the day itself (contract 8.8); by words those
// of a day and later.
import { toLocalDay } from '../../domain/local-time.ts';
import { NOTICE_PARAMETER_NAMES, parseNoticeQuery } from '../../domain/query/list-queries.ts';
import { groupNotices } from '../../domain/notice.ts';
import { formatLongDay } from '../../i18n/format-dates.ts';
import { API_PATHS, PAGE_PATHS, absoluteUrl, withQuery } from '../../i18n/paths.ts';
import { t, tPlural } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { list } from '../../serializers/markdown/nodes.ts';
import { serializeNotice } from '../../serializers/wire/day.ts';
import { findNotices, searchNotices } from '../../snapshot/load-agenda.ts';
import { truncateTexts, defineReadTool } from '../tool-answer.ts';
import { normalizeArguments } from '../tool-arguments.ts';
import { buildDaySection, renderNoticeItem } from '../answer-sections.ts';
import { BRIEF_DAY_SCHEMA, COUNT_SCHEMA, NOTICES_SCHEMA } from '../output-schemas.ts';
import { LANG_ARGUMENT, TEXT_SCHEMA, inputSchema } from '../tool.ts';

const DATE = {
  ...TEXT_SCHEMA,
  default: 'today',
  description: 'today, tomorrow, a weekday or YYYY-MM-DD.',
} as const;

const WORDS = { ...TEXT_SCHEMA, description: 'Words, of any later day.' } as const;

/** Most notices of one answer, the gravest first; seasons last. */
const MAX_NOTICES = 20;

export const avisosHoy = defineReadTool({
  name: 'avisos_hoy',
  input: () => inputSchema({ q: WORDS, date: DATE, lang: LANG_ARGUMENT }),
  output: { total: COUNT_SCHEMA, day: BRIEF_DAY_SCHEMA, data: NOTICES_SCHEMA },
  required: ['total', 'data'],
  least: 5,
  ask: (args, context) => {
    const { snapshot, now_ms, site } = context;
    const issues: string[] = [];
    const params = normalizeArguments(args, NOTICE_PARAMETER_NAMES, issues, context);
    const { day, words, lang } = parseNoticeQuery(params, snapshot, now_ms, issues);
    const { now, in_season } = groupNotices(findNotices(snapshot, day), { from: day, to: day });
    const all = words === null ? [...now, ...in_season] : searchNotices(snapshot, words, day);
    const opening = t(lang, words === null ? 'mcp.notices.opening' : 'mcp.notices.found', {
      day: formatLongDay(day, lang),
      count: tPlural(lang, 'notices.count', all.length),
    });
    const is_today = day.equals(toLocalDay(now_ms));
    const date = day.toString();
    const elsewhere = withQuery(API_PATHS.listNotices, { date, lang });
    const url = absoluteUrl(site.url, is_today ? PAGE_PATHS.notices[lang] : elsewhere);
    return {
      lang,
      most: Math.min(all.length, MAX_NOTICES),
      tell: (count, allowed) => {
        const told = all.slice(0, count).map((notice) => truncateTexts(notice, allowed));
        const left_out = all.length - told.length;
        const told_day = buildDaySection(day, false, allowed);
        return {
          opening: [opening, ...(told_day === null ? [] : [told_day.text])],
          items: toMarkdown([list(told.map((notice) => renderNoticeItem(notice, allowed)))]),
          hints: left_out > 0 ? [tPlural(lang, 'mcp.notices.rest', left_out, { url })] : [],
          whole_url: url,
          fields: {
            total: all.length,
            day: told_day?.fields,
            data: told.map((notice) => serializeNotice(notice, lang)),
          },
          meta: { count: told.length, date },
        };
      },
    };
  },
});
