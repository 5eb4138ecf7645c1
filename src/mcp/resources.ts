// The resources: the Markdown versions of pages, each at its address, as the site answers there; those
// that are listed, and the templates of the others (contract 13.14).
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

const PAGES = [
  ['hoy', 'today'],
  ['fin-de-semana', 'weekend'],
  ['avisos', 'notices'],
] as const;

/** What `resources/list` gives; each can also be fetched as it is. */
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

/** What has an address each: the name of its template before the language. */
const SECTIONS = [
  ['event', 'evento'],
  ['venue', 'lugar'],
  ['organizer', 'organizador'],
  ['day', 'dia'],
] as const;
type Section = (typeof SECTIONS)[number][0];

const toTemplateUri = (section: Section, lang: Lang, { site }: McpContext): string =>
  `${absoluteUrl(site.url, SECTION_PATHS[section][lang])}/{${section === 'day' ? 'date' : 'slug'}}.md`;

/** What `resources/templates/list` gives, each kind in each language. */
export const listResourceTemplates = (context: McpContext) =>
  SECTIONS.flatMap(([section, name]) =>
    LANGS.map((lang) => ({
      uriTemplate: toTemplateUri(section, lang, context),
      name: `${name}-${lang}`,
      mimeType: MIME_TYPE,
      title: t(lang, `mcp.resource.${section}.title`),
      description: t(lang, `mcp.resource.${section}.description`),
    })),
  );

/** Characters of an address that is looked at. */
const MAX_URI = 300;

/** The path of a page by the address of its Markdown, decoded; null of an address that is none of ours. */
function toDocumentPath(uri: string, { site }: McpContext): string | null {
  if (uri.length > MAX_URI || !uri.startsWith(`${site.url}/`) || !uri.endsWith('.md')) return null;
  try {
    return decodeURIComponent(uri.slice(site.url.length, -'.md'.length));
  } catch {
    return null;
  }
}

/** What the site answers there; where something has moved, what it answers at its new address. */
async function readDocument(
  uri: string,
  context: McpContext,
  is_moved = false,
): Promise<string | null> {
  const { snapshot, site } = context;
  const path = toDocumentPath(uri, context);
  if (path === null) return null;
  const now_ms = floorToMinute(context.now_ms);
  const response = createMarkdownResponse({ snapshot, site, now_ms }, path);
  const moved_to = response.headers.get('location');
  if (moved_to !== null && !is_moved)
    return readDocument(absoluteUrl(site.url, moved_to), context, true);
  if (response.status !== 200) return null;
  const lang = matchPage(path)?.lang ?? langOfPath(path);
  return wrapUntrustedContent(
    withGeneratedLine(await response.text(), now_ms, snapshot.generated_at, lang),
    lang,
  );
}

const NOT_FOUND =
  'uri: there is no such resource. resources/list and resources/templates/list name those there are';

/** What `resources/read` gives. Throws ResourceNotFoundError. */
export async function readResource(uri: string, context: McpContext) {
  const text = await readDocument(uri, context);
  if (text === null) throw new ResourceNotFoundError(uri.slice(0, 500), NOT_FOUND);
  return { contents: [{ uri, mimeType: MIME_TYPE, text }] };
}
