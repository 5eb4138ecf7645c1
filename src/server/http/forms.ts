// The forms, the status pages and the desk: in no shared cache, never open to other sites, rendered
// by Astro with the inbox at hand.
import { CORRECTABLE } from '../../domain/correction.ts';
import { DEFAULT_LANG, type Lang, LANGS } from '../../domain/lang.ts';
import { decodePath } from '../../http/address.ts';
import { isOwnPage, parseForm, readCookie } from '../../http/form-body.ts';
import { toDeviceName } from '../../http/device-name.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import { chooseMediaType } from '../../http/negotiation.ts';
import {
  encodeResponse,
  type EncodedResponse,
  toRepresentation,
} from '../../http/representation.ts';
import { NO_STORE, OWN_COPY, toSecurityHeaders } from '../../http/response-headers.ts';
import {
  DESK_PATH,
  DESK_PATHS,
  toBatchPath,
  toCorrectPath,
  toPagePath,
  toStatusPath,
} from '../../i18n/paths.ts';
import { type Inbox, toBusyError } from '../../inbox/open.ts';
import {
  HTML_TYPE,
  MARKDOWN_TYPE,
  PAGE_TYPES,
  toPageAlternateHeaders,
} from '../../site/alternates.ts';
import type { SentCalendar, Visit } from '../../site/visit.ts';
import { admit } from './admit.ts';
import { toSender } from './client-address.ts';
import { readSentCalendar } from './calendar-door.ts';
import { isHiddenPath } from './find-page.ts';
import { untilReadable, untilWritable } from './inbox-gate.ts';
import { readSent, type Sent } from './sent-form.ts';
import { answerStatusCopy } from './status-copy.ts';
import { toSentence } from './plain-response.ts';
import { toRefusal } from './refusal-page.ts';
import type { RequestContext } from './request-context.ts';

const ALLOW = 'GET, HEAD, POST';
/** The headers of a page that are passed on to the visitor. */
const PASSED_HEADERS = ['location', 'set-cookie', 'retry-after'] as const;

const IMPORTS: readonly string[] = LANGS.map((lang) => toPagePath('import', lang));
const BATCHES = LANGS.map((lang) => toBatchPath('', lang));
const FORMS: readonly string[] = [...LANGS.map((lang) => toPagePath('submit', lang)), ...IMPORTS];
const STATUS = LANGS.map((lang) => toStatusPath('', lang));
const PRIVATE = [...STATUS, ...BATCHES, `${DESK_PATH}/`];

const CORRECTIONS = CORRECTABLE.flatMap((kind) =>
  LANGS.map((lang) => toCorrectPath(kind, '', lang)),
);

const isCorrection = (path: string): boolean => CORRECTIONS.some((start) => path.startsWith(start));
/** Whether calendars are brought in there. */
const takesCalendars = (path: string): boolean =>
  IMPORTS.includes(path) || BATCHES.some((start) => path.startsWith(start));
const WITH_PICTURE = [...STATUS, `${DESK_PATHS.edit}/`];
/** Whether its form has a picture. */
const takesFiles = (path: string): boolean =>
  FORMS.includes(path) || WITH_PICTURE.some((start) => path.startsWith(start));
const isPrivate = (path: string): boolean =>
  path === DESK_PATH || PRIVATE.some((start) => path.startsWith(start));

/** Whether a path, as sent, is one of these. */
export function isFormPath(path: string): boolean {
  const decoded = decodePath(path);
  return (
    decoded !== null &&
    !isHiddenPath(decoded) &&
    (FORMS.includes(decoded) || isCorrection(decoded) || isPrivate(decoded))
  );
}

/** Whether a path of these is the desk's. */
export const isDeskPath = (path: string): boolean => path.startsWith(DESK_PATH);

