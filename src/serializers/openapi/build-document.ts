// OpenAPI document: builds the OpenAPI 3.1 description from the public JSON schemas and the shared
// filters (contract 15.2).
import { TOWN } from '../../town.ts';
import type { ApiExamples } from '../../domain/docs-pages.ts';
import {
  type ErrorCode,
  HTTP_STATUS_BY_CODE,
  INVALID_KEY_MESSAGE,
} from '../../domain/app-error.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { Taxonomy, TaxonRecord } from '../../domain/taxon.ts';
import { API_BASE, API_PATHS, absoluteUrl, markdownPath, pagePath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { serializeEvent } from '../wire/event.ts';
import { serializeListMeta, serializeMeta } from '../wire/meta.ts';
import { listErrors, OPERATIONS, type OperationDefinition } from './operations.ts';
import { buildParameterComponents, type ParameterComponent } from './parameters.ts';
import { type Json, schemaRef, buildSchemas } from './schemas.ts';

/** Groups of operations, in the order of the document. */
const TAGS = ['events', 'calendars', 'places', 'notices', 'days', 'changes'] as const;

/**
 * Builds the document in one language; /api/openapi.json is the English one. At most 15,000 tokens
 * (contract 15.2): the docs pages explain the rules.
 */
export function buildOpenApi(
  taxonomy: Taxonomy,
  site: Site,
  examples: ApiExamples,
  lang: Lang,
): Json {
  const docs = absoluteUrl(site.url, pagePath('docs', lang));
  return {
    openapi: '3.1.0',
    info: {
      title: `${site.name} API`,
      version: '1.0.0',
      description: formatDescription(taxonomy, site, lang),
      termsOfService: docs,
      contact: {
        name: site.name,
        url: docs,
        ...(site.contact_email === null ? {} : { email: site.contact_email }),
      },
      license: { name: t(lang, 'openapi.license'), url: docs },
    },
    servers: [{ url: site.url }],
    security: [{}, { apiKey: [] }],
    tags: TAGS.map((tag) => ({
      name: t(lang, `openapi.tag.${tag}`),
      description: t(lang, `openapi.tag.${tag}.about`),
    })),
    paths: Object.fromEntries(
      OPERATIONS.map((operation) => [
        API_PATHS[operation.id],
        { get: buildOperation(operation, lang) },
      ]),
    ),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: t(lang, 'openapi.key'),
        },
      },
      parameters: omitObviousExamples(buildParameterComponents(examples, lang)),
      headers: Object.fromEntries(
        RESPONSE_HEADERS.map(([name, text_key, schema]) => [
          name,
          { description: t(lang, `openapi.header.${text_key}`), schema },
        ]),
      ),
      responses: buildSharedResponses(lang),
      schemas: buildSchemas(),
    },
  };
}

/**
 * Removes the examples of parameters that have every value in their schema; the guide still shows
 * them.
 */
const omitObviousExamples = (parameters: Readonly<Record<string, ParameterComponent>>): Json =>
  Object.fromEntries(
    Object.entries(parameters).map(([key, { example, ...parameter }]) => {
      const is_obvious = example === undefined || Array.isArray(parameter.schema.enum);
      return [key, is_obvious ? parameter : { ...parameter, example }];
    }),
  );

/**
 * Describes the service, with links to its rules and the values of the category and zone filters.
 */
function formatDescription({ categories, zones }: Taxonomy, site: Site, lang: Lang): string {
  const url = absoluteUrl(site.url, markdownPath(pagePath('docs', lang)));
  return [
    `${t(lang, 'openapi.about')} ${t(lang, 'openapi.rules', { url })}`,
    `${t(lang, 'openapi.categories')} ${formatTaxonValues(categories)}.`,
    `${t(lang, 'openapi.zones')} ${formatTaxonValues(zones)}.`,
  ].join('\n\n');
}

