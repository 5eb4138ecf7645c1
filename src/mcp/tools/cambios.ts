// cambios: what was added, changed, cancelled or withdrawn lately (contract 8.31).
import { toLocalDay } from '../../domain/local-time.ts';
import { type ChangeRecord, CHANGES, END_OF_MOMENT, HISTORY_KINDS } from '../../domain/history.ts';
import { formatChangesCursor, parseChangesQuery } from '../../domain/query/list-queries.ts';
import { choiceOf, type ParameterTexts, taxaOf } from '../../domain/query/values.ts';
import { toChangedDetail, toChangeWords } from '../../i18n/change-words.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { PAGE_PATHS, toAbsolute } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toChangeItem } from '../../serializers/markdown/entries.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { list } from '../../serializers/markdown/nodes.ts';
import { PublicChangeSchema, toPublicChange } from '../../serializers/wire/change.ts';
import { listTold } from '../../snapshot/changes.ts';
import { cut, defineReading } from '../answer.ts';
import { readArguments, toFilterProperties } from '../arguments.ts';
import { ANY_TEXT, COUNT, tell, TEXT_OR_NULL, toList } from '../output.ts';
import { type McpContext, TEXT, toInput } from '../tool.ts';

/** People are not told what was only refreshed. */
const CHOICES = CHANGES.filter((change) => change !== 'refreshed');
const PROPERTIES = {
  since: { ...TEXT, description: 'YYYY-MM-DD or an instant with its offset; else 7 days ago.' },
  change: { ...TEXT, enum: CHOICES },
  kind: { ...TEXT, enum: HISTORY_KINDS },
  ...toFilterProperties(['category', 'zone', 'lang', 'cursor']),
};

/** Most changes of one answer, the last first. */
const MAX_CHANGES = 25;

export const cambios = defineReading({
  name: 'cambios',
  input: () => toInput(PROPERTIES),
  output: {
    total: COUNT,
    data: toList(
      // `detail`: when an event takes place, as the text says it.
      tell(PublicChangeSchema, 'kind id change changed_at title url', { detail: ANY_TEXT }),
    ),
    next_cursor: TEXT_OR_NULL,
  },
  required: ['total', 'data', 'next_cursor'],
  least: 5,
  ask: (args, context) => {
    const { snapshot, now_ms, site } = context;
    const issues: string[] = [];
    const params = readArguments(args, Object.keys(PROPERTIES), issues);
    const isAsked = readAsked(params, context, issues);
    const change = CHOICES.find((one) => one === params.change);
    // Who goes on repeats the other arguments; the cursor knows since when.
    const { since: _in_the_cursor, ...others } = params;
    const texts = params.cursor === undefined ? params : others;
    const { since, after, kinds, lang } = parseChangesQuery(texts, now_ms, issues);
    const asked = {
      since,
      after: after.id === END_OF_MOMENT ? null : after,
      passes: (change: ChangeRecord) => kinds.includes(change.kind) && isAsked(change),
    };
    // The second before a day's midnight is meant as that day.
    const day = toLongDay(toLocalDay(Date.parse(since) + 1000), lang);
    return {
      lang,
      most: MAX_CHANGES,
      tell: (limit, allowed) => {
        const { changes, total, next } = listTold(snapshot, { ...asked, limit }, now_ms);
        const told = changes.map((change) => cut(change, allowed));
        const count = tCount(lang, 'changes.count', total);
        const kind = change ? `${t(lang, `changes.word.${change}`)}: ` : '';
        return {
          opening: [kind + t(lang, 'changes.about', { changes: count, day })],
          items: toMarkdown([
            list(told.map((change) => toChangeItem(toChangeWords(change, lang), site))),
          ]),
          whole_url: toAbsolute(site.url, PAGE_PATHS.changes[lang]),
          next_cursor: next && formatChangesCursor(since, next),
          fields: {
            total,
            data: told.map((change) => ({
              ...toPublicChange(change, lang, site),
              detail: toChangedDetail(change, lang),
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
  texts: ParameterTexts,
  { snapshot: town }: McpContext,
  issues: string[],
): (change: ChangeRecord) => boolean {
  const reading = { texts, issues, town };
  const asked = choiceOf(CHOICES).read(reading, 'change');
  const categories = taxaOf('categories').read(reading, 'category');
  const zones = taxaOf('zones').read(reading, 'zone');
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
function findTaxa({ thing }: ChangeRecord) {
  if (thing?.kind === 'event')
    return { category: thing.card.event.category, zone: thing.card.event.zone };
  const placed = thing?.kind === 'venue' || thing?.kind === 'notice' ? thing.record.zone : null;
  return { category: null, zone: placed };
}
