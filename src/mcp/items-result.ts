// The answer of a tool that tells a list of things: as many as fit, and how to get the others.
import type { Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { t } from '../i18n/translate.ts';
import { toAttribution } from '../serializers/wire/meta.ts';
import { fence } from './text/fence.ts';
import type { ToolResult } from './tools/tool.ts';

interface ToldItems {
  /** What it is a list of, how a word was read, the day. */
  readonly opening: string;
  /** What stands beside the list in the structured half. */
  readonly beside?: object;
  /** The things that are told, as REST has them. */
  readonly data: readonly unknown[];
  /** The same as Markdown; empty where there are none. */
  readonly items: string;
  /** Where the others are, and the rest of what is cut. */
  readonly hints: readonly string[];
  /** Null at the end; left out where the list has no pages. */
  readonly next_cursor?: string | null;
  readonly meta: object;
}

/** Both halves. */
export function toItemsResult(told: ToldItems, lang: Lang, site: Site): ToolResult {
  const { opening, beside, data, items, hints, next_cursor, meta } = told;
  const more = next_cursor ? [t(lang, 'mcp.list.more', { cursor: next_cursor })] : [];
  const parts = [opening, ...(items === '' ? [] : [fence(items, lang)]), ...hints, ...more];
  return {
    structured: {
      ...beside,
      data,
      ...(next_cursor !== undefined && { next_cursor }),
      ...(hints.length > 0 && { hints }),
      meta,
    },
    text: [...parts, toAttribution(lang, site)].join('\n\n'),
    lang,
    next_cursor: next_cursor ?? null,
  };
}
