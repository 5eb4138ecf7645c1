// The OpenAPI 3.1 description, made from the wire schemas and the shared filters (contract 15.2).
import { TOWN } from '../../town.ts';
import type { ApiExamples } from '../../domain/docs-pages.ts';
import { type ErrorCode, HTTP_STATUS_BY_CODE } from '../../domain/app-error.ts';
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

const TAGS = ['events', 'calendars', 'places', 'notices', 'days', 'changes'] as const;

/**
 * The document, its words in one language; /api/openapi.json is the English one. At most 15,000 tokens
 * (contract 15.2): the rules are said on the pages of the docs.
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
      description: toProse(taxonomy, site, lang),
      termsOfService: docs,
      contact: {
        name: site.name,
        url: docs,
        ...(site.contact_email === null ? {} : { email: site.contact_email }),
      },
      license: { name: t(lang, 'openapi.license'), url: docs },
    },
    externalDocs: { description: t(lang, 'openapi.docs'), url: docs },
    servers: [{ url: site.url }],
    security: [{}, { apiKey: [] }],
    tags: TAGS.map((tag) => ({
      name: t(lang, `openapi.tag.${tag}`),
    })),
    paths: Object.fromEntries(
      OPERATIONS.map((form) => [API_PATHS[form.id], { get: toOperation(form, lang) }]),
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
        HEADERS.map(([name, word, schema]) => [
          name,
          { description: t(lang, `openapi.header.${word}`), schema },
        ]),
      ),
      responses: toSharedResponses(lang),
      schemas: buildSchemas(),
    },
  };
}

/** Parameters without the examples of those whose schema lists every value; the guide shows them. */
const omitObviousExamples = (parameters: Readonly<Record<string, ParameterComponent>>): Json =>
  Object.fromEntries(
    Object.entries(parameters).map(([key, { example, ...parameter }]) => {
      const is_obvious = example === undefined || Array.isArray(parameter.schema.enum);
      return [key, is_obvious ? parameter : { ...parameter, example }];
    }),
  );

/** What the service is, where its rules are, and what the two filters take that have a list of words. */
function toProse({ categories, zones }: Taxonomy, site: Site, lang: Lang): string {
  const url = absoluteUrl(site.url, markdownPath(pagePath('docs', lang)));
  return [
    `${t(lang, 'openapi.about')} ${t(lang, 'openapi.rules', { url })}`,
    `${t(lang, 'openapi.categories')} ${formatTaxonValues(categories)}.`,
    `${t(lang, 'openapi.zones')} ${formatTaxonValues(zones)}.`,
  ].join('\n\n');
}

/** `live-music (musica-en-vivo)`, each key with its slugs: the values that a filter accepts, in one line. */
export const formatTaxonValues = (taxa: readonly TaxonRecord[]): string =>
  taxa
    .map(({ key, slug }) => {
      const slugs = [...new Set(LANGS.map((lang) => slug[lang]))].filter((name) => name !== key);
      return slugs.length === 0 ? key : `${key} (${slugs.join(', ')})`;
    })
    .join('; ');

/** `- **Live music:** `live-music`, `musica-en-vivo``, a line each: every word that the filter takes. */
export const formatTaxonList = (taxa: readonly TaxonRecord[], lang: Lang): string =>
  taxa
    .map(({ key, slug, name }) => {
      const words = new Set([key, ...LANGS.map((each) => slug[each])]);
      return `- **${name[lang]}:** ${[...words].map((word) => `\`${word}\``).join(', ')}`;
    })
    .join('\n');

/** An answer with one event that is ahead; null where there are none. */
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

function toOperation(form: OperationDefinition, lang: Lang): Json {
  const { id, tag, parameters } = form;
  return {
    operationId: id,
    tags: [t(lang, `openapi.tag.${tag}`)],
    summary: t(lang, `openapi.${id}.summary`),
    description: t(lang, `openapi.${id}.description`),
    parameters: parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    // What is served outside of it is neither counted nor keyed.
    ...(API_PATHS[id].startsWith(API_BASE) ? {} : { security: [{}] }),
    responses: {
      200: toSuccess(form, lang),
      ...Object.fromEntries(
        listErrors(form).map((code) => [HTTP_STATUS_BY_CODE[code], toResponseRef(code)]),
      ),
      default: toResponseRef('other'),
    },
  };
}

const toResponseRef = (name: string): Json => ({ $ref: `#/components/responses/${name}` });

