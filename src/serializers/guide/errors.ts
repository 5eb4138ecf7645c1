// The page of errors: every code with what it means, when it comes, what to do, and an example
// (contract 9.3, 9.5).
import { type GuideBlock, type GuideSection, toSection } from '../../domain/api-guide.ts';
import { ERROR_CODES, type ErrorCode, STATUS_OF } from '../../domain/app-error.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { t } from '../../i18n/translate.ts';
import { MESSAGES } from '../openapi/responses.ts';
import { toShortJson } from '../openapi/short-json.ts';
import { toErrorBody } from '../wire/error.ts';

const NOTES = ['body', 'decide', 'order', 'mcp'] as const;

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

function toExample(code: ErrorCode, site: Site, lang: Lang): GuideBlock {
  const label = t(lang, 'errors.label.example');
  const sentence = SENTENCES[code];
  const body = sentence === undefined ? OTHERS[code] : toErrorBody(code, sentence, site);
  // Only a page is asked for in a form that it has not; it answers in words.
  return body === undefined
    ? { label, language: 'text', text: t(lang, 'error.not_acceptable') }
    : { label, language: 'json', text: toShortJson(body) };
}

function toCodeSection(code: ErrorCode, site: Site, lang: Lang): GuideSection {
  return toSection(code, `${STATUS_OF[code]} ${code}`, [t(lang, `openapi.error.${code}`)], {
    rows: [
      { label: t(lang, 'errors.label.when'), text: t(lang, `errors.when.${code}`) },
      { label: t(lang, 'errors.label.do'), text: t(lang, `errors.do.${code}`) },
    ],
    blocks: [toExample(code, site, lang)],
  });
}

/** How an error is read, then each code in order of status. */
export const toErrorSections = (site: Site, lang: Lang): readonly GuideSection[] => [
  toSection(
    'read',
    t(lang, 'errors.read'),
    NOTES.map((note) => t(lang, `errors.read.${note}`)),
  ),
  ...ERROR_CODES.map((code) => toCodeSection(code, site, lang)),
];
