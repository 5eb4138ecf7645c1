// Form requests: handles public forms, status pages of submissions, newsletter settings and the
// desk (the review site of editors), which Astro renders with access to the inbox. Shared caches
// never store the responses, and scripts of other sites never read them. A secret path is one that
// contains a token or belongs to the desk.
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

const ALLOW_HEADERS = { allow: 'GET, HEAD, POST, OPTIONS' };

/** Creates a test for paths that start with one of the prefixes. */
const prefixMatcher =
  (prefixes: readonly string[]) =>
  (path: string): boolean =>
    prefixes.some((prefix) => path.startsWith(prefix));

const IMPORT_PATHS: readonly string[] = LANGS.map((lang) => pagePath('import', lang));
const PUBLIC_FORM_PATHS: readonly string[] = [
  ...LANGS.map((lang) => pagePath('submit', lang)),
  ...IMPORT_PATHS,
];
const CALENDAR_IMPORT_PREFIXES = LANGS.map((lang) => calendarImportPath('', lang));
const STATUS_PREFIXES = LANGS.map((lang) => submissionStatusPath('', lang));
const NEWSLETTER_PREFIXES = LANGS.map((lang) => newsletterPath('', lang));

const isCalendarImportPath = prefixMatcher(CALENDAR_IMPORT_PREFIXES);
const hasPrivatePrefix = prefixMatcher([
  ...STATUS_PREFIXES,
  ...NEWSLETTER_PREFIXES,
  ...CALENDAR_IMPORT_PREFIXES,
  `${DESK_PATH}/`,
]);
const isSecretPath = (path: string): boolean => path === DESK_PATH || hasPrivatePrefix(path);
const isCorrectionPath = prefixMatcher(
  CORRECTABLE_KINDS.flatMap((kind) => LANGS.map((lang) => correctionFormPath(kind, '', lang))),
);
/**
 * Newsletter paths are included because mail programs also send one-click unsubscribes as
 * multipart.
 */
const hasMultipartPrefix = prefixMatcher([
  ...STATUS_PREFIXES,
  ...NEWSLETTER_PREFIXES,
  `${DESK_PATHS.edit}/`,
]);
const acceptsMultipart = (path: string): boolean =>
  PUBLIC_FORM_PATHS.includes(path) || hasMultipartPrefix(path);

/** Returns true for the path of a form, a status page or the desk, in any spelling. */
export function isFormPath(path: string): boolean {
  const decoded = decodePath(path);
  return (
    decoded !== null &&
    !isPrivatePath(decoded) &&
    (PUBLIC_FORM_PATHS.includes(decoded) || isCorrectionPath(decoded) || isSecretPath(decoded))
  );
}

export const isDeskPath = (path: string): boolean => path.startsWith(DESK_PATH);

/** Returns true if Accept prefers the Markdown version of a public form (contract 11.6). */
export const prefersMarkdown = ({ method, path, headers }: HttpRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  PUBLIC_FORM_PATHS.includes(decodePath(path) ?? path) &&
  negotiateMediaType(headers.accept, PAGE_TYPES) === MARKDOWN_TYPE;

/**
 * Handles any method on the path of a form: receives the submitted form, if any, and renders the
 * page.
 */
export async function handleFormRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, service, release, now_ms } = context;
  const { inbox, site } = service;
  // Without CORS headers, so that browsers refuse requests of other origins.
  if (request.method === 'OPTIONS')
    return encodeForRequest(context, { status: 204, headers: ALLOW_HEADERS, body: null });
  if (!['GET', 'HEAD', 'POST'].includes(request.method))
    return encodeForRequest(
      context,
      plainTextResponse(405, 'error.form_method', request.path, ALLOW_HEADERS),
    );
  if (inbox === null)
    return encodeForRequest(context, errorPageResponse(503, 'error.internal', request, site));
  const path = decodePath(request.path) ?? request.path;
  const calendar = await findSubmissionCalendar(context, inbox, path);
  if (calendar !== null) return encodeForRequest(context, calendar);

  // Public forms are shown without the inbox, and give back the typed text.
  if (isSecretPath(path) && !(await waitUntilReadable(inbox))) throw storageError('inbox_busy');
  const form = await receiveWritableForm(context, inbox, path);
  const visit = createVisitorRequest(context, inbox, form);
  const encoded_path = path.split('/').map(encodeURIComponent).join('/');
  const response = await runWithAdmission(context, 'form', () =>
    release.code.render(encoded_path, { snapshot: release.snapshot, now_ms, site }, visit),
  );
  if (request.method === 'POST') service.onInboxWrite();
  logRenderFailure(context, path, response);
  return encodeForRequest(context, {
    ...response,
    headers: selectFormHeaders(context, path, response, form),
  });
}

