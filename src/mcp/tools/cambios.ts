// cambios tool: lists the entries of the change log, which are recently added, changed, cancelled
// or withdrawn records (contract 8.31). They are not the changes of the inbox, which are proposals.
import { toLocalDay } from '../../domain/local-time.ts';
import {
  type ChangeLogEntry,
  CHANGE_LOG_KINDS,
  LAST_ID_OF_TIMESTAMP,
  RECORD_KINDS,
} from '../../domain/record-history.ts';
import { encodeChangesCursor, parseChangesQuery } from '../../domain/query/list-queries.ts';
import {
  oneOfParser,
  type ParameterValues,
  taxaParser,
} from '../../domain/query/parameter-parsers.ts';
import { formatChangeDetail, formatChange } from '../../i18n/format-changes.ts';
import { formatLongDay } from '../../i18n/format-dates.ts';
import { PAGE_PATHS, absoluteUrl } from '../../i18n/paths.ts';
import { t, tPlural } from '../../i18n/translate.ts';
import { renderChangeItem } from '../../serializers/markdown/entries.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { list } from '../../serializers/markdown/nodes.ts';
import { PublicChangeSchema, serializeChange } from '../../serializers/wire/change.ts';
import { listRecentChanges } from '../../snapshot/change-log.ts';
import { truncateTexts, defineReadTool } from '../tool-answer.ts';
import { parseArguments, filterArgumentSchemas } from '../tool-arguments.ts';
import {
  ANY_SCHEMA,
  COUNT_SCHEMA,
  selectNestedFields,
  selectSchemaFields,
  NULLABLE_TEXT_SCHEMA,
  arraySchema,
} from '../output-schemas.ts';
import { type McpContext, TEXT_SCHEMA, inputSchema } from '../tool.ts';
import type { ParameterIssue } from '../../domain/query/parameter-issue.ts';

/** Visible changes: a refreshed record has the same content for visitors. */
const VISIBLE_CHANGES = CHANGE_LOG_KINDS.filter((change) => change !== 'refreshed');
const PROPERTIES = {
  since: {
    ...TEXT_SCHEMA,
    description: 'YYYY-MM-DD, a weekday or an instant with its offset; default: 7 days ago.',
  },
  change: { ...TEXT_SCHEMA, enum: VISIBLE_CHANGES, description: 'Only these.' },
  kind: { ...TEXT_SCHEMA, enum: RECORD_KINDS, description: 'Only these.' },
  ...filterArgumentSchemas(['category', 'zone', 'lang', 'cursor']),
};

/** Maximum changes of one answer, newest first. */
const MAX_CHANGES = 25;

export const cambios = defineReadTool({
  name: 'cambios',
  input: () => inputSchema(PROPERTIES),
  output: {
    total: COUNT_SCHEMA,
    data: arraySchema(
      // `detail` is the date of an event, as in the text; `dates` are those that changed.
      selectSchemaFields(PublicChangeSchema, 'kind id change changed_at title url', {
        detail: ANY_SCHEMA,
        dates: selectNestedFields('date start status notes'),
      }),
    ),
    next_cursor: NULLABLE_TEXT_SCHEMA,
  },
  required: ['total', 'data', 'next_cursor'],
  min_items: 5,
  plan: (args, context) => {
    const { snapshot, now_ms, site } = context;
    const issues: ParameterIssue[] = [];
    const params = parseArguments(args, Object.keys(PROPERTIES), issues);
    const matchesFilters = parseFilters(params, context, issues);
    const requested_kind = VISIBLE_CHANGES.find((kind) => kind === params.change);
    // On later pages, callers repeat the other arguments, but the cursor contains `since`.
    const { since: _in_cursor, ...other_params } = params;
    const query_params = params.cursor === undefined ? params : other_params;
    const { since, after, kinds, lang } = parseChangesQuery(query_params, now_ms, issues);
    const query = {
      since,
      // The position of a cursor; without a cursor, it is after all entries of `since`.
      after: after.id === LAST_ID_OF_TIMESTAMP ? null : after,
      passes: (change: ChangeLogEntry) => kinds.includes(change.kind) && matchesFilters(change),
    };
    // A `since` that is a day is stored as the second before its midnight.
    const since_day = formatLongDay(toLocalDay(Date.parse(since) + 1000), lang);
    return {
      lang,
      max_items: MAX_CHANGES,
      buildAnswer: (limit, limited_context) => {
        const page = listRecentChanges(snapshot, { ...query, limit }, now_ms);
        const { total, next: next_position } = page;
        const changes = page.changes.map((change) => truncateTexts(change, limited_context));
        const count_text = tPlural(lang, 'changes.count', total);
        const kind_prefix = requested_kind ? `${t(lang, `changes.word.${requested_kind}`)}: ` : '';
        return {
          opening: [
            kind_prefix + t(lang, 'changes.about', { changes: count_text, day: since_day }),
          ],
          items: toMarkdown([
            list(changes.map((change) => renderChangeItem(formatChange(change, lang), site))),
          ]),
          full_list_url: absoluteUrl(site.url, PAGE_PATHS.changes[lang]),
          next_cursor: next_position && encodeChangesCursor(since, next_position),
          fields: {
            total,
            data: changes.map((change) => ({
              ...serializeChange(change, lang, site),
              detail: formatChangeDetail(change, lang),
            })),
          },
          meta: { count: changes.length, since },
        };
      },
    };
  },
});

/**
 * Parses the filters that REST does not have to a predicate of entries. Pushes issues of invalid
 * values.
 */
function parseFilters(
  params: ParameterValues,
  { snapshot }: McpContext,
  issues: ParameterIssue[],
): (change: ChangeLogEntry) => boolean {
  const parser_input = { texts: params, issues, lookups: snapshot };
  const change_kind = oneOfParser(VISIBLE_CHANGES).parse(parser_input, 'change');
  const categories = taxaParser('categories').parse(parser_input, 'category');
  const zones = taxaParser('zones').parse(parser_input, 'zone');
  return (change) => {
    const { category, zone } = findTaxa(change);
    // A postponed date counts even if another one was cancelled, which names the change.
    const matches_kind =
      change_kind === null ||
      change.change === change_kind ||
      change.dates.some(({ status }) => status === change_kind);
    const matches_category = categories?.includes(category ?? '') ?? true;
    const matches_zone = zones?.includes(zone ?? '') ?? true;
    return matches_kind && matches_category && matches_zone;
  };
}

/**
 * Returns the category and zone of a changed record (`thing`); null for a withdrawn one, which is
 * null itself.
 */
function findTaxa({ thing }: ChangeLogEntry) {
  if (thing?.kind === 'event')
    return { category: thing.card.event.category, zone: thing.card.event.zone };
  const zone = thing?.kind === 'venue' || thing?.kind === 'notice' ? thing.record.zone : null;
  return { category: null, zone };
}
