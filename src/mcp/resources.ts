// Resources: lists and reads the Markdown versions of pages by their URL, and lists the templates
// of record pages (contract 13.14).
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { floorToMinute } from '../domain/local-time.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import { PAGE_PATHS, SECTION_PATHS, absoluteUrl, markdownPath, langOfPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { withGeneratedLine } from '../serializers/markdown/document.ts';
import { createMarkdownResponse } from '../site/markdown-responses.ts';
import { matchPage } from '../site/page-registry.ts';
import { wrapUntrustedContent } from './tool-answer.ts';
import type { McpContext } from './tool.ts';

const MIME_TYPE = 'text/markdown';

/** Pages that are resources: name before the language, and page key. */
const PAGES = [
  ['hoy', 'today'],
  ['fin-de-semana', 'weekend'],
  ['avisos', 'notices'],
] as const;

/** Lists the resources of `resources/list`; each URI is also a public URL. */
export const listResources = ({ site }: McpContext) =>
  LANGS.flatMap((lang) =>
    PAGES.map(([name, page]) => ({
      uri: absoluteUrl(site.url, markdownPath(PAGE_PATHS[page][lang])),
      name: `${name}-${lang}`,
      title: t(lang, `mcp.resource.${page}.title`),
      description: t(lang, `mcp.resource.${page}.description`),
      mimeType: MIME_TYPE,
      annotations: { audience: ['user' as const, 'assistant' as const] },
    })),
  );

/** Sections of record pages with a URI template, and the template's name before the language. */
const SECTIONS = [
  ['event', 'evento'],
  ['venue', 'lugar'],
  ['organizer', 'organizador'],
  ['day', 'dia'],
] as const;
type Section = (typeof SECTIONS)[number][0];

/** Returns the URI template (RFC 6570) of a section's pages. */
const templateUri = (section: Section, lang: Lang, { site }: McpContext): string =>
  `${absoluteUrl(site.url, SECTION_PATHS[section][lang])}/{${section === 'day' ? 'date' : 'slug'}}.md`;

/** Lists the templates of `resources/templates/list`, each section in each language. */
export const listResourceTemplates = (context: McpContext) =>
  SECTIONS.flatMap(([section, name]) =>
    LANGS.map((lang) => ({
      uriTemplate: templateUri(section, lang, context),
      name: `${name}-${lang}`,
      mimeType: MIME_TYPE,
      title: t(lang, `mcp.resource.${section}.title`),
      description: t(lang, `mcp.resource.${section}.description`),
    })),
  );

/** Longer URIs are not found. */
const MAX_URI_LENGTH = 300;

/**
 * Parses the decoded page path from the URL of its Markdown version.
 * @returns null for any other URL.
 */
function parseDocumentPath(uri: string, { site }: McpContext): string | null {
  if (uri.length > MAX_URI_LENGTH || !uri.startsWith(`${site.url}/`) || !uri.endsWith('.md'))
    return null;
  try {
    return decodeURIComponent(uri.slice(site.url.length, -'.md'.length));
  } catch {
    return null;
  }
}

/**
 * Renders the Markdown of a page, following one redirect.
 * @returns null if the page does not exist.
 */
async function renderDocument(
  uri: string,
  context: McpContext,
  is_redirected = false,
): Promise<string | null> {
  const { snapshot, site } = context;
  const path = parseDocumentPath(uri, context);
  if (path === null) return null;
  const now_ms = floorToMinute(context.now_ms);
  const response = createMarkdownResponse({ snapshot, site, now_ms }, path);
  const location = response.headers.get('location');
  if (location !== null && !is_redirected)
    return renderDocument(absoluteUrl(site.url, location), context, true);
  if (response.status !== 200) return null;
  const lang = matchPage(path)?.lang ?? langOfPath(path);
  return wrapUntrustedContent(
    withGeneratedLine(await response.text(), now_ms, snapshot.generated_at, lang),
    lang,
  );
}

const NOT_FOUND_MESSAGE = 'uri: unknown resource. See resources/list and resources/templates/list';

/** Reads a resource by its URI. @throws ResourceNotFoundError if no page has this URI. */
export async function readResource(uri: string, context: McpContext) {
  const text = await renderDocument(uri, context);
  if (text === null) throw new ResourceNotFoundError(uri.slice(0, 500), NOT_FOUND_MESSAGE);
  return { contents: [{ uri, mimeType: MIME_TYPE, text }] };
}
