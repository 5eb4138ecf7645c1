// A tool's arguments: how those of REST are described to a model, and how what it writes is read as REST's
// texts, so that both refuse with the same sentences (contract 13.4, 13.12).
import { Temporal } from 'temporal-polyfill';
import { createReferenceData } from '../desk/reference-data.ts';
import { toLocalDay } from '../domain/local-time.ts';
import { DATE_KEYWORDS } from '../domain/query/date-range.ts';
import { TAXON_FILTERS } from '../domain/query/event-query.ts';
import {
  suggestParameterName,
  RESULT_LIMITS,
  LIST_PARAMETERS,
} from '../domain/query/parameters.ts';
import {
  MAX_Q_LENGTH,
  type ParameterSchema,
  type ParameterValues,
  RADIUS_LIMITS_KM,
} from '../domain/query/parameter-parsers.ts';
import { foldText } from '../domain/text-folding.ts';
import { LANGS } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { SECTION_PATHS } from '../i18n/paths.ts';
import { t, localeOf } from '../i18n/translate.ts';
import { formatTaxonValues } from '../serializers/openapi/build-document.ts';
import { cleanLineText } from '../serializers/sanitize-text.ts';
import { getVenue } from '../snapshot/get-record.ts';
import { truncateText } from './tool-answer.ts';
import { type ToolArguments, type McpContext, type JsonSchema, TEXT_SCHEMA } from './tool.ts';

/** How many things a list has where nobody says how many. */
export const DEFAULT_LIST_LIMIT = 10;

/** What a tool takes otherwise than REST: fewer things at first, a point with a space in it. */
const OWN_SCHEMAS: Readonly<Record<string, ParameterSchema>> = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: RESULT_LIMITS.list.max,
    default: DEFAULT_LIST_LIMIT,
  },
  near: TEXT_SCHEMA,
  radius_km: { type: 'number', maximum: RADIUS_LIMITS_KM.max, default: RADIUS_LIMITS_KM.fallback },
};

/**
 * A parameter of REST as a property: its four words for a flag are a boolean in JSON, and a choice of
 * forms is one text with its rule in the description, for not every client reads `anyOf`.
 */
export function argumentSchema(schema: ParameterSchema, description: string): JsonSchema {
  const about = description === '' ? {} : { description };
  if (Array.isArray(schema.enum) && schema.enum.includes('true'))
    return { type: 'boolean', ...about };
  return 'anyOf' in schema ? { ...TEXT_SCHEMA, ...about } : { ...schema, ...about };
}

const NAMED = ['type', 'enum', 'default'];

/** What a tool takes of the filters of a list of events: by name and type, or each explained. */
export function filterArgumentSchemas(
  names: readonly string[],
  explained: Taxonomy | null = null,
): Record<string, JsonSchema> {
  const properties = LIST_PARAMETERS.flatMap(({ name, schema, tool }) => {
    if (tool === undefined || !names.includes(name)) return [];
    const taxa = TAXON_FILTERS.find((filter) => filter.name === name);
    const choices =
      explained && taxa ? ` Keys (slugs): ${formatTaxonValues(explained[taxa.list])}.` : '';
    const property = Object.entries(argumentSchema(OWN_SCHEMAS[name] ?? schema, tool + choices));
    const told = property.filter(([keyword]) => explained !== null || NAMED.includes(keyword));
    return [[name, Object.fromEntries(told)] as const];
  });
  return Object.fromEntries(properties);
}

/** Longer texts are no argument of a query; a URL could not carry them either. */
const MAX_LENGTH = 2000;
const MAX_NAME_LENGTH = 40;

/**
 * The known arguments as texts, for models write `true` and `20`; null and empty ones are left out, as
 * REST does. Pushed as `name: sentence`: an unknown name (for unlike a calendar client a model can mend
 * it), a list or object where one value is meant.
 */
