// What is said where no page is: a sentence, a redirect, a page that says when to try again; and the kinds of
// refusals that tell an operator something and nobody who it was.
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

/** `location` is a path of this site. */
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

/** The refusals that a person may meet, each a sentence that says when to try again. */
type RefusalKey = Extract<
  MessageKey,
  'error.busy' | 'error.internal' | 'error.too_many_pages' | 'error.unavailable'
>;

const toSection = (key: RefusalKey, lang: Lang, is_read: boolean): string => {
  // An empty address is that of the page itself; what was sent by a form is brought back by going back.
  const again = is_read ? `<p><a href="">${t(lang, 'error.again')}</a></p>` : '';
  return `<section lang="${lang}"><h1>${t(lang, 'error.title')}</h1><p>${t(lang, key)}</p>${again}</section>`;
};

/** Both languages, that of the address first; nothing to load. */
function writeRefusalPage(key: RefusalKey, lang: Lang, is_read: boolean): string {
  const sections = [lang, ...LANGS.filter((each) => each !== lang)]
    .map((each) => toSection(key, each, is_read))
    .join('');
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${t(lang, 'error.title')}</title><style>${STYLE}</style></head><body><main>${sections}</main></body></html>\n`;
}

/** A page where a page was asked for, else the sentence as plain text; never stored by a cache. */
export function errorPageResponse(
  status: number,
  key: RefusalKey,
  { path, method, headers: asked }: HttpRequest,
  site: Site,
  extra: Headers = {},
): HttpResponse {
  const headers = { vary: 'Accept', ...extra };
  if (negotiateMediaType(asked.accept, ['text/plain', 'text/html']) !== 'text/html')
    return plainTextResponse(status, key, path, headers);
  const security = securityHeaders('text/html', site.url, { style_hashes: [STYLE_HASH] });
  return {
    status,
    headers: { ...TEXT_HEADERS, 'content-type': HTML_TYPE, ...security, ...headers },
    body: writeRefusalPage(key, langOfPath(path), method !== 'POST'),
  };
}

const KINDS = [
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

/** Also what is never answered: cut off, not read in time, one connection too many. */
export type RejectedRequestKind =
  | (typeof KINDS)[number][1]
  | 'cut_off'
  | 'slow_reader'
  | 'connection';
export type OnRejected = (kind: RejectedRequestKind) => void;

const BY_STATUS = new Map<number, RejectedRequestKind>(KINDS);

export const rejectedRequestKind = (status: number): RejectedRequestKind | undefined =>
  BY_STATUS.get(status);

/** Counts refusals and tells them together, so that no stranger fills the log: how many of each kind. */
export function createRejectionCounter(
  tell: (refused: Readonly<Record<string, number>>) => void,
  period_ms = 10_000,
): OnRejected {
  const counts = new Map<RejectedRequestKind, number>();
  return (kind) => {
    if (counts.size === 0)
      setTimeout(() => {
        tell(Object.fromEntries(counts));
        counts.clear();
      }, period_ms).unref();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  };
}
