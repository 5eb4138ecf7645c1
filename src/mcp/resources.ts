// The resources: today, the weekend and the notices as Markdown, and whatever a template names.
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { resolveAgendaWord } from '../domain/agenda-words.ts';
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import { toAgendaFacts } from '../domain/day/day-facts.ts';
import { LANGS, type Lang } from '../domain/lang.ts';
import { PAGE_PATHS, toAbsolute, toMarkdownPath } from '../i18n/paths.ts';
import { type Key, t } from '../i18n/translate.ts';
import { toAgendaMarkdown } from '../serializers/markdown/agenda.ts';
import { toNoticesMarkdown } from '../serializers/markdown/notices.ts';
import { withWrittenLine } from '../serializers/markdown/written-at.ts';
import { readAgenda, readNoticeBoard } from '../snapshot/agenda.ts';
import type { McpContext } from './context.ts';
import { listTemplates, readTemplate } from './resource-templates.ts';
import { fence } from './text/fence.ts';
import { cacheDocument } from './text/cache.ts';

const MIME_TYPE = 'text/markdown';

/** Where the notices were before they had a page; whoever noted it down still finds them. */
const toFormerUri = (lang: Lang): string => `hoy-cancun://${t(lang, 'path.notices')}`;

/** A document as it is handed over: with the times, and marked as what others wrote. */
const deliver = (document: string, lang: Lang, { now_ms, snapshot }: McpContext): string =>
  fence(withWrittenLine(document, now_ms, snapshot.generated_at, lang), lang);

interface Resource {
  readonly name: string;
  readonly lang: Lang;
  readonly title: Key;
  readonly description: Key;
  readonly toUri: (site_url: string) => string;
  readonly read: (context: McpContext) => string;
}

function readDays(
  kind: 'today' | 'weekend',
  lang: Lang,
  { snapshot, now_ms, site }: McpContext,
): string {
  const minute = floorToMinute(now_ms);
  return cacheDocument(snapshot, `agenda ${kind} ${lang} ${site.url} ${minute}`, () => {
    const today = toCancunDay(minute);
    const range = resolveAgendaWord(kind, today) ?? { from: today, to: today };
    return toAgendaMarkdown(
      readAgenda(snapshot, range, minute, lang),
      lang,
      site,
      kind,
      snapshot.taxonomy.zones,
      [],
      toAgendaFacts(kind, range.from, snapshot.calendar),
      undefined,
      minute,
    );
  });
}

function readNotices(lang: Lang, context: McpContext): string {
  const { snapshot, now_ms, site } = context;
  const day = toCancunDay(now_ms);
  return cacheDocument(snapshot, `board ${lang} ${site.url} ${day}`, () =>
    toNoticesMarkdown(readNoticeBoard(snapshot, day), lang, site, snapshot.taxonomy.zones),
  );
}

const toMarkdownUri =
  (page: 'today' | 'weekend' | 'notices', lang: Lang) =>
  (site_url: string): string =>
    toAbsolute(site_url, toMarkdownPath(PAGE_PATHS[page][lang]));

/** One of each in each language; an https address can also be fetched as it is. */
const RESOURCES: readonly Resource[] = LANGS.flatMap((lang): Resource[] => [
  {
    name: `hoy-${lang}`,
    lang,
    title: 'mcp.resource.today.title',
    description: 'mcp.resource.today.description',
    toUri: toMarkdownUri('today', lang),
    read: (context) => deliver(readDays('today', lang, context), lang, context),
  },
  {
    name: `fin-de-semana-${lang}`,
    lang,
    title: 'mcp.resource.weekend.title',
    description: 'mcp.resource.weekend.description',
    toUri: toMarkdownUri('weekend', lang),
    read: (context) => deliver(readDays('weekend', lang, context), lang, context),
  },
  {
    name: `avisos-${lang}`,
    lang,
    title: 'mcp.resource.notices.title',
    description: 'mcp.resource.notices.description',
    toUri: toMarkdownUri('notices', lang),
    read: (context) => deliver(readNotices(lang, context), lang, context),
  },
]);

/** What `resources/list` gives. */
export function listResources({ site }: McpContext) {
  return RESOURCES.map(({ name, lang, title, description, toUri }) => ({
    uri: toUri(site.url),
    name,
    title: t(lang, title),
    description: t(lang, description),
    mimeType: MIME_TYPE,
    annotations: { audience: ['user' as const, 'assistant' as const] },
  }));
}

/** What `resources/templates/list` gives. */
export const listResourceTemplates = (context: McpContext) => listTemplates(context, MIME_TYPE);

function readNamed(uri: string, context: McpContext): string | null {
  const found = readTemplate(uri, context);
  return found && deliver(found.text, found.lang, context);
}

const NOT_FOUND =
  'uri: there is no such resource. resources/list and resources/templates/list name those there are';

/** What `resources/read` gives. Throws ResourceNotFoundError. */
export function readResource(uri: string, context: McpContext) {
  const former = LANGS.find((lang) => toFormerUri(lang) === uri);
  const known = former === undefined ? uri : toMarkdownUri('notices', former)(context.site.url);
  const resource = RESOURCES.find(({ toUri }) => toUri(context.site.url) === known);
  const text = resource ? resource.read(context) : readNamed(uri, context);
  if (text === null) throw new ResourceNotFoundError(uri.slice(0, 500), NOT_FOUND);
  return { contents: [{ uri, mimeType: MIME_TYPE, text }] };
}