/**
 * Formats the accepted values of a filter in one line, each key with its slugs: `live-music
 * (musica-en-vivo)`.
 */
export const formatTaxonValues = (taxa: readonly TaxonRecord[]): string =>
  taxa
    .map(({ key, slug }) => {
      const slugs = [...new Set(LANGS.map((lang) => slug[lang]))].filter((name) => name !== key);
      return slugs.length === 0 ? key : `${key} (${slugs.join(', ')})`;
    })
    .join('; ');

/**
 * Formats the accepted values of a filter as a list: `- **Live music:** `live-music`,
 * `musica-en-vivo``.
 */
export const formatTaxonList = (taxa: readonly TaxonRecord[], lang: Lang): string =>
  taxa
    .map(({ key, slug, name }) => {
      const accepted_values = new Set([key, ...LANGS.map((slug_lang) => slug[slug_lang])]);
      return `- **${name[lang]}:** ${[...accepted_values].map((value) => `\`${value}\``).join(', ')}`;
    })
    .join('\n');

/** Builds an example response with one upcoming event. @returns null if there are none. */
export const buildListExample = (
  { card, total, generated_at }: ApiExamples,
  site: Site,
  lang: Lang,
): Json | null =>
  card && {
    data: [serializeEvent(card, lang, site)],
    meta: {
      ...serializeMeta({ generated_at }, lang, site),
      ...serializeListMeta({ count: 1, total, range: null }),
    },
  };

/** Builds an operation object (OpenAPI 3.1, 4.8.10). */
function buildOperation(operation: OperationDefinition, lang: Lang): Json {
  const { id, tag, parameters } = operation;
  return {
    operationId: id,
    tags: [t(lang, `openapi.tag.${tag}`)],
    summary: t(lang, `openapi.${id}.summary`),
    description: t(lang, `openapi.${id}.description`),
    parameters: parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    // Paths outside API_BASE have no rate limit and ignore keys.
    ...(API_PATHS[id].startsWith(API_BASE) ? {} : { security: [{}] }),
    responses: {
      200: buildSuccessResponse(operation, lang),
      ...Object.fromEntries(
        listErrors(operation).map((code) => [HTTP_STATUS_BY_CODE[code], responseRef(code)]),
      ),
      default: responseRef('other'),
    },
  };
}

const responseRef = (name: string): Json => ({ $ref: `#/components/responses/${name}` });

/**
 * Builds the 200 response; calendars share one. Lists with a cursor have a Link header to the next
 * page.
 */
function buildSuccessResponse({ id, parameters, answer }: OperationDefinition, lang: Lang): Json {
  if (answer === null) return responseRef('calendar');
  const { data, is_list, meta } = answer;
  const schema = {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: is_list ? { type: 'array', items: schemaRef(data) } : schemaRef(data),
      meta: schemaRef(meta),
    },
  };
  return {
    description: t(lang, `openapi.${id}.ok`),
    ...(parameters.includes('cursor') && { headers: headerRefs(['Link']) }),
    content: { 'application/json': { schema } },
  };
}