/** Whether the twin of a form is asked for, at the form's own address (contract 11.6). */
export const isTwinAsked = ({ method, path, headers }: HttpRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  FORMS.includes(decodePath(path) ?? path) &&
  chooseMediaType(headers.accept, PAGE_TYPES) === MARKDOWN_TYPE;

/** The response to any method on a form, a status page or the desk. */
export async function handleFormRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, service, state, now_ms } = context;
  const { inbox, site } = service;
  const refuse = (refusal: HttpResponse): Promise<EncodedResponse> =>
    encodeResponse(request, toRepresentation(refusal));
  if (!['GET', 'HEAD', 'POST'].includes(request.method))
    return refuse(toSentence(405, 'error.form_method', request.path, site, { allow: ALLOW }));
  if (inbox === null) return refuse(toRefusal(503, 'error.internal', request, site));
  const path = decodePath(request.path) ?? request.path;
  const copy = answerStatusCopy(context, inbox, path);
  if (copy !== null) return encodeResponse(request, { ...toRepresentation(copy), tag: null });
  if (!(await untilReadable(inbox))) throw toBusyError();
  const read = await readSentTo(context, inbox, path);
  const is_kept = request.method !== 'POST' || read.refusal !== null;
  const sent: SentAny = is_kept || (await untilWritable(inbox)) ? read : { ...read, refusal: 503 };
  const visit = toVisit(context, inbox, sent);
  const address = path.split('/').map(encodeURIComponent).join('/');
  const response = await admit(context, 'form', () =>
    state.render(address, { snapshot: state.snapshot, now_ms, site }, visit),
  );
  // 503 is said where nothing can be stored, and is no fault of the page.
  if (response.status >= 500 && response.status !== 503) {
    const page = isPrivate(path) ? 'a private address' : path;
    service.onError(new Error(`The page at ${page} answered ${response.status}`), path);
  }
  const extra: Record<string, string> = sent.is_read ? {} : { connection: 'close' };
  const headers = toHeaders(response, path, context);
  return encodeResponse(
    request,
    { ...toRepresentation({ ...response, headers }), tag: null },
    extra,
  );
}

function toHeaders(
  response: HttpResponse,
  path: string,
  { service, state }: RequestContext,
): Record<string, string> {
  const passed = Object.fromEntries(
    PASSED_HEADERS.flatMap((name) =>
      response.headers[name] === undefined ? [] : [[name, response.headers[name]]],
    ),
  );
  return {
    'content-type': HTML_TYPE,
    ...passed,
    'cache-control': isPrivate(path) ? NO_STORE : OWN_COPY,
    ...toSecurityHeaders('text/html', service.site.url, { style_hashes: state.style_hashes }),
    // Not no-referrer: with that, browsers say `Origin: null` of our own forms. Other sites are
    // told nothing either way.
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isPrivate(path) ? { 'x-robots-tag': 'noindex, nofollow, noarchive' } : {}),
    ...(isCorrection(path) ? { 'x-robots-tag': 'noindex' } : {}),
    ...(FORMS.includes(path) ? toPageAlternateHeaders(path) : {}),
  };
}

/** What was sent to any form, with the picture or the calendar in it. */
interface SentAny extends Sent {
  readonly calendar: SentCalendar | null;
}

const NOTHING_SENT: SentAny = {
  fields: {},
  refusal: null,
  picture_problem: null,
  retry_at_ms: null,
  calendar: null,
  is_read: true,
};

async function readSentTo(context: RequestContext, inbox: Inbox, path: string): Promise<SentAny> {
  if (context.request.method !== 'POST') return NOTHING_SENT;
  if (!isOwnPage(context.request, context.service.site)) return { ...NOTHING_SENT, refusal: 403 };
  if (takesCalendars(path)) return readSentCalendar(context);
  return { ...(await readSent(context, inbox, takesFiles(path))), calendar: null };
}

function toVisit(context: RequestContext, inbox: Inbox, sent: SentAny): Visit {
  const { request, service, socket_address } = context;
  const is_secure = service.site.url.startsWith('https:');
  const cookie_name = is_secure ? '__Host-desk' : 'desk';
  return {
    method: request.method === 'POST' ? 'POST' : 'GET',
    fields: sent.fields,
    refusal: sent.refusal,
    picture_problem: sent.picture_problem,
    retry_at_ms: sent.retry_at_ms,
    calendar: sent.calendar,
    is_secure,
    cookie_name,
    inbox,
    query: parseForm(request.query),
    session_token: readCookie(request.headers.cookie, cookie_name),
    sender: toSender(request, socket_address, service.access),
    lang: toPreferredLang(request.headers['accept-language']),
    device: toDeviceName(request.headers['user-agent']),
    note: service.onNote,
    requestRelease: service.requestRelease,
    readReleaseNews: service.readReleaseNews,
  };
}

const LANG_NAME = new RegExp(`\\b(${LANGS.join('|')})\\b`, 'i');

/** The first of our languages that the browser names. */
function toPreferredLang(header: string | undefined): Lang {
  const name = LANG_NAME.exec(header ?? '')?.[1]?.toLowerCase();
  return LANGS.find((lang) => lang === name) ?? DEFAULT_LANG;
}
