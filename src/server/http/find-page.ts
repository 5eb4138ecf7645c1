// The page at an address: a file of the release, or what Astro renders, kept until the day or the
// release changes.
import { floorToMinute } from '../../domain/cancun-time.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import { NO_STORE, PAGE } from '../../http/cache-control.ts';
import { OPEN_HEADERS } from '../../http/cors.ts';
import type { Answer } from '../../http/message.ts';
import { type Representation, toRepresentation } from '../../http/representation.ts';
import { toSecurityHeaders } from '../../http/security-headers.ts';
import { findToday } from '../../domain/today.ts';
import { HTML_TYPE } from '../../site/alternates.ts';
import { toPagePath } from '../../i18n/paths.ts';
import type { Asked } from './request-context.ts';
import { toFileRepresentation } from './file-representation.ts';

/** What Astro says that goes on to the reader; the rest is ours to say. */
const KEPT_HEADERS = ['content-type', 'location', 'cache-control', 'x-robots-tag'] as const;
/** Answers that the same address gets again until something changes. */
const KEPT_STATUS: ReadonlySet<number> = new Set([200, 301, 404, 410]);
/** Pages that answer what is asked behind their address, and say what comes next. */
const ANSWERS_QUERY: ReadonlySet<string> = new Set(
  LANGS.map((lang) => toPagePath('calendar', lang)),
);
/** A page that is not there may come with the next release. */
const MISSING = 'public, max-age=60';

/** What every page and file says, whatever it is. */
export const toCommonHeaders = (
  type: string,
  site_url: string,
): Readonly<Record<string, string>> => ({
  'content-type': type,
  ...OPEN_HEADERS,
  ...toSecurityHeaders(type, site_url),
});

/** The page or file at an address, decoded; a 404 page where there is none. */
export async function findPage(asked: Asked, address: string): Promise<Representation> {
  const { state, house, question } = asked;
  const entry = state.files.get(address);
  if (entry) return toFileRepresentation(state, entry, toCommonHeaders(entry.type, house.site.url));
  const key = toKey(asked, address);
  const kept = key === null ? undefined : state.answers.get(key);
  if (kept) return kept;
  const page = await render(asked, address + (question.query === '' ? '' : `?${question.query}`));
  if (key !== null && KEPT_STATUS.has(page.status)) state.answers.set(key, page);
  return page;
}

/**
 * Under what a rendered page is kept: its day and address, or its minute, address and query where
 * it answers those. Null for what is not kept. The store holds a number of bytes, so many queries
 * only push each other out.
 */
function toKey({ question, now_ms }: Asked, address: string): string | null {
  if (ANSWERS_QUERY.has(address))
    return `page ${floorToMinute(now_ms)} ${address}?${question.query}`;
  return question.query === '' ? `page ${findToday(now_ms).day} ${address}` : null;
}

/** The 404 page, for an address that is nobody's business, whatever its query. */
export function findMissingPage(asked: Asked, lang: Lang): Promise<Representation> {
  return findPage(
    { ...asked, question: { ...asked.question, query: '' } },
    lang === 'en' ? '/en/404' : '/404',
  );
}

async function render({ state, now_ms, house }: Asked, url: string): Promise<Representation> {
  const [address = '', query] = url.split(/\?(.*)/s);
  const encoded =
    address.split('/').map(encodeURIComponent).join('/') + (query === undefined ? '' : `?${query}`);
  const answer = await state.render(encoded, {
    snapshot: state.snapshot,
    now_ms,
    site: house.site,
  });
  if (answer.status >= 500)
    house.onFault(new Error(`The page at ${address} answered ${answer.status}`), address);
  return toRepresentation({ ...answer, headers: toHeaders(answer, house.site.url) });
}

function toHeaders(answer: Answer, site_url: string): Record<string, string> {
  const said = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = answer.headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const type =
    said['content-type'] === undefined || said['content-type'] === 'text/html'
      ? HTML_TYPE
      : said['content-type'];
  const cache = answer.status >= 500 ? NO_STORE : answer.status >= 400 ? MISSING : PAGE;
  return { 'cache-control': cache, ...said, ...toCommonHeaders(type, site_url) };
}
