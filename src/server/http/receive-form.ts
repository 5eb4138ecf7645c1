// What is sent in with a form: its fields; a picture, made our own and stored on the way, and the private address
// at which it is looked at; a calendar, sent or fetched at a stranger's wish, from the public internet only.
import { storePendingUpload, touchUpload, deriveUploadId, getUpload } from '../../inbox/uploads.ts';
import type { Inbox } from '../../inbox/open.ts';
import { IMPORT_LIMITS } from '../../domain/imported-events.ts';
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
import { MAX_PICTURE_BYTES } from '../../http/fetch-public.ts';
import { encodeUpload, PictureError } from '../../pictures/encode-picture.ts';
import type { VisitorRequest } from '../../site/visitor-request.ts';
import { QueueFullError } from '../fair-queue.ts';
import { plainTextResponse } from './error-pages.ts';
import { encodeForRequest, type RequestContext, type ServiceContext } from './request-context.ts';

export interface ReceivedForm
  extends Pick<
    VisitorRequest,
    'fields' | 'refusal' | 'picture_problem' | 'retry_at_ms' | 'calendar'
  > {
  readonly is_read: boolean;
}

export const EMPTY_FORM: ReceivedForm = {
  fields: {},
  refusal: null,
  picture_problem: null,
  retry_at_ms: null,
  calendar: null,
  is_read: true,
};

/** What is for one reader alone: kept by their own browser, told no other site. */
export const PRIVATE_CACHE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': CACHE_PRIVATE,
  // Not no-referrer: with that, browsers say `Origin: null` of our own forms.
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** What only its address protects. */
export const SECRET_PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...PRIVATE_CACHE_HEADERS,
  'cache-control': CACHE_NO_STORE,
  'x-robots-tag': 'noindex, nofollow, noarchive',
};

/** A form without a file; what is read beyond its limit comes back to be shortened. */
async function readFields(context: RequestContext, max_bytes: number): Promise<ReceivedForm> {
  if (!isForm(context.request.headers['content-type'])) return { ...EMPTY_FORM, refusal: 415 };
  const body = await context.readBody(max_bytes);
  if (body.length <= MAX_ACCEPTED_FORM_BYTES)
    return { ...EMPTY_FORM, fields: parseForm(body.toString('utf8')) };
  const fields = max_bytes > MAX_ACCEPTED_FORM_BYTES ? parsePartialForm(body) : {};
  return { ...EMPTY_FORM, refusal: 413, fields, is_read: body.length <= max_bytes };
}

const PICTURE = {
  file: 'picture',
  /** Beyond what is accepted a file is read and passed over, so that its sender is told. */
  body_bytes: 64 * 1024 * 1024,
  /** 5 MB at 30 kB a second. */
  timeout_ms: 180_000,
} as const;
/** Reads what was sent to a form; `takes_files` where it has a control for a picture. */
export async function receiveForm(
  context: RequestContext,
  inbox: Inbox,
  takes_files: boolean,
): Promise<ReceivedForm> {
  const { request, sender, service } = context;
  const type = request.headers['content-type'] ?? '';
  if (!takes_files || !isMultipart(type)) return readFields(context, MAX_READ_FORM_BYTES);
  try {
    return await service.uploads.enter(sender, () => readWithPicture(context, inbox, type, true));
  } catch (thrown) {
    if (!(thrown instanceof QueueFullError)) throw thrown;
    // What was typed is read all the same.
    return readWithPicture(context, inbox, type, false);
  }
}

async function readWithPicture(
  context: RequestContext,
  inbox: Inbox,
  type: string,
  takes_picture: boolean,
): Promise<ReceivedForm> {
  const { request, sender, service, now_ms } = context;
  const file_bytes = takes_picture ? MAX_PICTURE_BYTES : 0;
  const form = await parseMultipart(type, context.streamBody(), { ...PICTURE, file_bytes });
  const { fields, file, is_whole } = form;
  const is_cut = !is_whole && !file?.is_too_large;
  const refusal = form.is_text_too_large ? 413 : is_cut ? 400 : null;
  const sent: ReceivedForm = { ...EMPTY_FORM, fields, refusal, is_read: is_whole };
  const picture_problem = findProblem(form, !takes_picture);
  if (picture_problem !== null || file === null) return { ...sent, picture_problem };
  const stored = await storeUpload(inbox, service, file.bytes, { sender, now_ms }).catch(
    // As on a full disk: what was typed must come back all the same.
    (thrown: unknown): PictureRefused => {
      context.onError(thrown, request.path);
      return { problem: 'not_stored' };
    },
  );
  if ('problem' in stored)
    return { ...sent, picture_problem: stored.problem, retry_at_ms: stored.retry_at_ms ?? null };
  const { picture_drop: _, ...others } = fields;
  return { ...sent, fields: { ...others, picture_id: stored.id } };
}

