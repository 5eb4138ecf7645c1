// What the placeholders of the docs stand for, in one language (domain/docs.ts).
import type { ApiExamples } from '../../domain/api-guide.ts';
import { ERROR_CODES, type ErrorCode } from '../../domain/app-error.ts';
import type { Placeholder } from '../../domain/docs.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { TOOL_NAMES } from '../../i18n/tool-names.ts';
import { t } from '../../i18n/translate.ts';
import { MESSAGES } from '../openapi/responses.ts';
import { toShortJson } from '../openapi/short-json.ts';
import { toTaxonList } from '../openapi/taxon-list.ts';
import { toErrorBody } from '../wire/error.ts';

/** The terms of use, each a sentence of ours. */
export const TERMS = ['attribution', 'cache', 'zone', 'training'] as const;

const toRpcBody = (message: string) => ({
  jsonrpc: '2.0',
  error: { code: -32600, message },
  id: null,
});

/** What the API says itself. */
const SENTENCES: Partial<Record<ErrorCode, string>> = MESSAGES;
/** What is said where it never gives the code: at /mcp, by a tool. */
const OTHERS: Partial<Record<ErrorCode, object>> = {
  payload_too_large: toRpcBody('body: at most 65536 bytes are read'),
  unsupported_media_type: toRpcBody('content-type: is not application/json'),
  invalid_submission: {
    isError: true,
    content: [{ type: 'text', text: 'start: is in the past' }],
  },
};

function toErrorExample(code: ErrorCode, site: Site, lang: Lang): string {
  const sentence = SENTENCES[code];
  const body = sentence === undefined ? OTHERS[code] : toErrorBody(code, sentence, site);
  // Only a page is asked for in a form that it has not; it answers in words.
  return body === undefined ? t(lang, 'error.not_acceptable') : toShortJson(body);
}

/** Every placeholder with its text. `today`: of an event without a date ahead, YYYY-MM-DD. */
export function toPlaceholders(
  taxonomy: Taxonomy,
  site: Site,
  examples: ApiExamples,
  today: string,
  lang: Lang,
): ReadonlyMap<Placeholder, string> {
  const ask =
    site.contact_email === null
      ? t(lang, 'docs.keys.closed')
      : t(lang, 'docs.keys.ask', { email: site.contact_email });
  return new Map([
    ['site', site.name],
    ['url', site.url],
    ['event_slug', examples.event],
    ['venue_slug', examples.venue],
    ['organizer_slug', examples.organizer],
    ['next_day', examples.card?.next?.start.slice(0, 10) ?? today],
    ['categories', toTaxonList(taxonomy.categories, lang)],
    ['zones', toTaxonList(taxonomy.zones, lang)],
    ['tool_names', TOOL_NAMES.map((name) => `\`${name}\``).join(', ')],
    [
      'terms',
      TERMS.map((term, at) => `${at + 1}. ${t(lang, `terms.${term}`, { site: site.name })}`).join(
        '\n',
      ),
    ],
    ['key_request', ask],
    ...ERROR_CODES.flatMap((code): (readonly [Placeholder, string])[] => [
      [`error.${code}`, t(lang, `openapi.error.${code}`)],
      [`example.${code}`, toErrorExample(code, site, lang)],
    ]),
  ]);
}
