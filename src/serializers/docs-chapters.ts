// The pages of the docs beside the reference: Markdown files with their placeholders filled in (domain/docs.ts). A page is
// chapters with anchors of their own.
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

const reader = remark().freeze();

/** `## Limits {#limits}`. */
const TITLE = /^(.*) \{#([\w-]+)\}$/;

/** The chapters of a text; each begins with a heading of level 2 and its anchor (sources/docs.ts). */
export function parseSections(text: string): readonly DocsSection[] {
  const sections: { id: string; title: string; body: RootContent[] }[] = [];
  for (const node of reader.parse(text).children) {
    const [words] = node.type === 'heading' && node.depth === 2 ? node.children : [];
    const [, title, id] = words?.type === 'text' ? (TITLE.exec(words.value) ?? []) : [];
    if (title !== undefined && id !== undefined) sections.push({ id, title, body: [] });
    else sections.at(-1)?.body.push(node);
  }
  return sections;
}

/** One of our own sentences, its code and addresses set as such. */
export function parseSentence(text: string): readonly PhrasingContent[] {
  const [first] = reader.parse(text).children;
  return first?.type === 'paragraph' ? first.children : [plainTextNode(text)];
}

/** The terms of use, each a sentence of ours. */
export const TERMS_OF_USE_KEYS = ['attribution', 'cache', 'zone', 'training'] as const;

interface DocsFacts {
  readonly taxonomy: Taxonomy;
  readonly site: Site;
  readonly examples: ApiExamples;
  /** Null where no server knows: in a build, in development. */
  readonly health: ServiceHealth | null;
  readonly now_ms: number;
}

/** Every placeholder with its text. */
export function docsPlaceholders(
  { taxonomy, site, examples, health, now_ms }: DocsFacts,
  lang: Lang,
): ReadonlyMap<string, string> {
  const terms = TERMS_OF_USE_KEYS.map(
    (term, at) => `${at + 1}. ${t(lang, `terms.${term}`, { site: site.name })}`,
  );
  const ask =
    site.contact_email === null
      ? t(lang, 'docs.keys.closed')
      : t(lang, 'docs.keys.ask', { email: site.contact_email });
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
    ['key_request', ask],
    ['health', health ? formatHealth(health, now_ms, lang) : t(lang, 'status.unknown')],
    ...ERROR_CODES.flatMap((code): (readonly [Placeholder, string])[] => [
      [`error.${code}`, t(lang, `openapi.error.${code}`)],
      [`example.${code}`, toErrorExample(code, site, lang)],
    ]),
  ]);
}

const toRpcBody = (message: string) => ({
  jsonrpc: '2.0',
  error: { code: -32600, message },
  id: null,
});

const SENTENCES: Partial<Record<ErrorCode, string>> = ERROR_EXAMPLES;
/** What is said where it never gives the code: at /mcp, by a tool. */
const OTHERS: Partial<Record<ErrorCode, object>> = {
  payload_too_large: toRpcBody('body: at most 65536 bytes are read'),
  unsupported_media_type: toRpcBody('content-type: is not application/json'),
  invalid_submission: { isError: true, content: [{ type: 'text', text: 'start: is in the past' }] },
};

function toErrorExample(code: ErrorCode, site: Site, lang: Lang): string {
  const sentence = SENTENCES[code];
  const body = sentence === undefined ? OTHERS[code] : serializeError(code, sentence, site);
  // Only a page is asked for in a form that it has not; it answers in words.
  return body === undefined ? t(lang, 'error.not_acceptable') : formatCompactJson(body);
}

/** Characters of a line, its indentation included: what a telephone shows turned on its side. */
const WIDTH = 72;
/** A field whose items are shown elsewhere in full. */
const LEFT_OUT = 'upcoming_events';

/**
 * JSON for reading: what fits stands on one line. `indent` is that of its line, `before` the characters that
 * stand on it already.
 */
export function formatCompactJson(value: unknown, indent = '', before = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const line = toJsonLine(value);
  const fits = indent.length + before + line.length <= WIDTH;
  if (fits && !Object.hasOwn(value, LEFT_OUT)) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => formatCompactJson(item, inner))
    : Object.entries(value).map(([key, item]) => {
        const name = `${JSON.stringify(key)}: `;
        const is_left_out = key === LEFT_OUT && Array.isArray(item) && item.length > 0;
        return name + (is_left_out ? '[…]' : formatCompactJson(item, inner, name.length));
      });
  const [open, shut] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${shut}`;
}

function toJsonLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toJsonLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}: ${toJsonLine(inner)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const MINUTE_MS = 60_000;

/** How the service is, as a list with labels: the same as /healthz tells programs. */
function formatHealth(health: ServiceHealth, now_ms: number, lang: Lang): string {
  const { release, generated_ms, next_ms, failure, refusal, faults, is_stale } = health;
  const state = failure === null && refusal === null ? 'status.state.ok' : 'status.state.failed';
  const minutes = Math.max(0, Math.floor((now_ms - generated_ms) / MINUTE_MS));
  const age =
    minutes < 60
      ? tPlural(lang, 'status.age.minutes', minutes)
      : t(lang, 'status.age.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
  const files = new Set(faults.map(({ file }) => file));
  const rows: readonly (readonly [MessageKey, string | null])[] = [
    ['status.label.state', t(lang, is_stale ? 'status.state.late' : state)],
    ['status.label.release', `\`${release}\``],
    ['status.label.made', toMoment(generated_ms, lang)],
    ['status.label.age', age],
    ['status.label.next', next_ms === null ? t(lang, 'status.never') : toMoment(next_ms, lang)],
    ['status.label.failed', failure && toMoment(Date.parse(failure.at), lang)],
    ['status.label.faults', files.size === 0 ? null : tPlural(lang, 'status.faults', files.size)],
  ];
  return rows
    .flatMap(([label, words]) => (words === null ? [] : [`- **${t(lang, label)}:** ${words}`]))
    .join('\n');
}

/** `sábado 21 de noviembre de 2026, 19:30`, on local clocks. */
function toMoment(epoch_ms: number, lang: Lang): string {
  const moment = toZoned(epoch_ms);
  return t(lang, 'status.moment', {
    day: formatLongDay(moment.toPlainDate(), lang),
    hour: formatTime(moment.toPlainTime(), lang),
  });
}
