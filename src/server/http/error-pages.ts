// Error pages: build plain-text errors, redirects and error pages that say when to retry, and count
// rejected requests by kind for the operator, without identifying clients.
import { createHash } from 'node:crypto';
import { type Lang, LANGS } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import { negotiateMediaType } from '../../http/negotiation.ts';
import { CACHE_NO_STORE, PUBLIC_HEADERS, securityHeaders } from '../../http/response-headers.ts';
import { langOfPath } from '../../i18n/paths.ts';
import { type MessageKey, t } from '../../i18n/translate.ts';
import { HTML_TYPE } from '../../site/markdown-responses.ts';

type Headers = Readonly<Record<string, string>>;

const TEXT_HEADERS: Headers = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': CACHE_NO_STORE,
  ...PUBLIC_HEADERS,
};

/** Creates an error as plain text in the language of the path. @param key Key of the text. */
export const plainTextResponse = (
  status: number,
  key: MessageKey,
  path: string,
  headers: Headers = {},
): HttpResponse => ({
  status,
  headers: { ...TEXT_HEADERS, ...headers },
  body: `${t(langOfPath(path), key)}\n`,
});

/** Creates a redirect. @param location Path on this site. */
export const redirectResponse = (
  status: 301 | 302,
  location: string,
  site: Site,
  headers: Headers = {},
): HttpResponse => ({
  status,
  headers: { location, ...TEXT_HEADERS, 'cache-control': 'public, max-age=3600', ...headers },
  body: `${site.url}${location}\n`,
});

const STYLE =
  ':root{color-scheme:light dark}body{max-width:34rem;margin:12vh auto;padding:0 1.25rem;font:1.125rem/1.6 system-ui,sans-serif}h1{font-size:1.5rem;line-height:1.2}section+section{margin-top:3rem}';
const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** Texts of error pages; each says when to try again. */
type ErrorPageKey = Extract<
  MessageKey,
  'error.busy' | 'error.internal' | 'error.too_many_pages' | 'error.unavailable'
>;

const renderSection = (key: ErrorPageKey, lang: Lang, is_get: boolean): string => {
  // An empty href reloads the page. After POST there is no link: the Back button restores the form.
  const retry_link = is_get ? `<p><a href="">${t(lang, 'error.again')}</a></p>` : '';
  return `<section lang="${lang}"><h1>${t(lang, 'error.title')}</h1><p>${t(lang, key)}</p>${retry_link}</section>`;
};

/**
 * Renders the page in both languages, the language of the path first, without external resources.
 */
function renderErrorPage(key: ErrorPageKey, lang: Lang, is_get: boolean): string {
  const sections = [lang, ...LANGS.filter((other) => other !== lang)]
    .map((section_lang) => renderSection(key, section_lang, is_get))
    .join('');
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${t(lang, 'error.title')}</title><style>${STYLE}</style></head><body><main>${sections}</main></body></html>\n`;
}

/** Creates an error page, or plain text for a picture or a client without HTML; never cached. */
export function errorPageResponse(
  status: number,
  key: ErrorPageKey,
  { path, method, headers: request_headers }: HttpRequest,
  site: Site,
  extra: Headers = {},
): HttpResponse {
  const headers = { vary: 'Accept', ...extra };
  const media_type = negotiateMediaType(request_headers.accept, ['text/plain', 'text/html']);
  if (media_type !== 'text/html' || path.endsWith('.png'))
    return plainTextResponse(status, key, path, headers);
  const security = securityHeaders('text/html', site.url, { style_hashes: [STYLE_HASH] });
  return {
    status,
    headers: { ...TEXT_HEADERS, 'content-type': HTML_TYPE, ...security, ...headers },
    body: renderErrorPage(key, langOfPath(path), method !== 'POST'),
  };
}

/**
 * Kind under which a status is counted, in the log and in hoy_refused_total. The names are public.
 */
const KINDS_BY_STATUS = [
  [400, 'malformed'],
  [401, 'not_let_in'],
  [403, 'foreign'],
  [408, 'late'],
  [413, 'too_large'],
  [414, 'too_long'],
  [415, 'wrong_type'],
  [429, 'too_many'],
  [431, 'too_long'],
  [503, 'busy'],
] as const;

/**
 * Kind of a rejected request, including those without a response: aborted, not read in time, too
 * many connections.
 */
export type RejectedRequestKind =
  | (typeof KINDS_BY_STATUS)[number][1]
  | 'cut_off'
  | 'slow_reader'
  | 'connection';
/** Called for each rejected request. */
export type OnRejected = (kind: RejectedRequestKind) => void;

const KIND_OF_STATUS = new Map<number, RejectedRequestKind>(KINDS_BY_STATUS);

/** Returns the kind of a rejection by its status; undefined if the request was not rejected. */
export const rejectedRequestKind = (status: number): RejectedRequestKind | undefined =>
  KIND_OF_STATUS.get(status);

/**
 * Counts rejected requests by kind and reports them once per period, so that strangers cannot fill
 * the log.
 */
export function createRejectionCounter(
  report: (counts_by_kind: Readonly<Record<string, number>>) => void,
  period_ms = 10_000,
): OnRejected {
  const counts = new Map<RejectedRequestKind, number>();
  return (kind) => {
    if (counts.size === 0)
      setTimeout(() => {
        report(Object.fromEntries(counts));
        counts.clear();
      }, period_ms).unref();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  };
}