/** Example message of each error code; all error messages are in English. */
export const ERROR_EXAMPLES = {
  invalid_parameter: `date: '2026-02-30' is invalid. Use today, tomorrow, weekend, week, now, tonight, a weekday (saturday) or a day as YYYY-MM-DD. Today is 2026-11-21 in ${TOWN.name.en}`,
  invalid_api_key: INVALID_KEY_MESSAGE,
  not_found: 'idOrSlug: no event has this id or slug',
  gone: 'idOrSlug: this event was withdrawn',
  method_not_allowed: 'method: POST is not allowed. Use GET, HEAD, OPTIONS',
  request_timeout: 'request: did not arrive in time',
  uri_too_long: 'url: too long. Request less at once',
  headers_too_large: 'headers: too large. Send fewer or shorter ones',
  rate_limited: 'rate: more than 60 requests in a minute. Try again in 42 seconds',
  internal_error: 'server: internal error. It was logged. Try again later',
  unavailable: 'server: temporarily unavailable. Try again later',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Codes with a response of their own, to which the operations refer. */
const SEPARATE_CODES = ['invalid_parameter', 'not_found', 'gone'] as const;
/** Codes that any operation may return, documented in one shared response. */
const OTHER_CODES = [
  'invalid_api_key',
  'method_not_allowed',
  'request_timeout',
  'uri_too_long',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const;
/** All error codes that REST operations return. */
export const API_ERROR_CODES: readonly ErrorCode[] = [...SEPARATE_CODES, ...OTHER_CODES];

/** Seconds or a number of requests. */
const COUNT_SCHEMA = { type: 'integer' } as const;
const TEXT_SCHEMA = { type: 'string' } as const;
/** Documented response headers: name, part of the i18n key, and schema. */
const RESPONSE_HEADERS = [
  ['Link', 'link', TEXT_SCHEMA],
  ['RateLimit-Limit', 'rate_limit', COUNT_SCHEMA],
  ['RateLimit-Remaining', 'rate_remaining', COUNT_SCHEMA],
  ['RateLimit-Reset', 'rate_reset', COUNT_SCHEMA],
  ['Retry-After', 'retry_after', COUNT_SCHEMA],
] as const;

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/**
 * Builds the shared responses: a calendar, one per separate code (contract 9.1, 9.3), and one for
 * all other errors.
 */
function buildSharedResponses(lang: Lang): Json {
  const schema = schemaRef('Error');
  // One example shows the form of all errors.
  const createContent = (code: keyof typeof ERROR_EXAMPLES): Json => {
    const example = { error: { code, message: ERROR_EXAMPLES[code] } };
    const has_example = code === 'invalid_parameter';
    return { 'application/json': has_example ? { schema, example } : { schema } };
  };
  const others = OTHER_CODES.map(
    (code) => `${HTTP_STATUS_BY_CODE[code]} ${code}: ${t(lang, `openapi.error.${code}`)}`,
  );
  const names = RESPONSE_HEADERS.map(([name]) => name);
  return {
    calendar: {
      description: t(lang, 'openapi.calendar.ok'),
      content: { 'text/calendar': { schema: TEXT_SCHEMA } },
    },
    ...Object.fromEntries(
      SEPARATE_CODES.map((code) => [
        code,
        { description: t(lang, `openapi.error.${code}`), content: createContent(code) },
      ]),
    ),
    other: {
      description: others.join(' '),
      headers: headerRefs(names.filter((name) => name !== 'Link')),
      content: createContent('rate_limited'),
    },
  };
}

/** Result of listApiNames, computed once. */
let api_names: ReadonlySet<string> | undefined;

/**
 * Lists all names of parameters and response fields in the API, to recognize a parameter of another
 * operation: nested fields with both names (`price_min`), and list fields in the singular (`tag`)
 * (contract 7.7). Fields of errors are excluded.
 */
const NO_EXAMPLES = { event: '', venue: '', organizer: '', notice: '' };
export function listApiNames(): ReadonlySet<string> {
  const { Error: _, ...answers } = api_names ? {} : buildSchemas();
  const parameters = buildParameterComponents(NO_EXAMPLES, 'en');
  api_names ??= new Set([
    ...listFields(answers, ''),
    ...Object.values(parameters).map(({ name }) => name),
  ]);
  return api_names;
}

/**
 * Lists the names of all properties within a JSON Schema.
 * @param parent Name of the field that the schema describes.
 */
function listFields(schema: unknown, parent: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword !== 'properties') return listFields(value, parent);
    return Object.entries(Object(value)).flatMap(([name, field]) => [
      name,
      ...(parent === '' ? [] : [`${parent}_${name}`]),
      ...(Object(field).type === 'array' ? [name.replace(/s$/, '')] : []),
      ...listFields(field, name),
    ]);
  });
}
