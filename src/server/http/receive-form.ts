// Form reception: reads the fields of a form; re-encodes and stores an uploaded picture and serves
// it at a private path; receives a calendar as a file or fetches it from a URL on the public
// internet.
import { storePendingUpload, touchUpload, deriveUploadId, getUpload } from '../../inbox/uploads.ts';
import type { Inbox } from '../../inbox/open.ts';
import { IMPORT_LIMITS, replaceWebcal } from '../../domain/imported-events.ts';
import type { PictureProblem } from '../../domain/submission/submitted-picture.ts';
import { decodePath } from '../../http/message.ts';
import {
  isForm,
  isMultipart,
  MAX_ACCEPTED_FORM_BYTES,
  MAX_READ_FORM_BYTES,
  type MultipartForm,
  parseForm,
  parsePartialForm,
  parseMultipart,
} from '../../http/form-body.ts';
import type { EncodedResponse } from '../../http/representation.ts';
import { CACHE_NO_STORE, CACHE_PRIVATE } from '../../http/response-headers.ts';
import { uploadPath } from '../../i18n/paths.ts';
import { MAX_PICTURE_BYTES } from '../../domain/pictures.ts';
import { encodeUpload, PictureError } from '../../pictures/encode-picture.ts';
import type { VisitorRequest } from '../../site/visitor-request.ts';
import { QueueFullError } from '../fair-queue.ts';
import { plainTextResponse } from './error-pages.ts';
import { encodeForRequest, type RequestContext, type ServiceContext } from './request-context.ts';

/** A submitted form. `rejection`: HTTP status if it must not be processed; null otherwise. */
export interface ReceivedForm
  extends Pick<
    VisitorRequest,
    'fields' | 'rejection' | 'picture_problem' | 'retry_at_ms' | 'calendar'
  > {
  /** The request body was read to its end. */
  readonly is_read: boolean;
}

/** Form of a request that submits none. */
export const EMPTY_FORM: ReceivedForm = {
  fields: {},
  rejection: null,
  picture_problem: null,
  retry_at_ms: null,
  calendar: null,
  is_read: true,
};

/**
 * Headers of pages for one visitor: cached only by their browser, and not sent to other sites as
 * referrer.
 */
export const PRIVATE_CACHE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': CACHE_PRIVATE,
  // Not no-referrer: with it, browsers send `Origin: null` for our own forms.
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Headers of pages that only their secret path protects. */
export const SECRET_PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...PRIVATE_CACHE_HEADERS,
  'cache-control': CACHE_NO_STORE,
  'x-robots-tag': 'noindex, nofollow, noarchive',
};

/**
 * Reads a form without a file. A form over the limit is rejected with 413; its fields are returned,
 * so that the sender can shorten them.
 */
async function receiveFields(context: RequestContext, max_bytes: number): Promise<ReceivedForm> {
  if (!isForm(context.request.headers['content-type'])) return { ...EMPTY_FORM, rejection: 415 };
  const body = await context.readBody(max_bytes);
  if (body.length <= MAX_ACCEPTED_FORM_BYTES)
    return { ...EMPTY_FORM, fields: parseForm(body.toString('utf8')) };
  const fields = max_bytes > MAX_ACCEPTED_FORM_BYTES ? parsePartialForm(body) : {};
  return { ...EMPTY_FORM, rejection: 413, fields, is_read: body.length <= max_bytes };
}

const PICTURE_LIMITS = {
  file: 'picture',
  /**
   * A file over its limit is still read up to here and skipped, so that the sender sees an error
   * page.
   */
  body_bytes: 64 * 1024 * 1024,
  /** Enough for the largest picture at 30 kB a second. */
  timeout_ms: 180_000,
} as const;

/** Reads a submitted form. @param accepts_multipart The form has a control for a picture. */
export async function receiveForm(
  context: RequestContext,
  inbox: Inbox,
  accepts_multipart: boolean,
): Promise<ReceivedForm> {
  const { request, sender, service } = context;
  const type = request.headers['content-type'] ?? '';
  if (!accepts_multipart || !isMultipart(type)) return receiveFields(context, MAX_READ_FORM_BYTES);
  try {
    return await service.uploads.receive(sender, () =>
      receiveMultipart(context, inbox, type, true),
    );
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error;
    // Read the typed fields even if there is no capacity for the picture.
    return receiveMultipart(context, inbox, type, false);
  }
}

/** Reads a form with its picture, and stores that. @param accepts_picture False: skips the file. */
async function receiveMultipart(
  context: RequestContext,
  inbox: Inbox,
  type: string,
  accepts_picture: boolean,
): Promise<ReceivedForm> {
  const { request, sender, service, now_ms } = context;
  const file_bytes = accepts_picture ? MAX_PICTURE_BYTES : 0;
  const form = await parseMultipart(type, context.streamBody(), {
    ...PICTURE_LIMITS,
    file_bytes,
  });
  const { fields, file, is_whole } = form;
  const is_cut_off = !is_whole && !file?.is_too_large;
  const cut_off_rejection = is_cut_off ? 400 : null;
  const rejection = form.is_text_too_large ? 413 : cut_off_rejection;
  const received: ReceivedForm = { ...EMPTY_FORM, fields, rejection, is_read: is_whole };
  const picture_problem = findPictureProblem(form, !accepts_picture);
  if (picture_problem !== null || file === null) return { ...received, picture_problem };
  const stored = await storeUpload(inbox, service, file.bytes, { sender, now_ms }).catch(
    // For example on a full disk: the typed fields must still be returned.
    (error: unknown): PictureRejection => {
      context.onError(error, request.path);
      return { problem: 'not_stored' };
    },
  );
  if ('problem' in stored)
    return {
      ...received,
      picture_problem: stored.problem,
      retry_at_ms: stored.retry_at_ms ?? null,
    };
  // `picture_drop`: the checkbox that removes a picture, which a new picture overrides.
  const { picture_drop: _, ...other_fields } = fields;
  return { ...received, fields: { ...other_fields, picture_id: stored.id } };
}

