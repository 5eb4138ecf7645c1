// detalle_evento: everything about one event, with its next dates or those of some days
// (contract 8.4, 13.10).
import * as v from 'valibot';
import type { EventDetail } from '../../domain/agenda.ts';
import { AppError } from '../../domain/app-error.ts';
import { floorToMinute } from '../../domain/cancun-time.ts';
import type { OccurrenceRecord } from '../../domain/event/event.ts';
import {
  EVENT_DATES_NAMES,
  parseEventDatesQuery,
  pickDates,
} from '../../domain/query/list-queries.ts';
import type { Lang } from '../../domain/lang.ts';
import { toEventDirectionsUrl } from '../../i18n/links.ts';
import { toAbsolute, toMarkdownPath, toThingPath } from '../../i18n/paths.ts';
import { toAttribution, toMeta } from '../../serializers/wire/meta.ts';
import { EventDetailSchema, toEventDetail } from '../../serializers/wire/event.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import { readArguments } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { cutCard, cutTexts, toCutHints } from '../cut.ts';
import { findNamedPlace, readThingName } from '../thing-name.ts';
import { toDetailedEvent } from '../lean/event.ts';
import { shorten } from '../shorten.ts';
import {
  MAX_DATES,
  pickNextDates,
  toDetailLinks,
  toEventDocument,
} from '../text/event-document.ts';
import { fence } from '../text/fence.ts';
import { findBesideEvent, toNoticeFields, toNoticesSection } from '../text/notices.ts';
import { LANG_PROPERTY, READ_ONLY, type Tool, type ToolResult, toResultSchema } from './tool.ts';

const ID = {
  type: 'string',
  description: "The event's id, its slug, or the address of its page.",
} as const;
/** What REST calls it. */
const OTHER_ID = { type: 'string', description: 'The same as id.' } as const;
const DAY = { type: 'string', format: 'date' } as const;
const FROM = { ...DAY, description: 'For dates of certain days, else the next 12.' } as const;

/** An event as buscar_eventos says it, and what only a detail has. */
const DetailResponse = v.strictObject({
  data: v.looseObject({
    id: v.string(),
    occurrences: EventDetailSchema.entries.occurrences,
    is_past: v.boolean(),
  }),
});

/** The event a name stands for. Throws AppError not_found or gone, as REST does. */
function findEvent(name: string, context: McpContext): EventDetail {
  const { snapshot, now_ms, site } = context;
  const id = readThingName('event', name, site);
  const detail = id === null ? null : getEvent(snapshot, id, floorToMinute(now_ms));
  const place = detail === null ? findNamedPlace(name, context) : null;
  if (place !== null)
    throw new AppError(
      'not_found',
      `id: is a place (${place.name}), no event. Ask lugares for it, or buscar_eventos for its events, with q`,
    );
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

/** The event with some of its dates, in both halves. */
function toResult(
  whole: EventDetail,
  dates: readonly OccurrenceRecord[],
  lang: Lang,
  context: McpContext,
): ToolResult {
  const { snapshot, site } = context;
  const detail = cutCard(whole, context);
  const shown = cutTexts(dates, context);
  const notices = findBesideEvent(detail, context);
  const document = [
    toEventDocument(detail, shown, lang, site),
    toNoticesSection(notices, lang, context),
  ].join('\n');
  const way = detail.venue === null ? toEventDirectionsUrl(detail, lang) : null;
  const page = toMarkdownPath(toThingPath('event', whole.event.slug, lang));
  const hints = toCutHints(toAbsolute(site.url, page), lang, context);
  const data = Object(toDetailedEvent(toEventDetail(detail, lang, site, shown)));
  return {
    structured: {
      ...toNoticeFields(notices, lang),
      data: {
        ...data,
        ...toDetailLinks(detail, shown, lang, site),
        ...(way !== null && { directions_url: way }),
      },
      ...(hints.length > 0 && { hints }),
      meta: toMeta(snapshot.generated_at, lang, site),
    },
    text: [fence(document, lang), ...hints, toAttribution(lang, site)].join('\n\n'),
    lang,
    next_cursor: null,
  };
}

function response(args: Readonly<Record<string, unknown>>, context: McpContext): ToolResult {
  const issues: string[] = [];
  const params = readArguments(args, ['id', 'idOrSlug', ...EVENT_DATES_NAMES], issues);
  const name = readName(params, issues);
  const query = parseEventDatesQuery(params, context.now_ms, issues);
  const detail = findEvent(name, context);
  const dates =
    query.range === null
      ? pickNextDates(detail, floorToMinute(context.now_ms))
      : pickDates(detail.occurrences, query.range);
  const make = (most: number, allowed: McpContext): ToolResult =>
    toResult(detail, dates.slice(0, most), query.lang, allowed);
  return shorten(make, { most: dates.length, least: MAX_DATES }, context);
}

export const detalleEvento: Tool = {
  name: 'detalle_evento',
  annotations: READ_ONLY,
  toInputSchema: () => ({
    type: 'object',
    properties: { id: ID, idOrSlug: OTHER_ID, from: FROM, to: DAY, lang: LANG_PROPERTY },
    additionalProperties: false,
  }),
  toOutputSchema: () => toResultSchema(DetailResponse),
  response,
};
