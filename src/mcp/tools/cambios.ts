// cambios: what was added, changed, cancelled or withdrawn lately (contract 8.32).
import * as v from 'valibot';
import { toCancunDay } from '../../domain/cancun-time.ts';
import type { ChangeRecord } from '../../domain/changed-thing.ts';
import { parseChangesQuery } from '../../domain/filters/changes-query.ts';
import type { Lang } from '../../domain/lang.ts';
import { toChangedDetail } from '../../i18n/change-words.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { PAGE_PATHS, toAbsolute } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toChangeItem } from '../../serializers/markdown/changes.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { list } from '../../serializers/markdown/nodes.ts';
import { PublicChangeSchema, toPublicChange } from '../../serializers/wire/change.ts';
import { MetaSchema, toMeta } from '../../serializers/wire/meta.ts';
import { listTold } from '../../snapshot/changes.ts';
import { readArguments } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { withoutEmpty } from '../lean/without-empty.ts';
import { toItemsResult } from '../items-result.ts';
import { shorten } from '../shorten.ts';
import { LANG_PROPERTY, READ_ONLY, type Tool, type ToolResult, toResultSchema } from './tool.ts';

const SINCE = {
  type: 'string',
  description: 'YYYY-MM-DD or an instant with its offset; 7 days ago where left out.',
} as const;

const ToldResponse = v.strictObject({
  data: v.array(PublicChangeSchema),
  meta: v.strictObject({ ...MetaSchema.entries, count: v.number(), since: v.string() }),
});

/** Most changes of one answer, the last first. */
const MAX_CHANGES = 25;

/** REST's fields, and when an event takes place, as the text says it. */
const toLeanChange = (change: ChangeRecord, lang: Lang, { site }: McpContext): unknown => {
  const { api_url: _, ...told } = toPublicChange(change, lang, site);
  return withoutEmpty({ ...told, detail: toChangedDetail(change, lang) });
};

function response(args: Readonly<Record<string, unknown>>, context: McpContext): ToolResult {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = readArguments(args, ['since', 'lang'], issues);
  const { since, lang } = parseChangesQuery(params, now_ms, issues);
  const { changes, total } = listTold(snapshot, since, MAX_CHANGES, now_ms);
  // The second before a day's midnight is meant as that day.
  const day = toLongDay(toCancunDay(Date.parse(since) + 1000), lang);
  const opening = t(lang, 'changes.about', { changes: tCount(lang, 'changes.count', total), day });
  const page = toAbsolute(site.url, PAGE_PATHS.changes[lang]);
  return shorten((most) => {
    const told = changes.slice(0, most);
    const left_out = total - told.length;
    const items = list(told.map((change) => toChangeItem(change, lang, site)));
    const meta = toMeta(snapshot.generated_at, lang, site);
    return toItemsResult(
      {
        opening,
        data: told.map((change) => toLeanChange(change, lang, context)),
        items: told.length === 0 ? '' : toMarkdown([items]),
        total,
        more: left_out > 0 ? `${tCount(lang, 'changes.more', left_out)} ${page}` : null,
        meta: { ...meta, count: told.length, since },
      },
      lang,
      site,
    );
  }, MAX_CHANGES);
}

export const cambios: Tool = {
  name: 'cambios',
  annotations: READ_ONLY,
  toInputSchema: () => ({
    type: 'object',
    properties: { since: SINCE, lang: LANG_PROPERTY },
    additionalProperties: false,
  }),
  toOutputSchema: () => toResultSchema(ToldResponse, { total: { type: 'integer' } }),
  response,
};