function toSuccess({ id, parameters, answer }: OperationDefinition, lang: Lang): Json {
  if (answer === null) return toResponseRef('calendar');
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
    ...(parameters.includes('cursor') && { headers: toHeaderRefs(['Link']) }),
    content: { 'application/json': { schema } },
  };
}

/** A message as the service writes it, in the language of all its messages. */
export const ERROR_EXAMPLES = {
  invalid_parameter: `date: '2026-02-30' is not accepted. Use today, tomorrow, weekend, week, now, tonight or a day as YYYY-MM-DD. Today is 2026-11-21 in ${TOWN.name.en}`,
  invalid_api_key: 'x-api-key: is not a live key. Leave the header out to read without one',
  not_found: 'idOrSlug: no event has this id or slug',
  gone: 'idOrSlug: this event has been withdrawn',
  method_not_allowed: 'method: POST is not answered here. Use GET, HEAD, OPTIONS',
  request_timeout: 'request: did not arrive in time',
  uri_too_long: 'url: is too long. Ask for less at once',
  headers_too_large: 'headers: are too large. Send fewer or shorter ones',
  rate_limited: 'rate: more than 60 requests in a minute. Try again in 42 seconds',
  internal_error: 'server: something failed here. It has been logged. Try again later',
  unavailable: 'server: cannot answer at the moment. Try again later',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** The codes that operations name one by one. */
const OWN_CODES = ['invalid_parameter', 'not_found', 'gone'] as const;
/** Those that any operation may answer, said once for all. */
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
export const API_ERROR_CODES: readonly ErrorCode[] = [...OWN_CODES, ...OTHER_CODES];

const SECONDS = { type: 'integer', minimum: 0 } as const;
const TEXT = { type: 'string' } as const;
const HEADERS = [
  ['Link', 'link', TEXT],
  ['RateLimit-Limit', 'rate_limit', SECONDS],
  ['RateLimit-Remaining', 'rate_remaining', SECONDS],
  ['RateLimit-Reset', 'rate_reset', SECONDS],
  ['Retry-After', 'retry_after', SECONDS],
] as const;

const toHeaderRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** A calendar; one response for each code, by the code (contract 9.1, 9.3); all other errors. */
function toSharedResponses(lang: Lang): Json {
  const toContent = (code: keyof typeof ERROR_EXAMPLES): Json => {
    const example = { error: { code, message: ERROR_EXAMPLES[code] } };
    return { 'application/json': { schema: schemaRef('Error'), example } };
  };
  const others = OTHER_CODES.map(
    (code) => `${HTTP_STATUS_BY_CODE[code]} ${code}: ${t(lang, `openapi.error.${code}`)}`,
  );
  const names = HEADERS.map(([name]) => name);
  return {
    calendar: {
      description: t(lang, 'openapi.calendar.ok'),
      content: { 'text/calendar': { schema: TEXT } },
    },
    ...Object.fromEntries(
      OWN_CODES.map((code) => [
        code,
        { description: t(lang, `openapi.error.${code}`), content: toContent(code) },
      ]),
    ),
    other: {
      description: others.join(' '),
      headers: toHeaderRefs(names.filter((name) => name !== 'Link')),
      content: toContent('rate_limited'),
    },
  };
}

let known: ReadonlySet<string> | undefined;

/**
 * Every name that means something in the API: parameters and fields of answers, also a field of a field by both
 * names (`price_min`), and one of a list by its singular (`tag`) (contract 7.7). Not the fields of an error.
 */
export function listApiNames(): ReadonlySet<string> {
  const { Error: _, ...answers } = known ? {} : buildSchemas();
  const parameters = buildParameterComponents({ event: '', venue: '', organizer: '' }, 'en');
  known ??= new Set([
    ...listFields(answers, ''),
    ...Object.values(parameters).map(({ name }) => name),
  ]);
  return known;
}

/** The names of all properties within a JSON Schema; `parent` is that of the field it describes. */
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
