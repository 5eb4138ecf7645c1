// A page of the site: one spelling for each, the clock's aliases, HTML or Markdown (decisions, HTTP
// 4).
import { chooseMediaType } from '../../http/accept.ts';
import { decodePath, isHiddenPath, toCanonicalPath } from '../../http/address.ts';
import { resolveAlias } from '../../site/day-alias.ts';
import { NO_STORE } from '../../http/cache-control.ts';
import { finish, type Finished, toRepresentation } from '../../http/representation.ts';
import { MARKDOWN_TYPE, PAGE_TYPES, toPageTwinHeaders, toTwinHeaders } from '../../site/alternates.ts';
import { DISCOVERY_LINKS } from '../../site/discovery-links.ts';
import { toPagePath, toTwinPath } from '../../i18n/paths.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Answer, Site } from '../../http/message.ts';
import type { Asked } from './request-context.ts';
import { findMissingPage, findPage } from './find-page.ts';
import { isFormPath } from './forms.ts';
import { toPathLang, toRedirect, toSentence } from './plain-response.ts';
import { dateShown, hasTwin, type Shown, toCacheHeaders } from './shown-page.ts';

/** The answer to GET or HEAD of a page or a file. */
export async function answerPage(asked: Asked): Promise<Finished> {
  const { question, house } = asked;
  const { path, query } = question;
  const decoded = decodePath(path);
  if (decoded === null) return say(asked, toSentence(400, 'error.bad_request', path, house.site));
  const canonical = toCanonicalPath(path);
  if (canonical !== path) return say(asked, toSpelling(canonical, query, house.site));
  if (path === '/') return say(asked, toHome('es', house.site));
  if (path === '/en') return say(asked, toHome('en', house.site));
  if (isHiddenPath(decoded))
    return finish(question, await findMissingPage(asked, toPathLang(path)));
  const alias = resolveAlias(decoded, asked.now_ms);
  const shown = { address: alias ?? decoded, is_alias: alias !== null };
  if (decoded.endsWith('.md')) return answerTwin(asked, shown);
  return hasTwin(asked.state, shown) ? negotiate(asked, shown) : answerFile(asked, shown);
}

/**
 * The way to the one spelling of an address. A status address is a secret: no cache and no other
 * site is told.
 */
function toSpelling(canonical: string, query: string, site: Site): Answer {
  const answer = toRedirect(301, canonical + (query === '' ? '' : `?${query}`), site);
  if (!isFormPath(canonical)) return answer;
  return {
    ...answer,
    headers: { ...answer.headers, 'cache-control': NO_STORE, 'referrer-policy': 'same-origin' },
  };
}

/** The home page is the day's. */
const toHome = (lang: Lang, site: Site): Answer => {
  const answer = toRedirect(302, toPagePath('today', lang), site);
  return { ...answer, headers: { ...answer.headers, link: DISCOVERY_LINKS } };
};

const say = (asked: Asked, answer: Answer): Promise<Finished> =>
  finish(asked.question, toRepresentation(answer));

async function answerFile(asked: Asked, shown: Shown): Promise<Finished> {
  const page = await findPage(asked, shown.address);
  return finish(asked.question, page, toCacheHeaders(asked, shown, page));
}

/** The page in the form that Accept asks for; both forms vary on it, whatever their status. */
async function negotiate(asked: Asked, shown: Shown): Promise<Finished> {
  const { path, headers } = asked.question;
  const type = chooseMediaType(headers.accept, PAGE_TYPES);
  if (type === null)
    return say(
      asked,
      toSentence(406, 'error.not_acceptable', path, asked.house.site, toPageTwinHeaders(path)),
    );
  const twin = type === MARKDOWN_TYPE ? await findPage(asked, toTwinPath(shown.address)) : null;
  // Where there is no twin there is no page either: its 404 is the page's.
  const page = twin && twin.status !== 404 ? twin : await findPage(asked, shown.address);
  const said =
    page.status !== 200
      ? { vary: 'Accept' }
      : page === twin
        ? toTwinHeaders(path, asked.house.site.url, true)
        : toPageTwinHeaders(path);
  return finish(asked.question, dateShown(asked, shown, page), {
    ...toCacheHeaders(asked, shown, page),
    ...said,
  });
}

/** A Markdown file at its own address. */
async function answerTwin(asked: Asked, shown: Shown): Promise<Finished> {
  const { path } = asked.question;
  const found = await findPage(asked, shown.address);
  const is_twin = found.status === 200 && found.headers['content-type'] === MARKDOWN_TYPE;
  const said = is_twin
    ? toTwinHeaders(path.slice(0, -'.md'.length), asked.house.site.url, false)
    : {};
  return finish(asked.question, dateShown(asked, shown, found), {
    ...toCacheHeaders(asked, shown, found),
    ...said,
  });
}