export function parseArguments(
  args: ToolArguments,
  known: readonly string[],
  issues: string[],
  max_length: number = MAX_LENGTH,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(args)) {
    if (!known.includes(name)) {
      const meant = name.length <= MAX_NAME_LENGTH ? suggestParameterName(name, known) : null;
      const names = meant === null ? known.join(', ') : `'${meant}'`;
      issues.push(
        `${cleanLineText(name).slice(0, MAX_NAME_LENGTH)}: is not a parameter. Use ${names}`,
      );
    } else if (typeof value === 'object' && value !== null)
      issues.push(
        `${name}: is a list or an object. Give one text; where several are accepted, part them with commas`,
      );
    else {
      const text = String(value ?? '');
      if (text.length > max_length)
        issues.push(`${name}: has ${text.length} characters. At most ${max_length} are accepted`);
      else if (text !== '') found[name] = text;
    }
  }
  return found;
}

/** A Monday: the week from it on has every weekday. */
const MONDAY = Temporal.PlainDate.from('2026-11-23');
/** `sabado` and `saturday` are 6. */
const WEEKDAYS = new Map(
  LANGS.flatMap((lang) =>
    [0, 1, 2, 3, 4, 5, 6].map((days): [string, number] => [
      foldText(MONDAY.add({ days }).toLocaleString(localeOf(lang), { weekday: 'long' })),
      days + 1,
    ]),
  ),
);

/** `hoy` is `today`, `este fin` is `weekend`: as people type them into a search. */
const DAY_WORDS = new Map(
  LANGS.flatMap((lang) =>
    DATE_KEYWORDS.flatMap((word) =>
      t(lang, `search.reads.${word}`)
        .split(', ')
        .map((phrase): [string, string] => [foldText(phrase), word]),
    ),
  ),
);

/** The next day of that name, today included; a word for days in REST's spelling; any other as it is. */
function spellDay(word: string, now_ms: number): string {
  const folded = foldText(word.trim());
  const weekday = WEEKDAYS.get(folded);
  const today = toLocalDay(now_ms);
  return weekday === undefined
    ? (DAY_WORDS.get(folded) ?? word)
    : today.add({ days: (weekday - today.dayOfWeek + 7) % 7 }).toString();
}

/** The known arguments in REST's spelling: weekdays and points as people write them, a place by any of its names. */
export function normalizeArguments(
  args: ToolArguments,
  known: readonly string[],
  issues: string[],
  context: McpContext,
): ParameterValues {
  const params = parseArguments(args, known, issues);
  const { q, date, open_on, near } = params;
  const place = q === undefined ? null : findVenueByName(q, context);
  return {
    ...params,
    // An id, a slug or an address is in no text that is searched.
    ...(place !== null && { q: truncateText(place.name, { characters: MAX_Q_LENGTH }) }),
    ...(date !== undefined && { date: spellDay(date, context.now_ms) }),
    ...(open_on !== undefined && { open_on: spellDay(open_on, context.now_ms) }),
    ...(near !== undefined && { near: near.replace(/\s+/g, '') }),
  };
}

/**
 * The id or slug in a name; null where it is an address, and none of such a thing here. An address may
 * be that of any of its forms (page, `.md`, `.ics`, `.png`, its dates), an id that of one of its dates.
 */
export function parseRecordReference(
  kind: 'event' | 'venue',
  name: string,
  site: Site,
): string | null {
  const text = name.trim();
  const [event_id] = /^ev_[^-]+(?=-)/.exec(text) ?? [];
  if (event_id !== undefined) return event_id;
  if (!text.includes('/')) return text;
  const { origin, pathname } = URL.parse(text, site.url) ?? {};
  const prefixes = [
    ...LANGS.map((lang) => SECTION_PATHS[kind][lang]),
    ...[`/${kind}s`, `/api/v1/${kind}s`],
  ];
  const prefix = prefixes.find((each) => pathname?.startsWith(`${each}/`));
  if (origin !== new URL(site.url).origin || pathname === undefined || prefix === undefined)
    return null;
  const [slug = ''] = pathname.slice(prefix.length + 1).split('/');
  return slug.replace(/\.(?:md|ics|png)$/, '') || null;
}

/** The place that a name stands for, in Spanish or English; null where none is meant, or several. */
export function findVenueByName(
  name: string,
  { snapshot, site }: Pick<McpContext, 'snapshot' | 'site'>,
): VenueRecord | null {
  const { findVenue, findVenueByName } = createReferenceData(snapshot);
  const read = parseRecordReference('venue', name, site);
  const id = read && (findVenue(read) ?? findVenueByName(read, null));
  return id ? getVenue(snapshot, id) : null;
}
