// What the home page says in its Link field to programs that look around (RFC 9727 4, RFC 8631).
import {
  OPENAPI_PATH,
  PAGE_PATHS,
  AI_CATALOG_PATH,
  API_CATALOG_PATH,
  LLMS_PATH,
} from '../i18n/paths.ts';

/**
 * A Link value: the catalog of APIs, the description, the docs, llms.txt and the catalog for
 * agents.
 */
export const DISCOVERY_LINKS = [
  `<${API_CATALOG_PATH}>; rel="api-catalog"`,
  `<${OPENAPI_PATH}>; rel="service-desc"; type="application/json"`,
  `<${PAGE_PATHS.docs.es}>; rel="service-doc"; type="text/html"`,
  `<${LLMS_PATH}>; rel="describedby"; type="text/markdown"`,
  `<${AI_CATALOG_PATH}>; rel="ai-catalog"`,
].join(', ');
