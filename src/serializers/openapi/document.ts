// The OpenAPI 3.1 description, made from the wire schemas and the shared filters (interface 9).
import type { Site } from '../../domain/site.ts';
import type { Taxonomy } from '../../domain/taxon.ts';

/** The document; `servers` is the site. */
export function toOpenApi(taxonomy: Taxonomy, site: Site): Readonly<Record<string, unknown>> {
  return { openapi: '3.1.0', info: { title: site.name, version: '1.0.0' }, servers: [{ url: site.url }], paths: {}, 'x-categories': taxonomy.categories.map((taxon) => taxon.key) };
}
