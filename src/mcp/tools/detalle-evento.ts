// detalle_evento: everything about one event, every date of it (contract 8.4).
import type { EventDetail } from '../../domain/agenda.ts';
import { AppError } from '../../domain/app-error.ts';
import { floorToMinute, fromDayNumber } from '../../domain/cancun-time.ts';
import type { Lang } from '../../domain/lang.ts';
import { readLang } from '../../domain/filters/lang.ts';
import { toEventMarkdown } from '../../serializers/markdown/event.ts';
import { toMeta } from '../../serializers/wire/meta.ts';
import { toEventDetail } from '../../serializers/wire/event.ts';
import { EventResponse } from '../../serializers/wire/responses.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import { readArguments } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { fence } from '../text/fence.ts';
import { cacheDocument } from '../text/cache.ts';
import { toRangeNotices } from '../text/notices.ts';
import { LANG_PROPERTY, READ_ONLY, type Tool, type ToolResult, toResultSchema } from './tool.ts';

const ID = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  examples: ['carnaval-de-cancun'],
  description: "The event's id, or its slug in Spanish or English (the last part of its url).",
} as const;

/** The event an id or slug names. Throws AppError not_found or gone, as REST does. */
function findEvent(id: string, { snapshot, now_ms }: McpContext): EventDetail {
  const detail = getEvent(snapshot, id, floorToMinute(now_ms));
  if (detail === null)
    throw new AppError(
      'not_found',
      "id: no event has this id or slug. Take it from an event's id or url, or look for it with buscar_eventos",
    );
  if (detail === 'gone') throw new AppError('gone', 'id: this event has been withdrawn');
  return detail;
}

/** The event's document, with the notices of the day it is next on. */
function toText(detail: EventDetail, lang: Lang, context: McpContext): string {
  const { snapshot, site } = context;
  const now_ms = floorToMinute(context.now_ms);
  const document = cacheDocument(
    snapshot,
    `detail ${lang} ${site.url} ${detail.event.id} ${now_ms}`,
    () => toEventMarkdown(detail, lang, site, now_ms),
  );
  const { next, zone } = detail;
  if (next === null) return fence(document, lang);
  const day = fromDayNumber(next.first_day);
  const zones = zone && [zone.key];
  return fence(
    `${document}\n${toRangeNotices({ from: day, to: day }, zones, lang, context)}`,
    lang,
  );
}

function response(args: Readonly<Record<string, unknown>>, context: McpContext): ToolResult {
  const { snapshot, site } = context;
  const issues: string[] = [];
  const params = readArguments(args, ['id', 'lang'], issues);
  const lang = readLang(params, issues);
  if (params.id === undefined) issues.push("id: is missing. Give an event's id or slug");
  if (params.id === undefined || issues.length > 0)
    throw new AppError('invalid_parameter', issues.join('; '));
  const detail = findEvent(params.id, context);
  const structured = {
    data: toEventDetail(detail, lang, site),
    meta: toMeta(snapshot.generated_at, lang, site),
  };
  return { structured, text: toText(detail, lang, context), lang, next_cursor: null };
}

export const detalleEvento: Tool = {
  name: 'detalle_evento',
  annotations: READ_ONLY,
  toInputSchema: () => ({
    type: 'object',
    properties: { id: ID, lang: LANG_PROPERTY },
    required: ['id'],
    additionalProperties: false,
  }),
  toOutputSchema: () => toResultSchema(EventResponse),
  response,
};
