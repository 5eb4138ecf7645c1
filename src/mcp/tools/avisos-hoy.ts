// avisos_hoy: weather, traffic, closures and the like on a day, and the day itself (contract 8.8); by words those
// of a day and later.
import { toLocalDay } from '../../domain/local-time.ts';
import { NOTICE_PARAMETER_NAMES, parseNoticeQuery } from '../../domain/query/list-queries.ts';
import { splitNotices } from '../../domain/notice.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { API_PATHS, PAGE_PATHS, toAbsolute, withQuery } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { list } from '../../serializers/markdown/nodes.ts';
import { toPublicNotice } from '../../serializers/wire/day.ts';
import { findNotices, searchNotices } from '../../snapshot/agenda.ts';
import { cut, defineReading } from '../answer.ts';
import { spellArguments } from '../arguments.ts';
import { tellDay, toNoticeItem } from '../beside.ts';
import { BRIEF_DAY, COUNT, NOTICES } from '../output.ts';
import { LANG_PROPERTY, TEXT, toInput } from '../tool.ts';

const DATE = {
  ...TEXT,
  default: 'today',
  description: 'today, tomorrow, a weekday or YYYY-MM-DD.',
} as const;

const WORDS = { ...TEXT, description: 'Words, of any later day.' } as const;

/** Most notices of one answer, the gravest first; seasons last. */
const MAX_NOTICES = 20;

export const avisosHoy = defineReading({
  name: 'avisos_hoy',
  input: () => toInput({ q: WORDS, date: DATE, lang: LANG_PROPERTY }),
  output: { total: COUNT, day: BRIEF_DAY, data: NOTICES },
  required: ['total', 'data'],
  least: 5,
  ask: (args, context) => {
    const { snapshot, now_ms, site } = context;
    const issues: string[] = [];
    const params = spellArguments(args, NOTICE_PARAMETER_NAMES, issues, context);
    const { day, words, lang } = parseNoticeQuery(params, snapshot, now_ms, issues);
    const { now, in_season } = splitNotices(findNotices(snapshot, day), { from: day, to: day });
    const all = words === null ? [...now, ...in_season] : searchNotices(snapshot, words, day);
    const opening = t(lang, words === null ? 'mcp.notices.opening' : 'mcp.notices.found', {
      day: toLongDay(day, lang),
      count: tCount(lang, 'notices.count', all.length),
    });
    const is_today = day.equals(toLocalDay(now_ms));
    const date = day.toString();
    const elsewhere = withQuery(API_PATHS.listNotices, { date, lang });
    const url = toAbsolute(site.url, is_today ? PAGE_PATHS.notices[lang] : elsewhere);
    return {
      lang,
      most: Math.min(all.length, MAX_NOTICES),
      tell: (count, allowed) => {
        const told = all.slice(0, count).map((notice) => cut(notice, allowed));
        const left_out = all.length - told.length;
        const told_day = tellDay(day, false, allowed);
        return {
          opening: [opening, ...(told_day === null ? [] : [told_day.text])],
          items: toMarkdown([list(told.map((notice) => toNoticeItem(notice, allowed)))]),
          hints: left_out > 0 ? [tCount(lang, 'mcp.notices.rest', left_out, { url })] : [],
          whole_url: url,
          fields: {
            total: all.length,
            day: told_day?.fields,
            data: told.map((notice) => toPublicNotice(notice, lang)),
          },
          meta: { count: told.length, date },
        };
      },
    };
  },
});