/** @param is_busy There is no capacity to receive a picture now. */
function findPictureProblem(
  { file, is_whole }: MultipartForm,
  is_busy: boolean,
): PictureProblem | null {
  if (!is_whole) return file?.is_too_large && !is_busy ? 'too_large' : 'cut_off';
  if (file === null) return null;
  if (is_busy) return 'busy';
  return file.is_too_large ? 'too_large' : null;
}

interface PictureRejection {
  readonly problem: PictureProblem;
  /** Time at which a retry may succeed, if known. */
  readonly retry_at_ms?: number;
}

/** Re-encodes and stores an uploaded picture. Returns its id, or the reason why it was rejected. */
export async function storeUpload(
  inbox: Inbox,
  { uploads, consumeAllowance }: Pick<ServiceContext, 'uploads' | 'consumeAllowance'>,
  file_bytes: Buffer,
  origin: { readonly sender: string; readonly now_ms: number },
): Promise<{ readonly id: string } | PictureRejection> {
  const { sender, now_ms } = origin;
  const id = deriveUploadId(inbox, file_bytes);
  if (await touchUpload(inbox, id, now_ms)) return { id };
  const { is_exceeded, reset_seconds } = await consumeAllowance('upload', sender);
  if (is_exceeded) return { problem: 'too_many', retry_at_ms: now_ms + reset_seconds * 1000 };
  try {
    const encoded = await uploads.encode(sender, () => encodeUpload(file_bytes));
    await storePendingUpload(inbox, { id, ...encoded }, origin);
    return { id };
  } catch (error) {
    if (error instanceof PictureError) return { problem: error.problem };
    throw error;
  }
}

const UPLOADS_PREFIX = uploadPath('');

/** Returns true for the path of an uploaded picture, in any spelling. */
export const isUploadPath = (path: string): boolean =>
  decodePath(path)?.startsWith(UPLOADS_PREFIX) ?? false;

/** Serves an uploaded picture at its secret path, for any method; never cached. */
export async function serveUpload(context: RequestContext): Promise<EncodedResponse> {
  const { path, method } = context.request;
  const { inbox } = context.service;
  const allow = 'GET, HEAD';
  if (method !== 'GET' && method !== 'HEAD')
    return encodeForRequest(
      context,
      plainTextResponse(405, 'error.method_not_allowed', path, { allow }),
    );
  const upload =
    inbox && (await getUpload(inbox, (decodePath(path) ?? '').slice(UPLOADS_PREFIX.length)));
  if (!upload)
    return encodeForRequest(context, plainTextResponse(404, 'failure.not_found.text', path));
  const headers = { 'content-type': 'image/webp', ...SECRET_PAGE_HEADERS };
  return encodeForRequest(context, { status: 200, headers, body: upload.bytes });
}

const CALENDAR_LIMITS = {
  file: 'calendar',
  file_bytes: IMPORT_LIMITS.fetched_bytes,
  body_bytes: 9 * 1024 * 1024,
  timeout_ms: 60_000,
} as const;
const URL_FIELD = 'calendar_url';
const MAX_URL_FIELD_LENGTH = 1_000;

/**
 * Normalizes a typed URL: `webcal://`, the scheme of calendar subscriptions, and a missing scheme
 * become https.
 */
function normalizeCalendarUrl(text: string): string {
  const url = replaceWebcal(text);
  return /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(url) ? `https://${url}` : url;
}

/**
 * Reads a submitted calendar form with its calendar, which is fetched if the form contains only a
 * URL.
 */
export async function receiveCalendarForm(context: RequestContext): Promise<ReceivedForm> {
  const { request, sender, service, now_ms } = context;
  const type = request.headers['content-type'] ?? '';
  if (!isMultipart(type)) return receiveFields(context, MAX_ACCEPTED_FORM_BYTES);
  const form = await parseMultipart(type, context.streamBody(), CALENDAR_LIMITS);
  const received: ReceivedForm = {
    ...EMPTY_FORM,
    fields: form.fields,
    is_read: form.is_whole,
  };
  const url = normalizeCalendarUrl(form.fields[URL_FIELD] ?? '');
  if (form.file?.is_too_large) return { ...received, calendar: { problem: 'too_large' } };
  if (!form.is_whole) return { ...received, rejection: 400, calendar: { problem: 'cut_off' } };
  if (form.file === null && url === '')
    return { ...received, calendar: { problem: 'nothing_given' } };
  if (url.length > MAX_URL_FIELD_LENGTH)
    return { ...received, calendar: { problem: 'not_address' } };
  const { is_exceeded, reset_seconds } = await service.consumeAllowance('calendar', sender);
  if (is_exceeded) {
    const retry_at_ms = now_ms + reset_seconds * 1000;
    return { ...received, retry_at_ms, calendar: { problem: 'too_often' } };
  }
  if (form.file !== null) return { ...received, calendar: { bytes: form.file.bytes, url: null } };
  return { ...received, calendar: await service.fetchCalendar(sender, url) };
}
