// detalle_evento: everything about one event, with its next dates or those of some days
// (contract 8.4, 13.10).
import type { EventDetail } from '../../domain/agenda.ts';
import { AppError } from '../../domain/app-error.ts';
import { floorToMinute } from '../../domain/cancun-time.ts';
import {
  EVENT_DATES_NAMES,
  type EventDatesQuery,
  parseEventDatesQuery,
  pickDates,
} from '../../domain/filters/event-dates-query.ts';
import { toAttribution, toMeta } from '../../serializers/wire/meta.ts';
import { toEventDetail } from '../../serializers/wire/event.ts';
import { EventResponse } from '../../serializers/wire/responses.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import { readArguments } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { readEventName } from '../event-name.ts';
import { toDetailedEvent } from '../lean/event.ts';
import { toDetailLinks, pickNextDates, toEventDocument } from '../text/event-document.ts';
import { fence } from '../text/fence.ts';
import { findBesideEvent, toNoticeFields, toNoticesSection } from '../text/notices.ts';
import { LANG_PROPERTY, READ_ONLY, type Tool, type ToolResult, toResultSchema } from './tool.ts';

const ID = {
  type: 'string',
  minLength: 1,
  maxLength: 500,
  description: "The event's id, its slug, or the address of its page.",
} as const;
/** What REST calls it. */
const OTHER_ID = { type: 'string', description: 'The same as id.' } as const;
const DAY = { type: 'string', format: 'date' } as const;
const FROM = { ...DAY, description: 'For its dates of certain days, else the next 12.' } as const;

/** The event a name stands for. Throws AppError not_found or gone, as REST does. */
function findEvent(name: string, { snapshot, now_ms, site }: McpContext): EventDetail {
  const id = readEventName(name, site);
  const detail = id === null ? null : getEvent(snapshot, id, floorToMinute(now_ms));
  if (detail === null)
    throw new AppError(
      'not_found',
      "id: no event has this id, slug or address. Take it from an event's id or url, or look for it with buscar_eventos",
    );
  if (detail === 'gone') throw new AppError('gone', 'id: this event has been withdrawn');
  return detail;
}

/** The name that was given, once; pushed where there is none, or two. */
function readName(params: Readonly<Record<string, string>>, issues: string[]): string {
  const { id, idOrSlug } = params;
  if (id === undefined && idOrSlug === undefined)
    issues.push("id: is missing. Give an event's id, its slug, or the address of its page");
  if (id !== undefined && idOrSlug !== undefined && id !== idOrSlug)
    issues.push("idOrSlug: names another event than 'id'. Give one of the two");
  return id ?? idOrSlug ?? '';
}

function toResult(detail: EventDetail, query: EventDatesQuery, context: McpContext): ToolResult {
  const { snapshot, site } = context;
  const { lang, range } = query;
  const shown =
    range === null
      ? pickNextDates(detail, floorToMinute(context.now_ms))
      : pickDates(detail.occurrences, range);
  const notices = findBesideEvent(detail, context);
  const document = [
    toEventDocument(detail, shown, lang, site),
    toNoticesSection(notices, lang, context),
  ].join('\n');
  const data = Object(toDetailedEvent(toEventDetail(detail, lang, site, shown)));
  return {
    structured: {
      ...toNoticeFields(notices, lang),
      data: { ...data, ...toDetailLinks(detail, shown, lang, site) },
      meta: toMeta(snapshot.generated_at, lang, site),
    },
    text: [fence(document, lang), toAttribution(lang, site)].join('\n\n'),
    lang,
    next_cursor: null,
  };
}

function response(args: Readonly<Record<string, unknown>>, context: McpContext): ToolResult {
  const issues: string[] = [];
  const params = readArguments(args, ['id', 'idOrSlug', ...EVENT_DATES_NAMES], issues);
  const name = readName(params, issues);
  const query = parseEventDatesQuery(params, context.now_ms, issues);
  return toResult(findEvent(name, context), query, context);
}

export const detalleEvento: Tool = {
  name: 'detalle_evento',
  annotations: READ_ONLY,
  toInputSchema: () => ({
    type: 'object',
    properties: { id: ID, idOrSlug: OTHER_ID, from: FROM, to: DAY, lang: LANG_PROPERTY },
    additionalProperties: false,
  }),
  toOutputSchema: () => toResultSchema(EventResponse),
  response,
};
