// cambios: what was added, changed, cancelled or withdrawn lately (contract 8.31).
import { toCancunDay } from '../../domain/cancun-time.ts';
import { type ChangeRecord, CHANGES, END_OF_MOMENT, HISTORY_KINDS } from '../../domain/history.ts';
import {
  type ChangesQuery,
  formatChangesCursor,
  parseChangesQuery,
} from '../../domain/query/list-queries.ts';
import type { ParameterTexts } from '../../domain/query/parameters.ts';
import { readChoice, readTaxa } from '../../domain/query/values.ts';
import { toChangedDetail } from '../../i18n/change-words.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { PAGE_PATHS, toAbsolute } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toChangeItem } from '../../serializers/markdown/pages.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { list } from '../../serializers/markdown/nodes.ts';
import { PublicChangeSchema, toPublicChange } from '../../serializers/wire/change.ts';
import { toMeta } from '../../serializers/wire/meta.ts';
import { listTold } from '../../snapshot/changes.ts';
import { cut, shorten, type Told, toAnswer, toCutHints } from '../answer.ts';
import { readArguments, toFilterProperties } from '../arguments.ts';
import { COUNT, CURSOR, tell, toList, toOutput } from '../output.ts';
import {
  type Answering,
  type McpContext,
  READ_ONLY,
  TEXT,
  type Tool,
  type ToolResult,
  toInput,
} from '../tool.ts';

/** `detail`: when an event takes place, as the text says it. */
const CHANGE = tell(PublicChangeSchema, 'kind id change changed_at title url', { detail: TEXT });
const OUTPUT = toOutput(
  { total: COUNT, data: toList(CHANGE), next_cursor: CURSOR, hints: toList(TEXT) },
  ['total', 'data', 'next_cursor'],
);

/** People are not told what was only refreshed. */
const CHOICES = CHANGES.filter((change) => change !== 'refreshed');
const PROPERTIES = {
  since: {
    ...TEXT,
    description: 'YYYY-MM-DD or an instant with its offset; else 7 days ago.',
  },
  change: { ...TEXT, enum: CHOICES },
  kind: { ...TEXT, enum: HISTORY_KINDS },
  ...toFilterProperties(['category', 'zone', 'lang', 'cursor']),
};

/** Most changes of one answer, the last first. */
const MAX_CHANGES = 25;
/** As many are told rather than fewer at length. */
const LEAST = 5;

export const cambios: Tool = {
  name: 'cambios',
  annotations: READ_ONLY,
  input: () => toInput(PROPERTIES),
  output: OUTPUT,
  run: (args, context) => {
    const issues: string[] = [];
    const params = readArguments(args, Object.keys(PROPERTIES), issues);
    const passes = readPasses(params, context, issues);
    // Who goes on repeats the other arguments; the cursor knows since when.
    const { since = '', cursor, kind, lang } = params;
    const known = Object.entries({ since: cursor ? '' : since, cursor, kind, lang });
    const texts = Object.fromEntries(known.flatMap(([name, text]) => (text ? [[name, text]] : [])));
    const query = parseChangesQuery(texts, context.now_ms, issues);
    const make = (limit: number, allowed: Answering): ToolResult =>
      toAnswer(tellChanges(query, passes, limit, allowed), OUTPUT, allowed);
    return shorten(make, { most: MAX_CHANGES, least: LEAST }, { ...context, lang: query.lang });
  },
};

/** Which changes are asked for; what is wrong is pushed. */
function readPasses(
  params: ParameterTexts,
  { snapshot: { taxonomy } }: McpContext,
  issues: string[],
): (change: ChangeRecord) => boolean {
  const asked = readChoice('change', CHOICES, params, issues);
  const categories = readTaxa('category', params, taxonomy.categories, issues);
  const zones = readTaxa('zone', params, taxonomy.zones, issues);
  return (change) => {
    const taxa = findTaxa(change);
    return (
      (asked === null || change.change === asked) &&
      (categories?.includes(taxa.category ?? '') ?? true) &&
      (zones?.includes(taxa.zone ?? '') ?? true)
    );
  };
}

/** The category and the zone of what changed; of what is withdrawn neither is known any more. */
function findTaxa({ thing }: ChangeRecord) {
  if (thing?.kind === 'event')
    return { category: thing.card.event.category, zone: thing.card.event.zone };
  const placed = thing?.kind === 'venue' || thing?.kind === 'notice' ? thing.record.zone : null;
  return { category: null, zone: placed };
}

function tellChanges(
  { since, after, kinds }: ChangesQuery,
  passes: (change: ChangeRecord) => boolean,
  limit: number,
  context: Answering,
): Told {
  const { lang, snapshot, now_ms, site } = context;
  const asked = {
    since,
    limit,
    after: after.id === END_OF_MOMENT ? null : after,
    passes: (change: ChangeRecord) => kinds.includes(change.kind) && passes(change),
  };
  const { changes, total, next } = listTold(snapshot, asked, now_ms);
  const told = changes.map((change) => cut(change, context));
  // The second before a day's midnight is meant as that day.
  const day = toLongDay(toCancunDay(Date.parse(since) + 1000), lang);
  return {
    opening: [t(lang, 'changes.about', { changes: tCount(lang, 'changes.count', total), day })],
    items: toMarkdown([list(told.map((change) => toChangeItem(change, lang, site)))]),
    hints: toCutHints(toAbsolute(site.url, PAGE_PATHS.changes[lang]), context),
    next_cursor: next && formatChangesCursor(since, next),
    fields: {
      total,
      data: told.map((change) => ({
        ...toPublicChange(change, lang, site),
        detail: toChangedDetail(change, lang),
      })),
    },
    meta: { ...toMeta(snapshot.generated_at, lang, site), count: told.length, since },
  };
}
