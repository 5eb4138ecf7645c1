// Tool arguments: describes REST parameters as JSON Schema, and normalizes arguments to REST
// values, so that both REST and MCP reject invalid ones with the same messages (contract 13.4,
// 13.12).
import { createReferenceData } from '../desk/reference-data.ts';
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
import { LANGS } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { SECTION_PATHS } from '../i18n/paths.ts';
import { formatTaxonValues } from '../serializers/openapi/build-document.ts';
import { cleanLineText } from '../serializers/sanitize-text.ts';
import { getVenue } from '../snapshot/get-record.ts';
import { truncateText } from './tool-answer.ts';
import { type ToolArguments, type McpContext, type JsonSchema, TEXT_SCHEMA } from './tool.ts';
import type { ParameterIssue } from '../domain/query/parameter-issue.ts';

/** Number of items of a list without a `limit`. */
export const DEFAULT_LIST_LIMIT = 10;

/**
 * Parameters that differ from REST: a smaller default limit, a point that may contain a space, and
 * days without a `format`, for which some hosts refuse the whole list of tools.
 */
const TOOL_SCHEMAS: Readonly<Record<string, ParameterSchema>> = {
  from: TEXT_SCHEMA,
  to: TEXT_SCHEMA,
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
 * Builds the JSON Schema of a REST parameter. A flag, which has four keywords in REST, becomes a
 * boolean. `anyOf` becomes a text with the rule in its description, because some clients do not
 * support it.
 */
export function argumentSchema(schema: ParameterSchema, description: string): JsonSchema {
  if (Array.isArray(schema.enum) && schema.enum.includes('true'))
    return { type: 'boolean', description };
  return 'anyOf' in schema ? { ...TEXT_SCHEMA, description } : { ...schema, description };
}

/** Schema keywords of a parameter that another tool describes in full. */
const BRIEF_KEYWORDS = ['type', 'enum', 'default', 'description'];

/**
 * Builds the argument schemas of list filters.
 * @param taxonomy If set, the descriptions have the keys of categories and zones.
 */
export function filterArgumentSchemas(
  names: readonly string[],
  taxonomy: Taxonomy | null = null,
): Record<string, JsonSchema> {
  const properties = LIST_PARAMETERS.flatMap(({ name, schema, tool }) => {
    if (tool === undefined || !names.includes(name)) return [];
    const taxon_filter = TAXON_FILTERS.find((filter) => filter.name === name);
    const choices =
      taxonomy && taxon_filter
        ? ` Keys (slugs): ${formatTaxonValues(taxonomy[taxon_filter.list])}.`
        : '';
    const property = Object.entries(argumentSchema(TOOL_SCHEMAS[name] ?? schema, tool + choices));
    const keywords = property.filter(
      ([keyword]) => taxonomy !== null || BRIEF_KEYWORDS.includes(keyword),
    );
    return [[name, Object.fromEntries(keywords)] as const];
  });
  return Object.fromEntries(properties);
}

/** Longer query values are rejected; a URL could not carry them either. */
const MAX_VALUE_LENGTH = 2000;
/** Longer unknown names are truncated in the message. */
const MAX_NAME_LENGTH = 40;

/**
 * Parses the known arguments to texts, because models also write `true` and `20`. Omits null and
 * empty values, as REST does. Pushes an issue for a list or object instead of a single value and,
 * unlike REST, for an unknown name, which a model can correct.
 * @param max_length Maximum characters of a value.
 */
export function parseArguments(
  args: ToolArguments,
  known: readonly string[],
  issues: ParameterIssue[],
  max_length: number = MAX_VALUE_LENGTH,
): Record<string, string> {
  const parsed: Record<string, string> = {};
  for (const [name, value] of Object.entries(args)) {
    if (!known.includes(name)) {
      const suggestion = name.length <= MAX_NAME_LENGTH ? suggestParameterName(name, known) : null;
      const expected_names = suggestion === null ? known.join(', ') : `'${suggestion}'`;
      const param = cleanLineText(name).slice(0, MAX_NAME_LENGTH);
      issues.push({ param, message: `unknown parameter. Use ${expected_names}` });
    } else if (typeof value === 'object' && value !== null)
      issues.push({
        param: name,
        message: `must be text, not a list or an object. Separate several values with commas`,
      });
    else {
      const text = String(value ?? '');
      if (text.length > max_length)
        issues.push({
          param: name,
          message: `has ${text.length} characters. The limit is ${max_length}`,
        });
      else if (text !== '') parsed[name] = text;
    }
  }
  return parsed;
}

/** Parses arguments and normalizes references to venues to REST values. */
export function normalizeArguments(
  args: ToolArguments,
  known: readonly string[],
  issues: ParameterIssue[],
  context: McpContext,
): ParameterValues {
  const params = parseArguments(args, known, issues);
  const { q, venue: venue_name } = params;
  const named = q === undefined ? null : findVenueByName(q, context);
  const venue = venue_name === undefined ? null : findVenueByName(venue_name, context);
  return {
    ...params,
    // The search index contains names, but not ids, slugs or URLs.
    ...(named !== null && { q: truncateText(named.name, { max_text_length: MAX_Q_LENGTH }) }),
    ...(venue !== null && { venue: venue.id }),
  };
}

/**
 * Parses the id or slug from a name, an occurrence id, or the URL of any form of a record (page,
 * `.md`, `.ics`, `.png`, its dates).
 * @returns null for the URL of another site or kind of page.
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
  const prefix = prefixes.find((prefix) => pathname?.startsWith(`${prefix}/`));
  if (origin !== new URL(site.url).origin || pathname === undefined || prefix === undefined)
    return null;
  const [slug = ''] = pathname.slice(prefix.length + 1).split('/');
  return slug.replace(/\.(?:md|ics|png)$/, '') || null;
}

/** Finds the venue with a name, id, slug or URL. @returns null if no venue matches, or several. */
export function findVenueByName(
  name: string,
  { snapshot, site }: Pick<McpContext, 'snapshot' | 'site'>,
): VenueRecord | null {
  const { findVenue, findVenueByName } = createReferenceData(snapshot);
  const reference = parseRecordReference('venue', name, site);
  const id = reference && (findVenue(reference) ?? findVenueByName(reference, null));
  return id ? getVenue(snapshot, id) : null;
}
