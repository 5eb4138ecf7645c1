// The OpenAPI 3.1 description, made from the wire schemas and the shared filters (contract 15.2).
import type { PathExamples } from '../../domain/api-guide.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { toAbsolute, toPagePath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toExamples } from './examples.ts';
import { toErrorResponses, toHeaders } from './responses.ts';
import { toParameterComponents } from './parameters.ts';
import { toPaths } from './path-items.ts';
import { toProse } from './sections.ts';
import { type Json, toSchemas } from './schemas.ts';

const TAGS = ['events', 'calendars', 'places', 'notices', 'days', 'changes'] as const;

/**
 * The document, its words in one language; /api/openapi.json is the English one, the docs pages are
 * made from each. `paths` are identifiers that exist here, so that every example can be
 * tried.
 */
export function toOpenApi(taxonomy: Taxonomy, site: Site, paths: PathExamples, lang: Lang): Json {
  const docs = toAbsolute(site.url, toPagePath('docs', lang));
  const parameters = toParameterComponents(paths, lang);
  return {
    openapi: '3.1.0',
    info: {
      title: `${site.name} API`,
      version: '1.0.0',
      description: toProse(taxonomy, site, paths, lang),
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
      description: t(lang, `openapi.tag.${tag}.about`),
    })),
    paths: toPaths(toExamples(taxonomy, site, lang), parameters, site, lang),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: t(lang, 'openapi.key'),
        },
      },
      parameters,
      headers: toHeaders(lang),
      responses: toErrorResponses(site, lang),
      schemas: toSchemas(),
    },
  };
}
