// The answer of a tool that tells a list of things which has no pages: as many as fit, and where the
// others are.
import type { Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { toAttribution } from '../serializers/wire/meta.ts';
import { fence } from './text/fence.ts';
import type { ToolResult } from './tools/tool.ts';

interface ToldItems {
  /** A sentence that says what it is a list of. */
  readonly opening: string;
  /** The things that are told, as REST has them. */
  readonly data: readonly unknown[];
  /** The same as Markdown; empty where there are none. */
  readonly items: string;
  readonly total: number;
  /** Where the others are; null where all are told. */
  readonly more: string | null;
  readonly meta: object;
}

/** Both halves. */
export function toItemsResult(told: ToldItems, lang: Lang, site: Site): ToolResult {
  const { opening, data, items, total, more, meta } = told;
  const hints = more === null ? [] : [more];
  const parts = [opening, ...(items === '' ? [] : [fence(items, lang)]), ...hints];
  return {
    structured: { data, total, ...(hints.length > 0 && { hints }), meta },
    text: [...parts, toAttribution(lang, site)].join('\n\n'),
    lang,
    next_cursor: null,
  };
}
