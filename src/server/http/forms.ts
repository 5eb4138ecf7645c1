// The door of the form, the status pages and the desk: cached by nobody else, never open to other
// sites, answered by Astro with the inbox at hand.
import { decodePath, isHiddenPath, toCanonicalPath } from '../../http/address.ts';
import { NO_STORE, OWN_COPY } from '../../http/cache-control.ts';
import { toClientAddress, toCountedAddress } from '../../http/client-address.ts';
import type { Answer } from '../../http/message.ts';
import { isForm, isOwnPage, MAX_FORM_BYTES, parseForm, readCookie } from '../../http/form-body.ts';
import { finish, type Finished, toRepresentation } from '../../http/representation.ts';
import { toSecurityHeaders } from '../../http/security-headers.ts';
import { HTML_TYPE } from '../../site/alternates.ts';
import type { Lang } from '../../domain/lang.ts';
import { toPagePath } from '../../i18n/paths.ts';
import { DESK_PATH, toStatusPath } from '../../i18n/service-paths.ts';
import type { Inbox } from '../../inbox/open.ts';
import type { Visit, VisitRefusal } from '../../site/visit.ts';
import type { Asked } from './request-context.ts';
import { toSentence } from './plain-response.ts';

const ALLOW = 'GET, HEAD, POST';
/** What a page says that goes on to the visitor. */
const KEPT_HEADERS = ['location', 'set-cookie'] as const;

const FORMS: readonly string[] = [toPagePath('submit', 'es'), toPagePath('submit', 'en')];
const SECRET = [toStatusPath('', 'es'), toStatusPath('', 'en'), `${DESK_PATH}/`] as const;

const isPrivate = (path: string): boolean =>
  path === DESK_PATH || SECRET.some((start) => path.startsWith(start));

/** Whether a path, as sent, is answered here. */
export function isFormPath(path: string): boolean {
  const decoded = decodePath(path);
  return (
    decoded !== null &&
    toCanonicalPath(decoded) === decoded &&
    !isHiddenPath(decoded) &&
    (FORMS.includes(decoded) || isPrivate(decoded))
  );
}

/** The answer to any method on the form, a status page or the desk. */
export async function answerFormQuestion(asked: Asked): Promise<Finished> {
  const { question, house } = asked;
  const { inbox } = house;
  if (!['GET', 'HEAD', 'POST'].includes(question.method)) {
    return finish(
      question,
      toRepresentation(
        toSentence(405, 'error.form_method', question.path, house.site, { allow: ALLOW }),
      ),
    );
  }
  if (inbox === null)
    return finish(
      question,
      toRepresentation(toSentence(503, 'error.internal', question.path, house.site)),
    );
  const path = decodePath(question.path) ?? question.path;
  const visit = await readVisit(asked, inbox);
  const answer = await asked.state.render(
    path.split('/').map(encodeURIComponent).join('/'),
    { snapshot: asked.state.snapshot, now_ms: asked.now_ms, site: house.site },
    visit,
  );
  if (answer.status >= 500)
    house.onFault(
      new Error(
        `The page at ${isPrivate(path) ? 'a private address' : path} answered ${answer.status}`,
      ),
      path,
    );
  const extra: Record<string, string> = visit.refusal === 413 ? { connection: 'close' } : {};
  return finish(
    question,
    {
      ...toRepresentation({ ...answer, headers: toHeaders(answer, path, house.site.url) }),
      tag: null,
    },
    extra,
  );
}

function toHeaders(answer: Answer, path: string, site_url: string): Record<string, string> {
  const said = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) =>
      answer.headers[name] === undefined ? [] : [[name, answer.headers[name]]],
    ),
  );
  return {
    'content-type': HTML_TYPE,
    ...said,
    'cache-control': isPrivate(path) ? NO_STORE : OWN_COPY,
    ...toSecurityHeaders('text/html', site_url),
    // Not no-referrer: with that, browsers say `Origin: null` of our own forms. Other sites are
    // told nothing either way.
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isPrivate(path) ? { 'x-robots-tag': 'noindex, nofollow, noarchive' } : {}),
  };
}

async function readVisit(asked: Asked, inbox: Inbox): Promise<Visit> {
  const { question, house, socket_address } = asked;
  const method = question.method === 'POST' ? 'POST' : 'GET';
  const { fields, refusal } =
    method === 'POST' ? await readFields(asked) : { fields: {}, refusal: null };
  const is_secure = house.site.url.startsWith('https:');
  const cookie_name = is_secure ? '__Host-desk' : 'desk';
  return {
    method,
    fields,
    refusal,
    is_secure,
    cookie_name,
    inbox,
    query: parseForm(question.query),
    session_token: readCookie(question.headers.cookie, cookie_name),
    sender: toCountedAddress(
      toClientAddress(
        socket_address,
        question.headers['x-forwarded-for'],
        house.door.trusted_proxies,
      ),
    ),
    lang: toPreferredLang(question.headers['accept-language']),
    requestRelease: house.requestRelease,
    readReleaseNews: house.readReleaseNews,
  };
}

async function readFields(
  asked: Asked,
): Promise<{ fields: Record<string, string>; refusal: VisitRefusal | null }> {
  const { question, house } = asked;
  if (!isOwnPage(question, house.site)) return { fields: {}, refusal: 403 };
  if (!isForm(question.headers['content-type'])) return { fields: {}, refusal: 415 };
  const body = await asked.readBody(MAX_FORM_BYTES);
  return body.length > MAX_FORM_BYTES
    ? { fields: {}, refusal: 413 }
    : { fields: parseForm(body.toString('utf8')), refusal: null };
}

/** The first of our two languages that the browser names. */
const toPreferredLang = (header: string | undefined): Lang =>
  /\b(es|en)\b/i.exec(header ?? '')?.[1]?.toLowerCase() === 'en' ? 'en' : 'es';
