// cambios: what was added, changed, cancelled or withdrawn lately (contract 8.31).
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
  selectSchemaFields,
  NULLABLE_TEXT_SCHEMA,
  arraySchema,
} from '../output-schemas.ts';
import { type McpContext, TEXT_SCHEMA, inputSchema } from '../tool.ts';

/** People are not told what was only refreshed. */
const CHOICES = CHANGE_LOG_KINDS.filter((change) => change !== 'refreshed');
const PROPERTIES = {
  since: {
    ...TEXT_SCHEMA,
    description: 'YYYY-MM-DD or an instant with its offset; else 7 days ago.',
  },
  change: { ...TEXT_SCHEMA, enum: CHOICES },
  kind: { ...TEXT_SCHEMA, enum: RECORD_KINDS },
  ...filterArgumentSchemas(['category', 'zone', 'lang', 'cursor']),
};

/** Most changes of one answer, the last first. */
const MAX_CHANGES = 25;

export const cambios = defineReadTool({
  name: 'cambios',
  input: () => inputSchema(PROPERTIES),
  output: {
    total: COUNT_SCHEMA,
    data: arraySchema(
      // `detail`: when an event takes place, as the text says it.
      selectSchemaFields(PublicChangeSchema, 'kind id change changed_at title url', {
        detail: ANY_SCHEMA,
      }),
    ),
    next_cursor: NULLABLE_TEXT_SCHEMA,
  },
  required: ['total', 'data', 'next_cursor'],
  least: 5,
  ask: (args, context) => {
    const { snapshot, now_ms, site } = context;
    const issues: string[] = [];
    const params = parseArguments(args, Object.keys(PROPERTIES), issues);
    const isAsked = readAsked(params, context, issues);
    const change = CHOICES.find((one) => one === params.change);
    // Who goes on repeats the other arguments; the cursor knows since when.
    const { since: _in_the_cursor, ...others } = params;
    const texts = params.cursor === undefined ? params : others;
    const { since, after, kinds, lang } = parseChangesQuery(texts, now_ms, issues);
    const asked = {
      since,
      after: after.id === LAST_ID_OF_TIMESTAMP ? null : after,
      passes: (change: ChangeLogEntry) => kinds.includes(change.kind) && isAsked(change),
    };
    // The second before a day's midnight is meant as that day.
    const day = formatLongDay(toLocalDay(Date.parse(since) + 1000), lang);
    return {
      lang,
      most: MAX_CHANGES,
      tell: (limit, allowed) => {
        const { changes, total, next } = listRecentChanges(snapshot, { ...asked, limit }, now_ms);
        const told = changes.map((change) => truncateTexts(change, allowed));
        const count = tPlural(lang, 'changes.count', total);
        const kind = change ? `${t(lang, `changes.word.${change}`)}: ` : '';
        return {
          opening: [kind + t(lang, 'changes.about', { changes: count, day })],
          items: toMarkdown([
            list(told.map((change) => renderChangeItem(formatChange(change, lang), site))),
          ]),
          whole_url: absoluteUrl(site.url, PAGE_PATHS.changes[lang]),
          next_cursor: next && encodeChangesCursor(since, next),
          fields: {
            total,
            data: told.map((change) => ({
              ...serializeChange(change, lang, site),
              detail: formatChangeDetail(change, lang),
            })),
          },
          meta: { count: told.length, since },
        };
      },
    };
  },
});

/** Whether a change is asked for, by what the list of REST does not take; what is wrong is pushed. */
function readAsked(
  texts: ParameterValues,
  { snapshot }: McpContext,
  issues: string[],
): (change: ChangeLogEntry) => boolean {
  const reading = { texts, issues, lookups: snapshot };
  const asked = oneOfParser(CHOICES).parse(reading, 'change');
  const categories = taxaParser('categories').parse(reading, 'category');
  const zones = taxaParser('zones').parse(reading, 'zone');
  return (change) => {
    const { category, zone } = findTaxa(change);
    return (
      (asked === null || change.change === asked) &&
      (categories?.includes(category ?? '') ?? true) &&
      (zones?.includes(zone ?? '') ?? true)
    );
  };
}

/** The category and the zone of what changed; of what is withdrawn neither is known any more. */
function findTaxa({ thing }: ChangeLogEntry) {
  if (thing?.kind === 'event')
    return { category: thing.card.event.category, zone: thing.card.event.zone };
  const placed = thing?.kind === 'venue' || thing?.kind === 'notice' ? thing.record.zone : null;
  return { category: null, zone: placed };
}
