// The resources: the Markdown versions of pages, each at its address, as the site answers there; those that
// are listed, the templates of the others, and what a name in one may be (contract 13.14).
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { floorToMinute, fromDayNumber, toCancunDay, toDayNumber } from '../domain/cancun-time.ts';
import { fold } from '../domain/folding.ts';
import { LANGS, type Lang } from '../domain/lang.ts';
import {
  PAGE_PATHS,
  SECTION_PATHS,
  toAbsolute,
  toMarkdownPath,
  toPathLang,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { withWrittenLine } from '../serializers/markdown/document.ts';
import { respondMarkdown } from '../site/markdown.ts';
import { listOrganizers, listUpcomingEvents, listVenues } from '../snapshot/list-things.ts';
import type { McpContext } from './context.ts';
import { fence } from './text/fence.ts';

const MIME_TYPE = 'text/markdown';
/** How many names a completion gives at most (MCP, Completion). */
const MAX_VALUES = 100;
/** Days after today whose names are completed whatever is known of them. */
const DAYS_AHEAD = 92;
/** Characters of an address that is looked at. */
const MAX_URI = 300;

const PAGES = [
  ['hoy', 'today'],
  ['fin-de-semana', 'weekend'],
  ['avisos', 'notices'],
] as const;

/** Where the notices were before they had a page; whoever noted it down still finds them. */
const toFormerUri = (lang: Lang): string => `hoy-cancun://${t(lang, 'path.notices')}`;

const toPageUri = (page: (typeof PAGES)[number][1], lang: Lang, { site }: McpContext): string =>
  toAbsolute(site.url, toMarkdownPath(PAGE_PATHS[page][lang]));

/** What `resources/list` gives; each can also be fetched as it is. */
export const listResources = (context: McpContext) =>
  LANGS.flatMap((lang) =>
    PAGES.map(([name, page]) => ({
      uri: toPageUri(page, lang, context),
      name: `${name}-${lang}`,
      title: t(lang, `mcp.resource.${page}.title`),
      description: t(lang, `mcp.resource.${page}.description`),
      mimeType: MIME_TYPE,
      annotations: { audience: ['user' as const, 'assistant' as const] },
    })),
  );

interface Template {
  readonly section: 'event' | 'venue' | 'organizer' | 'day';
  /** Its name before the language, as listed. */
  readonly name: string;
  readonly variable: 'slug' | 'date';
  /** Every name there is, the likeliest first. */
  readonly listNames: (lang: Lang, context: McpContext) => readonly string[];
}

/** From today on. */
function listDays({ snapshot, now_ms }: McpContext): readonly string[] {
  const today = toDayNumber(toCancunDay(now_ms));
  const last = Math.max(snapshot.index.span?.last ?? today, today + DAYS_AHEAD);
  return Array.from({ length: last - today + 1 }, (_, at) => fromDayNumber(today + at).toString());
}

const TEMPLATES: readonly Template[] = [
  {
    section: 'event',
    name: 'evento',
    variable: 'slug',
    listNames: (lang, { snapshot, now_ms }) =>
      listUpcomingEvents(snapshot, now_ms).map(({ slug }) => slug[lang]),
  },
  {
    section: 'venue',
    name: 'lugar',
    variable: 'slug',
    listNames: (lang, { snapshot }) => listVenues(snapshot).map(({ slug }) => slug[lang]),
  },
  {
    section: 'organizer',
    name: 'organizador',
    variable: 'slug',
    listNames: (lang, { snapshot }) => listOrganizers(snapshot).map(({ slug }) => slug[lang]),
  },
  {
    section: 'day',
    name: 'dia',
    variable: 'date',
    listNames: (_lang, context) => listDays(context),
  },
];

const toTemplateUri = ({ section, variable }: Template, lang: Lang, { site }: McpContext): string =>
  `${toAbsolute(site.url, SECTION_PATHS[section][lang])}/{${variable}}.md`;

/** What `resources/templates/list` gives, each kind in each language. */
export const listResourceTemplates = (context: McpContext) =>
  TEMPLATES.flatMap((template) =>
    LANGS.map((lang) => ({
      uriTemplate: toTemplateUri(template, lang, context),
      name: `${template.name}-${lang}`,
      mimeType: MIME_TYPE,
      title: t(lang, `mcp.resource.${template.section}.title`),
      description: t(lang, `mcp.resource.${template.section}.description`),
    })),
  );

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
  const { snapshot, now_ms, site } = context;
  const path = toDocumentPath(uri, context);
  if (path === null) return null;
  const minute_ms = floorToMinute(now_ms);
  const response = respondMarkdown({ snapshot, site, now_ms: minute_ms }, path);
  const moved_to = response.headers.get('location');
  if (moved_to !== null && !is_moved)
    return readDocument(toAbsolute(site.url, moved_to), context, true);
  if (response.status !== 200) return null;
  const lang = toPathLang(path);
  const document = await response.text();
  return fence(withWrittenLine(document, minute_ms, snapshot.generated_at, lang), lang);
}

const NOT_FOUND =
  'uri: there is no such resource. resources/list and resources/templates/list name those there are';

/** What `resources/read` gives. Throws ResourceNotFoundError. */
export async function readResource(uri: string, context: McpContext) {
  const former = LANGS.find((lang) => toFormerUri(lang) === uri);
  const known = former === undefined ? uri : toPageUri('notices', former, context);
  const text = await readDocument(known, context);
  if (text === null) throw new ResourceNotFoundError(uri.slice(0, 500), NOT_FOUND);
  return { contents: [{ uri, mimeType: MIME_TYPE, text }] };
}

/** The names that contain what was typed, those that begin with it first; null for no template. */
export function completeName(
  uri_template: string,
  typed: string,
  context: McpContext,
): { readonly values: string[]; readonly total: number; readonly hasMore: boolean } | null {
  for (const template of TEMPLATES)
    for (const lang of LANGS) {
      if (toTemplateUri(template, lang, context) !== uri_template) continue;
      const wanted = fold(typed.slice(0, MAX_VALUES)).replaceAll(' ', '-');
      const found = template.listNames(lang, context).filter((name) => name.includes(wanted));
      const sorted = [
        ...found.filter((name) => name.startsWith(wanted)),
        ...found.filter((name) => !name.startsWith(wanted)),
      ];
      const values = sorted.slice(0, MAX_VALUES);
      return { values, total: sorted.length, hasMore: sorted.length > values.length };
    }
  return null;
}
