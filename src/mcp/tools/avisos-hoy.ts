// avisos_hoy tool: lists the notices of a day with its day facts, or searches the notices of that
// and later days (contract 8.8).
import { toLocalDay } from '../../domain/local-time.ts';
import { NOTICE_PARAMETER_NAMES, parseNoticeQuery } from '../../domain/query/list-queries.ts';
import { countNotices, groupNotices, NOTICE_TYPES } from '../../domain/notice.ts';
import { formatLongDay } from '../../i18n/format-dates.ts';
import { formatNoticeCounts } from '../../i18n/format-day.ts';
import { API_PATHS, PAGE_PATHS, absoluteUrl, withQuery } from '../../i18n/paths.ts';
import { capitalize, t, tPlural } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { list } from '../../serializers/markdown/nodes.ts';
import { serializeNotice } from '../../serializers/wire/day.ts';
import { findNotices, searchNotices } from '../../snapshot/load-agenda.ts';
import { truncateTexts, defineReadTool } from '../tool-answer.ts';
import { filterArgumentSchemas, normalizeArguments } from '../tool-arguments.ts';
import { buildDaySection, renderNoticeItem } from '../answer-sections.ts';
import { BRIEF_DAY_SCHEMA, COUNT_SCHEMA, NOTICES_SCHEMA } from '../output-schemas.ts';
import { LANG_ARGUMENT, TEXT_SCHEMA, inputSchema } from '../tool.ts';
import type { ParameterIssue } from '../../domain/query/parameter-issue.ts';

const DATE_ARGUMENT = {
  ...TEXT_SCHEMA,
  default: 'today',
  description: 'today, tomorrow, a weekday or YYYY-MM-DD.',
} as const;

const WORDS_ARGUMENT = {
  ...TEXT_SCHEMA,
  description: 'Search words, for notices of any later day.',
} as const;

const PROPERTIES = {
  q: WORDS_ARGUMENT,
  date: DATE_ARGUMENT,
  ...filterArgumentSchemas(['zone']),
  type: { ...TEXT_SCHEMA, enum: NOTICE_TYPES, description: 'Only these.' },
  lang: LANG_ARGUMENT,
} as const;

/** Further notices are only counted: the most severe come first, seasons last. */
const MAX_NOTICES = 20;

/**
 * The tool. Without `q` it lists the notices of `date`; with `q`, those from `date` on that match
 * the words.
 */
export const avisosHoy = defineReadTool({
  name: 'avisos_hoy',
  input: () => inputSchema(PROPERTIES),
  output: { total: COUNT_SCHEMA, day: BRIEF_DAY_SCHEMA, data: NOTICES_SCHEMA },
  required: ['total', 'data'],
  min_items: 5,
  plan: (args, context) => {
    const { snapshot, now_ms, site } = context;
    const issues: ParameterIssue[] = [];
    const params = normalizeArguments(args, NOTICE_PARAMETER_NAMES, issues, context);
    const query = parseNoticeQuery(params, snapshot, now_ms, issues);
    const { day, words: search_words, matches, lang } = query;
    const candidates =
      search_words === null
        ? findNotices(snapshot, day)
        : searchNotices(snapshot, search_words, day);
    const matching = candidates.filter(matches);
    const { now, in_season } = groupNotices(matching, { from: day, to: day });
    const all_notices = search_words === null ? [...now, ...in_season] : matching;
    const is_today = day.equals(toLocalDay(now_ms));
    const summary = capitalize(
      formatNoticeCounts(countNotices(all_notices, { from: day, to: day }), is_today, lang),
    );
    const opening = t(lang, search_words === null ? 'mcp.notices.opening' : 'mcp.notices.found', {
      day: formatLongDay(day, lang),
      count: search_words === null ? summary : tPlural(lang, 'notices.count', all_notices.length),
    });
    const iso_day = day.toString();
    // Only today has a page of notices, without filters; the rest has the REST list.
    const { zone, type } = params;
    const filters = { ...(zone && { zone }), ...(type && { type }) };
    const api_path = withQuery(API_PATHS.listNotices, { date: iso_day, ...filters, lang });
    const has_page = is_today && zone === undefined && type === undefined;
    const url = absoluteUrl(site.url, has_page ? PAGE_PATHS.notices[lang] : api_path);
    return {
      lang,
      max_items: Math.min(all_notices.length, MAX_NOTICES),
      buildAnswer: (count, limited_context) => {
        const notices = all_notices
          .slice(0, count)
          .map((notice) => truncateTexts(notice, limited_context));
        const omitted_count = all_notices.length - notices.length;
        const day_section = buildDaySection(day, false, limited_context, true);
        return {
          opening: [opening, ...(day_section === null ? [] : [day_section.text])],
          items: toMarkdown([
            list(notices.map((notice) => renderNoticeItem(notice, limited_context))),
          ]),
          hints:
            omitted_count > 0 ? [tPlural(lang, 'mcp.notices.rest', omitted_count, { url })] : [],
          full_list_url: url,
          fields: {
            total: all_notices.length,
            day: day_section?.fields,
            data: notices.map((notice) => serializeNotice(notice, lang)),
          },
          meta: {
            count: notices.length,
            date: iso_day,
            ...(search_words === null && { text: `${summary}.` }),
          },
        };
      },
    };
  },
});
