// Docs chapters: parses the Markdown files of the public docs pages (content/docs) into sections
// with anchors, and provides the values of placeholders in them, such as `{site}`
// (domain/docs-pages.ts).
import type { PhrasingContent, RootContent } from 'mdast';
import { remark } from 'remark';
import { Temporal } from 'temporal-polyfill';
import { TOWN } from '../town.ts';
import { ERROR_CODES, type ErrorCode } from '../domain/app-error.ts';
import { formatTimestamp, toEpochMs, toZoned, toLocalDay } from '../domain/local-time.ts';
import type { ApiExamples, DocsSection, Placeholder } from '../domain/docs-pages.ts';
import type { ServiceHealth } from '../domain/health.ts';
import type { Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import { formatTime, formatLongDay } from '../i18n/format-dates.ts';
import {
  type MessageKey,
  loadTownPlaceholders,
  t,
  tPlural,
  TOOL_NAMES,
} from '../i18n/translate.ts';
import { plainTextNode } from './markdown/nodes.ts';
import { ERROR_EXAMPLES, formatTaxonList } from './openapi/build-document.ts';
import { serializeError } from './wire/meta.ts';

const parser = remark().freeze();

/** Matches a title with an anchor, `Limits {#limits}`. */
const TITLE_PATTERN = /^(.*) \{#([\w-]+)\}$/;

/** Parses the sections of a text; each begins with a heading of level 2 and its anchor. */
export function parseSections(text: string): readonly DocsSection[] {
  const sections: { id: string; title: string; body: RootContent[] }[] = [];
  for (const node of parser.parse(text).children) {
    const [title_node] = node.type === 'heading' && node.depth === 2 ? node.children : [];
    const [, title, id] =
      title_node?.type === 'text' ? (TITLE_PATTERN.exec(title_node.value) ?? []) : [];
    if (title !== undefined && id !== undefined) sections.push({ id, title, body: [] });
    else sections.at(-1)?.body.push(node);
  }
  return sections;
}

/** Parses a single sentence of our own texts with its inline code and links. */
export function parseInlineMarkdown(text: string): readonly PhrasingContent[] {
  const [first_block] = parser.parse(text).children;
  return first_block?.type === 'paragraph' ? first_block.children : [plainTextNode(text)];
}

/** Terms of use in the order of the page; their texts are `terms.<key>`. */
export const TERMS_OF_USE_KEYS = ['attribution', 'cache', 'zone', 'training'] as const;

/** Data from which the placeholders get their values. */
interface PlaceholderInput {
  readonly taxonomy: Taxonomy;
  readonly site: Site;
  readonly examples: ApiExamples;
  /** Null outside a running server: in a build or in development. */
  readonly health: ServiceHealth | null;
  readonly now_ms: number;
}

/** Returns the value of every placeholder, by name without braces. */
export function docsPlaceholders(
  { taxonomy, site, examples, health, now_ms }: PlaceholderInput,
  lang: Lang,
): ReadonlyMap<string, string> {
  const terms = TERMS_OF_USE_KEYS.map(
    (term, index) => `${index + 1}. ${t(lang, `terms.${term}`, { site: site.name })}`,
  );
  const key_request =
    site.contact_email === null
      ? t(lang, 'docs.keys.closed')
      : t(lang, 'docs.keys.ask', { email: site.contact_email });
  // The local day of the example event, so that the example request finds it.
  const next_day = examples.card?.next?.start.slice(0, 10) ?? toLocalDay(now_ms).toString();
  const { zone } = TOWN.examples;
  return new Map<string, string>([
    ...Object.entries(loadTownPlaceholders(lang)),
    ['site', site.name],
    ['url', site.url],
    ['key', TOWN.key],
    ['timestamp', formatTimestamp(toEpochMs(Temporal.PlainDateTime.from('2026-11-21T20:00')))],
    ['category', TOWN.category_keys[0]],
    ['zone', zone],
    ['zone_in', taxonomy.zones.find(({ key }) => key === zone)?.name_in[lang] ?? ''],
    ['event_slug', examples.event ?? ''],
    ['venue_slug', examples.venue ?? ''],
    ['organizer_slug', examples.organizer ?? ''],
    ['next_day', next_day],
    ['categories', formatTaxonList(taxonomy.categories, lang)],
    ['zones', formatTaxonList(taxonomy.zones, lang)],
    ['tool_names', TOOL_NAMES.map((name) => `\`${name}\``).join(', ')],
    ['terms', terms.join('\n')],
    ['key_request', key_request],
    ['health', health ? formatHealth(health, now_ms, lang) : t(lang, 'status.unknown')],
    ...ERROR_CODES.flatMap((code): (readonly [Placeholder, string])[] => [
      [`error.${code}`, t(lang, `openapi.error.${code}`)],
      [`example.${code}`, formatErrorExample(code, site, lang)],
    ]),
  ]);
}

/** Creates the body of a JSON-RPC error, as /mcp returns it. */
const createRpcError = (message: string) => ({
  jsonrpc: '2.0',
  error: { code: -32600, message },
  id: null,
});

const ERROR_MESSAGES: Partial<Record<ErrorCode, string>> = ERROR_EXAMPLES;
/** Examples of codes that only /mcp or a tool returns. */
const MCP_EXAMPLES: Partial<Record<ErrorCode, object>> = {
  payload_too_large: createRpcError('body: at most 65536 bytes are read'),
  unsupported_media_type: createRpcError('content-type: must be application/json'),
  invalid_submission: { isError: true, content: [{ type: 'text', text: 'start: is in the past' }] },
};

/** Formats an example of the response with an error code. */
function formatErrorExample(code: ErrorCode, site: Site, lang: Lang): string {
  const message = ERROR_MESSAGES[code];
  const body = message === undefined ? MCP_EXAMPLES[code] : serializeError(code, message, site);
  // Only pages return not_acceptable, as text.
  return body === undefined ? t(lang, 'error.not_acceptable') : formatCompactJson(body);
}

/** Characters of a line, including indentation: the width of a phone in landscape. */
const MAX_LINE_LENGTH = 72;
/** A field whose items are shortened to `[…]`: another example has them in full. */
const SHORTENED_FIELD = 'upcoming_events';

/**
 * Formats JSON for reading: values that fit are on one line.
 * @param indent Indentation of the line.
 * @param prefix_length Number of characters already on the line, after the indentation.
 */
export function formatCompactJson(value: unknown, indent = '', prefix_length = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const single_line = formatJsonLine(value);
  const fits = indent.length + prefix_length + single_line.length <= MAX_LINE_LENGTH;
  if (fits && !Object.hasOwn(value, SHORTENED_FIELD)) return single_line;
  const inner_indent = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((element) => formatCompactJson(element, inner_indent))
    : Object.entries(value).map(([key, field]) => {
        const name = `${JSON.stringify(key)}: `;
        const is_shortened = key === SHORTENED_FIELD && Array.isArray(field) && field.length > 0;
        return name + (is_shortened ? '[…]' : formatCompactJson(field, inner_indent, name.length));
      });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => inner_indent + part).join(',\n')}\n${indent}${close}`;
}

/** Formats JSON on one line, with a space after colons and commas. */
function formatJsonLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatJsonLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, field]) => `${JSON.stringify(key)}: ${formatJsonLine(field)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const MINUTE_MS = 60_000;

/** Formats the service's health as a labeled list, with the same facts as /healthz. */
function formatHealth(health: ServiceHealth, now_ms: number, lang: Lang): string {
  // `next_ms`: time of the next scheduled build; `failure` and `refusal`: the last build failed, or
  // its result was rejected; `faults`: invalid content files.
  const { release, generated_ms, next_ms, failure, refusal, faults, is_stale } = health;
  const state_key =
    failure === null && refusal === null ? 'status.state.ok' : 'status.state.failed';
  const minutes = Math.max(0, Math.floor((now_ms - generated_ms) / MINUTE_MS));
  const age =
    minutes < 60
      ? tPlural(lang, 'status.age.minutes', minutes)
      : t(lang, 'status.age.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
  const faulty_files = new Set(faults.map(({ file }) => file));
  const rows: readonly (readonly [MessageKey, string | null])[] = [
    ['status.label.state', t(lang, is_stale ? 'status.state.late' : state_key)],
    ['status.label.release', `\`${release}\``],
    ['status.label.made', formatMoment(generated_ms, lang)],
    ['status.label.age', age],
    ['status.label.next', next_ms === null ? t(lang, 'status.never') : formatMoment(next_ms, lang)],
    ['status.label.failed', failure && formatMoment(Date.parse(failure.at), lang)],
    [
      'status.label.faults',
      faulty_files.size === 0 ? null : tPlural(lang, 'status.faults', faulty_files.size),
    ],
  ];
  return rows
    .flatMap(([label, text]) => (text === null ? [] : [`- **${t(lang, label)}:** ${text}`]))
    .join('\n');
}

/** Formats a local date and time: `sábado 21 de noviembre de 2026, 19:30`. */
function formatMoment(epoch_ms: number, lang: Lang): string {
  const moment = toZoned(epoch_ms);
  return t(lang, 'status.moment', {
    day: formatLongDay(moment.toPlainDate(), lang),
    hour: formatTime(moment.toPlainTime(), lang),
  });
}
