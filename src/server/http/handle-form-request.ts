// The forms, the status pages and the desk: in no shared cache, never open to other sites, rendered
// by Astro with the inbox at hand.
import { CORRECTABLE_KINDS } from '../../domain/correction.ts';
import { DEFAULT_LANG, type Lang, LANGS } from '../../domain/lang.ts';
import { parseForm } from '../../http/form-body.ts';
import { decodePath, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import { negotiateMediaType } from '../../http/negotiation.ts';
import { isSameOriginForm, parseCookie, describeUserAgent } from '../../http/request-origin.ts';
import type { EncodedResponse } from '../../http/representation.ts';
import { securityHeaders } from '../../http/response-headers.ts';
import {
  DESK_PATH,
  DESK_PATHS,
  calendarImportPath,
  correctionFormPath,
  pagePath,
  newsletterPath,
  submissionStatusPath,
} from '../../i18n/paths.ts';
import { storageError } from '../../inbox/database-engine.ts';
import type { Inbox } from '../../inbox/open.ts';
import { CALENDAR_TYPE } from '../../serializers/icalendar.ts';
import {
  HTML_TYPE,
  MARKDOWN_TYPE,
  PAGE_TYPES,
  pageAlternateHeaders,
} from '../../site/markdown-responses.ts';
import { ICS_EXTENSION, buildSubmissionCalendar } from '../../site/forms/submission-calendar.ts';
import type { VisitorRequest } from '../../site/visitor-request.ts';
import { runWithAdmission, waitUntilReadable, waitUntilWritable } from './admission.ts';
import { isPrivatePath, pickHeaders } from './page-response.ts';
import { errorPageResponse, plainTextResponse } from './error-pages.ts';
import { encodeForRequest, type RequestContext } from './request-context.ts';
import {
  EMPTY_FORM,
  PRIVATE_CACHE_HEADERS,
  SECRET_PAGE_HEADERS,
  receiveForm,
  receiveCalendarForm,
  type ReceivedForm,
} from './receive-form.ts';

const ALLOW = 'GET, HEAD, POST';

const beginsWith =
  (starts: readonly string[]) =>
  (path: string): boolean =>
    starts.some((start) => path.startsWith(start));

const IMPORTS: readonly string[] = LANGS.map((lang) => pagePath('import', lang));
const FORMS: readonly string[] = [...LANGS.map((lang) => pagePath('submit', lang)), ...IMPORTS];
const BATCHES = LANGS.map((lang) => calendarImportPath('', lang));
const STATUS = LANGS.map((lang) => submissionStatusPath('', lang));
const READERS = LANGS.map((lang) => newsletterPath('', lang));

const isBatch = beginsWith(BATCHES);
const isBelowPrivate = beginsWith([...STATUS, ...READERS, ...BATCHES, `${DESK_PATH}/`]);
const isPrivate = (path: string): boolean => path === DESK_PATH || isBelowPrivate(path);
const isCorrection = beginsWith(
  CORRECTABLE_KINDS.flatMap((kind) => LANGS.map((lang) => correctionFormPath(kind, '', lang))),
);
/** Mail programs send a reader's wish in parts, too. */
const isInParts = beginsWith([...STATUS, ...READERS, `${DESK_PATHS.edit}/`]);
const takesFiles = (path: string): boolean => FORMS.includes(path) || isInParts(path);

export function isFormPath(path: string): boolean {
  const decoded = decodePath(path);
  return (
    decoded !== null &&
    !isPrivatePath(decoded) &&
    (FORMS.includes(decoded) || isCorrection(decoded) || isPrivate(decoded))
  );
}

export const isDeskPath = (path: string): boolean => path.startsWith(DESK_PATH);

/** Whether the Markdown version of a form is asked for, at the form's own address (contract 11.6). */
export const prefersMarkdown = ({ method, path, headers }: HttpRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  FORMS.includes(decodePath(path) ?? path) &&
  negotiateMediaType(headers.accept, PAGE_TYPES) === MARKDOWN_TYPE;

export async function handleFormRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, service, state, now_ms } = context;
  const { inbox, site } = service;
  if (!['GET', 'HEAD', 'POST'].includes(request.method))
    return encodeForRequest(
      context,
      plainTextResponse(405, 'error.form_method', request.path, { allow: ALLOW }),
    );
  if (inbox === null)
    return encodeForRequest(context, errorPageResponse(503, 'error.internal', request, site));
  const path = decodePath(request.path) ?? request.path;
  const copy = await findStatusCopy(context, inbox, path);
  if (copy !== null) return encodeForRequest(context, copy);
  // A form is shown without it, and gives back what was typed.
  if (isPrivate(path) && !(await waitUntilReadable(inbox))) throw storageError('inbox_busy');
  const read = await readSentTo(context, inbox, path);
  const is_kept = request.method !== 'POST' || read.refusal !== null;
  const sent: ReceivedForm =
    is_kept || (await waitUntilWritable(inbox)) ? read : { ...read, refusal: 503 };
  const visit = toVisit(context, inbox, sent);
  const address = path.split('/').map(encodeURIComponent).join('/');
  const response = await runWithAdmission(context, 'form', () =>
    state.code.render(address, { snapshot: state.snapshot, now_ms, site }, visit),
  );
  if (request.method === 'POST') service.onWritten();
  // 503 is said where nothing can be stored, and is no fault of the page.
  if (response.status >= 500 && response.status !== 503) {
    const page = isPrivate(path) ? 'a private address' : path;
    context.onError(new Error(`The page at ${page} answered ${response.status}`), path);
  }
  const { style_hashes } = state.code;
  const headers = {
    'content-type': HTML_TYPE,
    ...pickHeaders(response.headers, ['location', 'set-cookie', 'retry-after']),
    ...securityHeaders('text/html', site.url, { style_hashes }),
    ...(isPrivate(path) ? SECRET_PAGE_HEADERS : PRIVATE_CACHE_HEADERS),
    ...(isCorrection(path) ? { 'x-robots-tag': 'noindex' } : {}),
    ...(FORMS.includes(path) ? pageAlternateHeaders(path) : {}),
    ...(sent.is_read ? {} : { connection: 'close' }),
  };
  return encodeForRequest(context, { ...response, headers });
}