function findProblem({ file, is_whole }: MultipartForm, is_full: boolean): PictureProblem | null {
  if (!is_whole) return file?.is_too_large && !is_full ? 'too_large' : 'cut_off';
  if (file === null) return null;
  if (is_full) return 'busy';
  return file.is_too_large ? 'too_large' : null;
}

interface PictureRefused {
  readonly problem: PictureProblem;
  /** When it works again, where that is known. */
  readonly retry_at_ms?: number;
}

/** Stores what was uploaded, made our own; gives its id, or what is wrong with it. */
export async function storeUpload(
  inbox: Inbox,
  { uploads, take }: Pick<ServiceContext, 'uploads' | 'take'>,
  uploaded: Buffer,
  by: { readonly sender: string; readonly now_ms: number },
): Promise<{ readonly id: string } | PictureRefused> {
  const id = deriveUploadId(inbox, uploaded);
  if (await touchUpload(inbox, id, by.now_ms)) return { id };
  const { is_exceeded, reset_seconds } = await take('upload', by.sender);
  if (is_exceeded) return { problem: 'too_many', retry_at_ms: by.now_ms + reset_seconds * 1000 };
  try {
    const made = await uploads.make(by.sender, () => encodeUpload(uploaded));
    await storePendingUpload(inbox, { id, ...made }, by);
    return { id };
  } catch (thrown) {
    if (thrown instanceof PictureError) return { problem: thrown.problem };
    throw thrown;
  }
}

const UPLOADS = uploadPath('');

export const isUploadPath = (path: string): boolean =>
  decodePath(path)?.startsWith(UPLOADS) ?? false;

/** The response to any method on an uploaded picture: for whoever has its address, and for nobody to keep. */
export async function serveUpload(context: RequestContext): Promise<EncodedResponse> {
  const { path, method } = context.request;
  const { inbox } = context.service;
  const allow = 'GET, HEAD';
  if (method !== 'GET' && method !== 'HEAD')
    return encodeForRequest(
      context,
      plainTextResponse(405, 'error.method_not_allowed', path, { allow }),
    );
  const found = inbox && (await getUpload(inbox, (decodePath(path) ?? '').slice(UPLOADS.length)));
  if (!found)
    return encodeForRequest(context, plainTextResponse(404, 'failure.not_found.text', path));
  const headers = { 'content-type': 'image/webp', ...SECRET_PAGE_HEADERS };
  return encodeForRequest(context, { status: 200, headers, body: found.bytes });
}

const CALENDAR = {
  file: 'calendar',
  file_bytes: IMPORT_LIMITS.bytes,
  body_bytes: 8 * 1024 * 1024,
  timeout_ms: 60_000,
} as const;
const ADDRESS = 'calendar_url';
const MAX_ADDRESS = 1_000;
/** `webcal://` is how calendars are subscribed to; what has no scheme is on the web. */
function toAddress(text: string): string {
  const address = text.trim().replace(/^webcals?:/i, 'https:');
  return /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(address) ? `https://${address}` : address;
}

/** What was sent to a form for calendars, with the calendar in it, fetched where only an address is given. */
export async function receiveCalendarForm(context: RequestContext): Promise<ReceivedForm> {
  const { request, sender, service, now_ms } = context;
  const type = request.headers['content-type'] ?? '';
  if (!isMultipart(type)) return readFields(context, MAX_ACCEPTED_FORM_BYTES);
  const form = await parseMultipart(type, context.streamBody(), CALENDAR);
  const sent: ReceivedForm = { ...EMPTY_FORM, fields: form.fields, is_read: form.is_whole };
  const address = toAddress(form.fields[ADDRESS] ?? '');
  if (form.file?.is_too_large) return { ...sent, calendar: { problem: 'too_large' } };
  if (!form.is_whole) return { ...sent, refusal: 400, calendar: { problem: 'cut_off' } };
  if (form.file === null && address === '')
    return { ...sent, calendar: { problem: 'nothing_given' } };
  if (address.length > MAX_ADDRESS) return { ...sent, calendar: { problem: 'not_address' } };
  const { is_exceeded, reset_seconds } = await service.take('calendar', sender);
  if (is_exceeded) {
    const retry_at_ms = now_ms + reset_seconds * 1000;
    return { ...sent, retry_at_ms, calendar: { problem: 'too_often' } };
  }
  if (form.file !== null) return { ...sent, calendar: { bytes: form.file.bytes, url: null } };
  return { ...sent, calendar: await service.fetchCalendar(sender, address) };
}
