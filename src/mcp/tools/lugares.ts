// lugares: places by name, words, zone, distance and day, each with its hours, what entering costs and
// how to get there (contract 13.19).
import * as v from 'valibot';
import type { Temporal } from 'temporal-polyfill';
import { toCancunDay } from '../../domain/cancun-time.ts';
import { AddressSchema } from '../../domain/fields.ts';
import {
  formatPlaceCursor,
  parsePlaceQuery,
  VENUE_LIST_PARAMETERS,
} from '../../domain/query/list-queries.ts';
import type { Lang } from '../../domain/lang.ts';
import type { VenueRecord } from '../../domain/venue.ts';
import { toBriefDay } from '../../i18n/brief-dates.ts';
import { toAbsolute, toDirectoryPath } from '../../i18n/paths.ts';
import { toSpellingSentences, toUnplacedSentences } from '../../i18n/query-words.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { list } from '../../serializers/markdown/nodes.ts';
import { PlacesMetaSchema, toMeta, toPlacesMeta } from '../../serializers/wire/meta.ts';
import { findVenues, type FoundPlaces } from '../../snapshot/places.ts';
import { readArguments } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { toCutHints } from '../cut.ts';
import { toItemsResult } from '../items-result.ts';
import { tellPlace, toLeanPlace, toPlaceItem } from '../lean/listed-place.ts';
import { shorten } from '../shorten.ts';
import { spellArguments } from '../spelled-arguments.ts';
import { findNamedPlace } from '../thing-name.ts';
import { DEFAULT_LIMIT, toNamedSchema } from './filter-properties.ts';
import { PAGING, READ_ONLY, type Tool, type ToolResult, toResultSchema } from './tool.ts';

/** As many are told rather than fewer at length. */
const LEAST = 3;

function toResult(
  found: FoundPlaces<VenueRecord>,
  day: Temporal.PlainDate | null,
  lang: Lang,
  context: McpContext,
): ToolResult {
  const { snapshot, now_ms, site } = context;
  const { items, total, next, spellings, near } = found;
  const told = items.map((item) => tellPlace(item, day, lang, context));
  const places = tCount(lang, 'mcp.places.count', total);
  const on = day && { day: toBriefDay(day, toCancunDay(now_ms).year, lang) };
  const opening = t(lang, 'mcp.list.opening', {
    asked: on === null ? t(lang, 'mcp.places.asked') : t(lang, 'mcp.places.asked_on', on),
    count:
      items.length === total
        ? places
        : t(lang, 'mcp.list.some', { count: items.length, total: places }),
  });
  const remarks = [...toSpellingSentences(spellings, lang), ...toUnplacedSentences(near, lang)];
  const directory = toAbsolute(site.url, toDirectoryPath('venue', lang));
  return toItemsResult(
    {
      opening: [opening, ...remarks].join('\n\n'),
      data: told.map(toLeanPlace),
      items: told.length === 0 ? '' : toMarkdown([list(told.map((one) => toPlaceItem(one, lang)))]),
      hints: [
        ...(total === 0 ? [t(lang, 'mcp.places.none', { url: directory })] : []),
        ...toCutHints(directory, lang, context),
      ],
      next_cursor: next && formatPlaceCursor(next),
      meta: toPlacesMeta(toMeta(snapshot.generated_at, lang, site), {
        ...{ count: items.length, total, spellings, near },
      }),
    },
    lang,
    site,
  );
}

function response(args: Readonly<Record<string, unknown>>, context: McpContext): ToolResult {
  const { snapshot, now_ms } = context;
  const issues: string[] = [];
  const written = readArguments(args, VENUE_LIST_PARAMETERS, issues);
  const params = spellArguments(written, context);
  const { filter, lang } = parsePlaceQuery(params, snapshot, now_ms, issues);
  const named = written.q === undefined ? null : findNamedPlace(written.q, context);
  const asked = named === null ? filter : { ...filter, words: null };
  const isMeant = ({ id }: VenueRecord): boolean => named === null || id === named.id;
  const make = (limit: number, allowed: McpContext): ToolResult =>
    toResult(findVenues(snapshot, { ...asked, limit }, isMeant), filter.open_on, lang, allowed);
  const most = params.limit === undefined ? DEFAULT_LIMIT : filter.limit;
  return shorten(make, { most, least: LEAST }, context);
}

const OPEN_ON = {
  type: 'string',
  description: 'Only what opens that day: today, tomorrow, a weekday or YYYY-MM-DD.',
} as const;
const Q = {
  type: 'string',
  description: 'Its name, id, slug or address; or words about it.',
} as const;

export const lugares: Tool = {
  name: 'lugares',
  annotations: READ_ONLY,
  toInputSchema: () => {
    const { properties, ...schema } = toNamedSchema(VENUE_LIST_PARAMETERS);
    return { ...schema, properties: { ...Object(properties), q: Q, open_on: OPEN_ON } };
  },
  toOutputSchema: () =>
    toResultSchema(
      v.strictObject({
        data: v.array(v.looseObject({ id: v.string(), name: v.string(), url: AddressSchema })),
        meta: PlacesMetaSchema,
      }),
      PAGING,
    ),
  response,
};