/** A sender's copy for their calendar, at the status page's address with `.ics` behind it; null elsewhere. */
async function findStatusCopy(
  { request, service, state, now_ms }: RequestContext,
  inbox: Inbox,
  path: string,
): Promise<HttpResponse | null> {
  const lang = LANGS.find((one) => path.startsWith(submissionStatusPath('', one)));
  if (request.method === 'POST' || lang === undefined || !path.endsWith(ICS_EXTENSION)) return null;
  const token = path.slice(submissionStatusPath('', lang).length, -ICS_EXTENSION.length);
  const { snapshot } = state;
  const copy = await buildSubmissionCalendar(
    { snapshot, now_ms, site: service.site },
    inbox,
    token,
    lang,
  );
  if (copy === null) return null;
  const headers = {
    'content-type': CALENDAR_TYPE,
    'content-disposition': `attachment; filename="${copy.reference}.ics"`,
    ...SECRET_PAGE_HEADERS,
  };
  return { status: 200, headers, body: copy.body };
}

async function readSentTo(
  context: RequestContext,
  inbox: Inbox,
  path: string,
): Promise<ReceivedForm> {
  if (context.request.method !== 'POST') return EMPTY_FORM;
  if (!isSameOriginForm(context.request, context.service.site))
    return { ...EMPTY_FORM, refusal: 403 };
  if (IMPORTS.includes(path) || isBatch(path)) return receiveCalendarForm(context);
  return receiveForm(context, inbox, takesFiles(path));
}

function toVisit(
  context: RequestContext,
  inbox: Inbox,
  { is_read: _, ...sent }: ReceivedForm,
): VisitorRequest {
  const { request, service, sender } = context;
  const is_secure = service.site.url.startsWith('https:');
  const cookie_name = is_secure ? '__Host-desk' : 'desk';
  return {
    ...sent,
    method: request.method === 'POST' ? 'POST' : 'GET',
    is_secure,
    cookie_name,
    inbox,
    query: parseForm(request.query),
    session_token: parseCookie(request.headers.cookie, cookie_name),
    sender,
    lang: toPreferredLang(request.headers['accept-language']),
    device: describeUserAgent(request.headers['user-agent']),
    note: service.onNote,
    readReleaseNews: service.readReleaseNews,
    sources: service.sources,
    askModel: (asked) => service.askModel(sender, asked),
  };
}

const LANG_NAME = new RegExp(`\\b(${LANGS.join('|')})\\b`, 'i');

function toPreferredLang(header: string | undefined): Lang {
  const name = LANG_NAME.exec(header ?? '')?.[1]?.toLowerCase();
  return LANGS.find((lang) => lang === name) ?? DEFAULT_LANG;
}
