// The OpenAPI description says what the service does: every route is in it, every example is answered and
// keeps its schema. The one of our search leads a browser there (contract 8.21).
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';
import { EVENT_PARAMETER_NAMES } from '../../src/domain/query/parameters.ts';
import { STATUS_OF } from '../../src/domain/app-error.ts';
import { CATEGORY_KEYS, ZONE_KEYS } from '../../src/domain/taxon.ts';
import { ROUTES } from '../../src/api/handle-api.ts';
import {
  CategoryListResponse,
  EventResponse,
  DayResponse,
  EventListResponse,
  NoticeListResponse,
  OrganizerListResponse,
  OrganizerResponse,
  VenueListResponse,
  VenueResponse,
  ZoneListResponse,
} from '../fixtures/responses.ts';
import { ErrorSchema } from '../../src/serializers/wire/meta.ts';
import { ask, askFor } from '../fixtures/ask.ts';
import { openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot, close } = openFixture();
afterAll(close);

const Content = v.optional(
  v.record(v.string(), v.looseObject({ example: v.optional(v.unknown()) })),
);
const Parameter = v.looseObject({
  name: v.string(),
  in: v.picklist(['query', 'path']),
  description: v.string(),
  example: v.optional(v.union([v.string(), v.number()])),
});
const Operation = v.looseObject({
  operationId: v.string(),
  summary: v.string(),
  description: v.string(),
  parameters: v.array(v.object({ $ref: v.string() })),
  responses: v.record(
    v.string(),
    v.union([
      v.object({ $ref: v.string() }),
      v.looseObject({ description: v.string(), content: Content }),
    ]),
  ),
});
const Description = v.looseObject({
  openapi: v.literal('3.1.0'),
  info: v.looseObject({ version: v.literal('1.0.0'), description: v.string() }),
  paths: v.record(v.string(), v.strictObject({ get: Operation })),
  components: v.looseObject({
    parameters: v.record(v.string(), Parameter),
    responses: v.record(v.string(), v.looseObject({ content: Content })),
    schemas: v.record(v.string(), v.unknown()),
  }),
});

const text = String(ask(snapshot, '/api/openapi.json').body);
const description = v.parse(Description, JSON.parse(text));
const paths = Object.entries(description.paths);
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

const WIRE: Readonly<Record<string, v.GenericSchema>> = {
  listEvents: EventListResponse,
  getEvent: EventResponse,
  getVenue: VenueResponse,
  listVenues: VenueListResponse,
  listOrganizers: OrganizerListResponse,
  listCategories: CategoryListResponse,
  listZones: ZoneListResponse,
  getOrganizer: OrganizerResponse,
  listNotices: NoticeListResponse,
  getDay: DayResponse,
};

describe('the description', () => {
  test('has the routes that are answered and no others', () => {
    const described = paths.map(([path, { get }]) => `${path} ${get.operationId}`);
    const routed = ROUTES.filter(({ operation_id }) => operation_id !== null).map(
      ({ pattern, operation_id }) => `${pattern} ${operation_id}`,
    );
    expect(described.sort()).toEqual(routed.sort());
  });

  test('points only at what is there', () => {
    for (const [ref] of text.matchAll(/"#\/components\/[^"]+"/g)) {
      const found = JSON.parse(ref)
        .slice(2)
        .split('/')
        .reduce(
          (at: unknown, name: string) => v.parse(v.record(v.string(), v.unknown()), at)[name],
          JSON.parse(text),
        );
      expect(found, ref).toBeDefined();
    }
  });

  test('prints an answer of the agenda that serves, in the form that is sent', () => {
    const response = description.paths['/api/v1/events']?.get.responses['200'];
    const content = response && 'content' in response ? response.content : undefined;
    const { data } = v.parse(
      EventListResponse,
      v.parse(Content, content)?.['application/json']?.example,
    );
    const [event] = data;
    const { data: asked } = askFor(snapshot, EventListResponse, '/api/v1/events?lang=en');
    expect(asked).toContainEqual(event);
  });

  test('tells in one response what else any operation may answer', () => {
    const { description: told } = v.parse(
      v.looseObject({ description: v.string() }),
      description.components.responses.other,
    );
    for (const code of [
      'invalid_api_key',
      'rate_limited',
      'unavailable',
      'method_not_allowed',
    ] as const)
      expect(told).toContain(`${STATUS_OF[code]} ${code}: `);
  });

  test('lists every category and zone with key and slugs', () => {
    for (const key of [...CATEGORY_KEYS, ...ZONE_KEYS])
      expect(description.info.description).toContain(`\`${key}\``);
    for (const { slug } of [...snapshot.taxonomy.categories, ...snapshot.taxonomy.zones])
      expect(description.info.description).toContain(`\`${slug.es}\``);
  });

  test('gives listEvents the shared filters, the cursor and what is included', () => {
    const names = description.paths['/api/v1/events']?.get.parameters.map(({ $ref }) =>
      nameOf($ref),
    );
    expect(names).toEqual([...EVENT_PARAMETER_NAMES, 'cursor', 'include']);
  });
});

describe.each(paths)('%s', (path, { get }) => {
  const parameters = get.parameters
    .map(({ $ref }) => description.components.parameters[nameOf($ref)])
    .filter((found) => found !== undefined);
  const filled = parameters
    .filter((p) => p.in === 'path')
    .reduce((at, p) => at.replace(`{${p.name}}`, String(p.example)), path);

  test('answers with the examples of its path', () => {
    expect(ask(snapshot, filled).status).toBe(200);
  });

  const queries = parameters.filter((p) => p.in === 'query' && p.example !== undefined);
  test.each(queries.map((p) => [p.name, String(p.example)]))('answers ?%s=%s', (name, example) => {
    const address = `${filled}?${new URLSearchParams({ [name]: example })}`;
    const schema = WIRE[get.operationId];
    if (schema) askFor(snapshot, schema, address);
    else expect(ask(snapshot, address).status).toBe(200);
  });

  test('has an example of each fault of its own, and refers all others to one response', () => {
    const faults = Object.entries(get.responses).filter(([status]) => status !== '200');
    expect(faults.map(([status]) => status)).toEqual(expect.arrayContaining(['400', 'default']));
    for (const [status, response] of faults) {
      const name = '$ref' in response ? nameOf(String(response.$ref)) : '';
      const { content } = description.components.responses[name] ?? {};
      const { error } = v.parse(ErrorSchema, content?.['application/json']?.example);
      if (status !== 'default')
        expect([error.code, STATUS_OF[error.code]]).toEqual([name, Number(status)]);
    }
  });
});

describe('the search of a browser', () => {
  test.each([
    ['es', '/buscar'],
    ['en', '/en/search'],
  ])('%s leads to the search of its language with the words that were typed', (lang, search) => {
    const { status, headers, body } = ask(snapshot, `/opensearch/${lang}.xml`);
    expect([status, headers['content-type']]).toEqual([
      200,
      'application/opensearchdescription+xml; charset=utf-8',
    ]);
    const name = /<ShortName>(.*)<\/ShortName>/.exec(String(body))?.[1] ?? '';
    expect(name).toBe(SITE.name);
    expect(name.length).toBeLessThanOrEqual(16);
    expect(String(body)).toContain(
      `<Url type="text/html" template="${SITE.url}${search}?q={searchTerms}"/>`,
    );
  });

  test('another language is 404 and names those there are', () => {
    const { status, body } = ask(snapshot, '/opensearch/fr.xml');
    expect(status).toBe(404);
    expect(String(body)).toContain('Use es or en');
  });
});
