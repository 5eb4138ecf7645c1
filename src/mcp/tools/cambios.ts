// cambios: what was added, changed, cancelled or withdrawn lately (contract 8.32).
import * as v from 'valibot';
import { toCancunDay } from '../../domain/cancun-time.ts';
import { readChoice, readTaxa } from '../../domain/query/values.ts';
import type { ChangeRecord } from '../../domain/changed-thing.ts';
import {
  type ChangesQuery,
  formatChangesCursor,
  parseChangesQuery,
} from '../../domain/query/list-queries.ts';
import type { ParameterTexts } from '../../domain/query/parameters.ts';
import { CHANGES, END_OF_MOMENT, HISTORY_KINDS } from '../../domain/history.ts';
import type { Lang } from '../../domain/lang.ts';
import { toChangedDetail } from '../../i18n/change-words.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { PAGE_PATHS, toAbsolute } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toChangeItem } from '../../serializers/markdown/pages.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { list } from '../../serializers/markdown/nodes.ts';
import { PublicChangeSchema, toPublicChange } from '../../serializers/wire/change.ts';
import { MetaSchema, toMeta } from '../../serializers/wire/meta.ts';
import { type AskedTold, listTold } from '../../snapshot/changes.ts';
import { readArguments } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { cutTexts, toCutHints } from '../cut.ts';
import { withoutEmpty } from '../lean/without-empty.ts';
import { toItemsResult } from '../items-result.ts';
import { shorten } from '../shorten.ts';
import { toNamedSchema } from './filter-properties.ts';
import { PAGING, READ_ONLY, type Tool, type ToolResult, toResultSchema } from './tool.ts';

/** People are not told what was only refreshed. */
const TOLD = CHANGES.filter((change) => change !== 'refreshed');
const PROPERTIES = {
  since: {
    type: 'string',
    description: 'YYYY-MM-DD or an instant with its offset; else 7 days ago.',
  },
  change: { type: 'string', enum: TOLD },
  kind: { type: 'string', enum: HISTORY_KINDS },
} as const;
const SHARED = ['category', 'zone', 'lang', 'cursor'] as const;

const ToldResponse = v.strictObject({
  data: v.array(PublicChangeSchema),
  meta: v.strictObject({ ...MetaSchema.entries, count: v.number(), since: v.string() }),
});

/** Most changes of one answer, the last first. */
const MAX_CHANGES = 25;
/** As many are told rather than fewer at length. */
const LEAST = 5;

/** REST's fields, and when an event takes place, as the text says it. */
const toLeanChange = (change: ChangeRecord, lang: Lang, { site }: McpContext): unknown => {
  const { api_url: _, ...told } = toPublicChange(change, lang, site);
  return withoutEmpty({ ...told, detail: toChangedDetail(change, lang) });
};

/** The category and the zone of what changed; of what is withdrawn neither is known any more. */
function findTaxa({ thing }: ChangeRecord) {
  if (thing?.kind === 'event')
    return { category: thing.card.event.category, zone: thing.card.event.zone };
  const placed = thing?.kind === 'venue' || thing?.kind === 'notice' ? thing.record.zone : null;
  return { category: null, zone: placed };
}

/** Which changes are asked for; what is wrong is pushed. */
function readPasses(
  params: ParameterTexts,
  { snapshot }: McpContext,
  issues: string[],
): (change: ChangeRecord) => boolean {
  const asked = readChoice('change', TOLD, params, issues);
  const categories = readTaxa('category', params, snapshot.taxonomy.categories, issues);
  const zones = readTaxa('zone', params, snapshot.taxonomy.zones, issues);
  return (change) => {
    const taxa = findTaxa(change);
    return (
      (asked === null || change.change === asked) &&
      (categories?.includes(taxa.category ?? '') ?? true) &&
      (zones?.includes(taxa.zone ?? '') ?? true)
    );
  };
}

function toResult(
  { since, after, kinds, lang }: ChangesQuery,
  passes: NonNullable<AskedTold['passes']>,
  limit: number,
  context: McpContext,
): ToolResult {
  const { snapshot, now_ms, site } = context;
  const asked: AskedTold = {
    ...{ since, limit, after: after.id === END_OF_MOMENT ? null : after },
    passes: (change) => kinds.includes(change.kind) && passes(change),
  };
  const { changes, total, next } = listTold(snapshot, asked, now_ms);
  const told = changes.map((change) => cutTexts(change, context));
  // The second before a day's midnight is meant as that day.
  const day = toLongDay(toCancunDay(Date.parse(since) + 1000), lang);
  const items = list(told.map((change) => toChangeItem(change, lang, site)));
  return toItemsResult(
    {
      opening: t(lang, 'changes.about', { changes: tCount(lang, 'changes.count', total), day }),
      beside: { total },
      data: told.map((change) => toLeanChange(change, lang, context)),
      items: told.length === 0 ? '' : toMarkdown([items]),
      hints: toCutHints(toAbsolute(site.url, PAGE_PATHS.changes[lang]), lang, context),
      next_cursor: next && formatChangesCursor(since, next),
      meta: { ...toMeta(snapshot.generated_at, lang, site), count: told.length, since },
    },
    lang,
    site,
  );
}

function response(args: Readonly<Record<string, unknown>>, context: McpContext): ToolResult {
  const issues: string[] = [];
  const params = readArguments(args, [...Object.keys(PROPERTIES), ...SHARED], issues);
  const passes = readPasses(params, context, issues);
  // Who goes on repeats the other arguments; the cursor knows since when.
  const { since = '', cursor, kind, lang } = params;
  const known = Object.entries({ since: cursor ? '' : since, cursor, kind, lang });
  const texts = Object.fromEntries(known.flatMap(([name, text]) => (text ? [[name, text]] : [])));
  const query = parseChangesQuery(texts, context.now_ms, issues);
  const make = (limit: number, allowed: McpContext): ToolResult =>
    toResult(query, passes, limit, allowed);
  return shorten(make, { most: MAX_CHANGES, least: LEAST }, context);
}

export const cambios: Tool = {
  name: 'cambios',
  annotations: READ_ONLY,
  toInputSchema: () => {
    const { properties, ...schema } = toNamedSchema(SHARED);
    return { ...schema, properties: { ...PROPERTIES, ...Object(properties) } };
  },
  toOutputSchema: () => toResultSchema(ToldResponse, { total: { type: 'integer' }, ...PAGING }),
  response,
};
