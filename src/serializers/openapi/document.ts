// The OpenAPI 3.1 description, made from the wire schemas and the shared filters (contract 15.2).
import type { ApiExamples } from '../../domain/api-guide.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { toAbsolute, toMarkdownPath, toPagePath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toPublicEvent } from '../wire/event.ts';
import { toListMeta, toMeta } from '../wire/meta.ts';
import { toHeaders, toSharedResponses } from './responses.ts';
import { toParameterComponents } from './parameters.ts';
import { toPaths } from './path-items.ts';
import { toTaxonList } from './taxon-list.ts';
import { type Json, toSchemas } from './schemas.ts';

const TAGS = ['events', 'calendars', 'places', 'notices', 'days', 'changes'] as const;

/**
 * The document, its words in one language; /api/openapi.json is the English one, the docs pages are
 * made from each. At most 15,000 tokens (contract 15.2): the rules are said on those pages.
 */
export function toOpenApi(taxonomy: Taxonomy, site: Site, examples: ApiExamples, lang: Lang): Json {
  const docs = toAbsolute(site.url, toPagePath('docs', lang));
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
      description: t(lang, `openapi.tag.${tag}.about`),
    })),
    paths: toPaths({ listEvents: toListExample(examples, site, lang) }, lang),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: t(lang, 'openapi.key'),
        },
      },
      parameters: toParameterComponents(examples, lang),
      headers: toHeaders(lang),
      responses: toSharedResponses(site, lang),
      schemas: toSchemas(),
    },
  };
}

/** What the service is, where its rules are, and what the two filters take that have a list of words. */
function toProse({ categories, zones }: Taxonomy, site: Site, lang: Lang): string {
  const url = toAbsolute(site.url, toMarkdownPath(toPagePath('docs', lang)));
  return [
    `${t(lang, 'openapi.about')} ${t(lang, 'openapi.rules', { url })}`,
    `${t(lang, 'openapi.categories')}\n\n${toTaxonList(categories, lang)}`,
    `${t(lang, 'openapi.zones')}\n\n${toTaxonList(zones, lang)}`,
  ].join('\n\n');
}

/** An answer with one event that is ahead; null where there are none. */
const toListExample = (
  { card, total, generated_at }: ApiExamples,
  site: Site,
  lang: Lang,
): Json | null =>
  card && {
    data: [toPublicEvent(card, lang, site)],
    meta: toListMeta(toMeta(generated_at, lang, site), { count: 1, total, range: null }),
  };
