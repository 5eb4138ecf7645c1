// The OpenAPI 3.1 description, made from the wire schemas and the shared filters (interface 9).
import type { Site } from '../../domain/site.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { toAbsolute, toPagePath } from '../../i18n/paths.ts';
import { toExamples } from './examples.ts';
import { toFaultResponses } from './faults.ts';
import { HEADERS } from './headers.ts';
import { toPaths } from './operations.ts';
import { type PathExamples, toParameters } from './parameters.ts';
import { toProse } from './prose.ts';
import { type Json, toSchemas } from './schemas.ts';

const TAGS = [
  { name: 'Events', description: 'What happens, as JSON.' },
  { name: 'Calendars', description: 'What happens, as iCalendar (RFC 5545).' },
  { name: 'Places and people', description: 'Venues and organizers.' },
  { name: 'Notices', description: 'What a day brings besides events.' },
] as const;

/** The document in English. `paths` are identifiers that this service answers, so that every example can be tried. */
export function toOpenApi(taxonomy: Taxonomy, site: Site, paths: PathExamples): Json {
  const docs = toAbsolute(site.url, toPagePath('docs', 'en'));
  return {
    openapi: '3.1.0',
    info: {
      title: `${site.name} API`,
      version: '1.0.0',
      description: toProse(taxonomy, site),
      termsOfService: docs,
      contact: { name: site.name, url: docs, ...(site.contact_email === null ? {} : { email: site.contact_email }) },
      license: { name: 'Free to read and cite with attribution', url: docs },
    },
    externalDocs: { description: 'The same to read', url: docs },
    servers: [{ url: site.url }],
    security: [{}, { apiKey: [] }],
    tags: TAGS,
    paths: toPaths(toExamples(taxonomy, site)),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Optional. Raises the request quota and gives nothing else.' } },
      parameters: toParameters(paths),
      headers: HEADERS,
      responses: toFaultResponses(site),
      schemas: toSchemas(),
    },
  };
}