/** Receives a submitted form; if the inbox is not writable in time, with the rejection 503. */
async function receiveWritableForm(
  context: RequestContext,
  inbox: Inbox,
  path: string,
): Promise<ReceivedForm> {
  const form = await receiveSubmittedForm(context, inbox, path);
  const writes = context.request.method === 'POST' && form.rejection === null;
  return writes && !(await waitUntilWritable(inbox)) ? { ...form, rejection: 503 } : form;
}

function logRenderFailure(context: RequestContext, path: string, { status }: HttpResponse): void {
  // 503 means that nothing can be stored now; the page itself did not fail.
  if (status < 500 || status === 503) return;
  const page = isSecretPath(path) ? 'a private address' : path;
  context.onError(new Error(`The page at ${page} responded with ${status}`), path);
}

function selectFormHeaders(
  { service: { site }, release }: RequestContext,
  path: string,
  response: HttpResponse,
  form: ReceivedForm,
): HttpResponse['headers'] {
  const { style_hashes } = release.code;
  return {
    'content-type': HTML_TYPE,
    ...pickHeaders(response.headers, ['location', 'set-cookie', 'retry-after']),
    ...securityHeaders('text/html', site.url, { style_hashes }),
    ...(isSecretPath(path) ? SECRET_PAGE_HEADERS : PRIVATE_CACHE_HEADERS),
    ...(isCorrectionPath(path) ? { 'x-robots-tag': 'noindex' } : {}),
    ...(PUBLIC_FORM_PATHS.includes(path) ? pageAlternateHeaders(path) : {}),
    ...(form.is_read ? {} : { connection: 'close' }),
  };
}

/**
 * Serves a submission as a calendar file for its sender, at the status path plus `.ics`.
 * @returns null for other requests and unknown tokens.
 */
async function findSubmissionCalendar(
  { request, service, release, now_ms }: RequestContext,
  inbox: Inbox,
  path: string,
): Promise<HttpResponse | null> {
  const lang = LANGS.find((candidate) => path.startsWith(submissionStatusPath('', candidate)));
  if (request.method === 'POST' || lang === undefined || !path.endsWith(ICS_EXTENSION)) return null;
  const token = path.slice(submissionStatusPath('', lang).length, -ICS_EXTENSION.length);
  const { snapshot } = release;
  const calendar = await buildSubmissionCalendar(
    { snapshot, now_ms, site: service.site },
    inbox,
    token,
    lang,
  );
  if (calendar === null) return null;
  const headers = {
    'content-type': CALENDAR_TYPE,
    'content-disposition': `attachment; filename="${calendar.reference}.ics"`,
    ...SECRET_PAGE_HEADERS,
  };
  return { status: 200, headers, body: calendar.body };
}

async function receiveSubmittedForm(
  context: RequestContext,
  inbox: Inbox,
  path: string,
): Promise<ReceivedForm> {
  if (context.request.method !== 'POST') return EMPTY_FORM;
  if (!isSameOriginForm(context.request, context.service.site))
    return { ...EMPTY_FORM, rejection: 403 };
  if (IMPORT_PATHS.includes(path) || isCalendarImportPath(path))
    return receiveCalendarForm(context);
  return receiveForm(context, inbox, acceptsMultipart(path));
}

function createVisitorRequest(
  context: RequestContext,
  inbox: Inbox,
  { is_read: _, ...form }: ReceivedForm,
): VisitorRequest {
  const { request, service, sender } = context;
  const is_secure = service.site.url.startsWith('https:');
  const cookie_name = is_secure ? '__Host-desk' : 'desk';
  return {
    ...form,
    method: request.method === 'POST' ? 'POST' : 'GET',
    is_secure,
    cookie_name,
    inbox,
    query: parseForm(request.query),
    session_token: parseCookie(request.headers.cookie, cookie_name),
    sender,
    lang: parsePreferredLang(request.headers['accept-language']),
    device: describeUserAgent(request.headers['user-agent']),
    logEvent: service.logEvent,
    readReleaseNews: service.getReleaseStatus,
    sources: service.sources,
    askModel: (prompt) => service.askModel(sender, prompt),
  };
}

const LANG_PATTERN = new RegExp(`\\b(${LANGS.join('|')})\\b`, 'i');

function parsePreferredLang(header: string | undefined): Lang {
  const match = LANG_PATTERN.exec(header ?? '')?.[1]?.toLowerCase();
  return LANGS.find((lang) => lang === match) ?? DEFAULT_LANG;
}
