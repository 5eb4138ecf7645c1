// What a person's browser gets where no page is made now: both languages, when to try again, nothing to load.
// It is said while many others ask as well, so each is written once and then sent as it is.
import { createHash } from 'node:crypto';
import { type Lang, LANGS } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import { chooseMediaType } from '../../http/negotiation.ts';
import { NO_STORE, OPEN_HEADERS, toSecurityHeaders } from '../../http/response-headers.ts';
import { toPathLang } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { HTML_TYPE } from '../../site/alternates.ts';
import { toSentence } from './plain-response.ts';

const STYLE =
  ':root{color-scheme:light dark}body{max-width:34rem;margin:12vh auto;padding:0 1.25rem;font:1.125rem/1.6 system-ui,sans-serif}h1{font-size:1.5rem;line-height:1.2}section+section{margin-top:3rem}';
const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** The refusals that a person may meet, each a sentence that says when to try again. */
export type RefusalKey = Extract<
  Key,
  'error.busy' | 'error.internal' | 'error.too_many_pages' | 'error.unavailable'
>;

const toSection = (key: RefusalKey, lang: Lang, is_read: boolean): string => {
  // An empty address is that of the page itself; what was sent by a form is brought back by going back.
  const again = is_read ? `<p><a href="">${t(lang, 'error.again')}</a></p>` : '';
  return `<section lang="${lang}"><h1>${t(lang, 'error.title')}</h1><p>${t(lang, key)}</p>${again}</section>`;
};

const pages = new Map<string, Buffer>();

/** The page, in the language of its address first. */
function findPage(key: RefusalKey, lang: Lang, is_read: boolean): Buffer {
  const name = `${key} ${lang} ${is_read}`;
  const kept = pages.get(name);
  if (kept) return kept;
  const sections = [lang, ...LANGS.filter((each) => each !== lang)]
    .map((each) => toSection(key, each, is_read))
    .join('');
  const page = Buffer.from(
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${t(lang, 'error.title')}</title><style>${STYLE}</style></head><body><main>${sections}</main></body></html>\n`,
  );
  pages.set(name, page);
  return page;
}

const TYPES = ['text/plain', 'text/html'] as const;

/** A page where a page was asked for, else the sentence as plain text; never stored by a cache. */
export function toRefusal(
  status: number,
  key: RefusalKey,
  { path, method, headers: asked }: HttpRequest,
  site: Site,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const varied = { vary: 'Accept', ...headers };
  if (chooseMediaType(asked.accept, TYPES) !== 'text/html')
    return toSentence(status, key, path, site, varied);
  return {
    status,
    headers: {
      'content-type': HTML_TYPE,
      'cache-control': NO_STORE,
      ...OPEN_HEADERS,
      ...toSecurityHeaders('text/html', site.url, { style_hashes: [STYLE_HASH] }),
      ...varied,
    },
    body: findPage(key, toPathLang(path), method !== 'POST'),
  };
}
