// What was sent with a form: its fields, and the picture in it, stored on the way.
import type { PictureProblem } from '../../domain/submission/picture.ts';
import {
  isForm,
  MAX_FORM_BYTES,
  MAX_READ_BYTES,
  parseForm,
  parseFormStart,
} from '../../http/form-body.ts';
import { isMultipart, type MultipartForm, readMultipart } from '../../http/multipart.ts';
import type { Inbox } from '../../inbox/open.ts';
import { MAX_PICTURE_BYTES } from '../../pictures/download.ts';
import type { VisitRefusal } from '../../site/visit.ts';
import { toSender } from './client-address.ts';
import type { RequestContext } from './request-context.ts';
import { storeUpload } from './uploads.ts';

/** The control of the file. */
const FILE_CONTROL = 'picture';
/** Beyond what is accepted a file is read and passed over, so that its sender is told. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** 5 MB at 30 kB a second. */
const TIMEOUT_MS = 180_000;

export interface Sent {
  readonly fields: Readonly<Record<string, string>>;
  /** Set where it is not taken in; the fields are what was read of it, none of what is no form. */
  readonly refusal: VisitRefusal | null;
  /** What is wrong with the picture that was sent along; null also where there was none. */
  readonly picture_problem: PictureProblem | null;
  /** When what was sent along is taken again, where that is known. */
  readonly retry_at_ms: number | null;
  /** Whether nothing more of it is to come. */
  readonly is_read: boolean;
}

const refuse = (refusal: VisitRefusal): Sent => ({
  fields: {},
  refusal,
  picture_problem: null,
  retry_at_ms: null,
  is_read: true,
});

/** Reads what was sent to a form; `takes_files` where it has a control for a picture. */
export async function readSent(
  context: RequestContext,
  inbox: Inbox,
  takes_files: boolean,
): Promise<Sent> {
  const { request } = context;
  const type = request.headers['content-type'];
  if (takes_files && isMultipart(type)) return readWithFile(context, inbox, type ?? '');
  if (!isForm(type)) return refuse(415);
  const body = await context.readBody(MAX_READ_BYTES);
  if (body.length > MAX_FORM_BYTES)
    return {
      ...refuse(413),
      fields: parseFormStart(body),
      is_read: body.length <= MAX_READ_BYTES,
    };
  const fields = parseForm(body.toString('utf8'));
  return { fields, refusal: null, picture_problem: null, retry_at_ms: null, is_read: true };
}

async function readWithFile(context: RequestContext, inbox: Inbox, type: string): Promise<Sent> {
  const { request, socket_address, service } = context;
  const { uploads, access } = service;
  const sender = toSender(request, socket_address, access);
  const leave = uploads.enter(sender);
  try {
    const form = await readMultipart(type, context.streamBody(), {
      file: FILE_CONTROL,
      // Where too many are in, what was typed is read all the same.
      file_bytes: leave === null ? 0 : MAX_PICTURE_BYTES,
      body_bytes: MAX_BODY_BYTES,
      timeout_ms: TIMEOUT_MS,
    });
    const is_cut = !form.is_whole && !form.file?.is_too_large;
    const refusal = form.is_text_too_large ? 413 : is_cut ? 400 : null;
    const { fields, is_whole: is_read } = form;
    const sent = { fields, refusal, retry_at_ms: null, is_read } as const;
    const problem = findProblem(form, leave === null);
    if (problem !== null || form.file === null) return { ...sent, picture_problem: problem };
    const stored = await store(context, inbox, form.file.bytes, sender);
    if ('problem' in stored) {
      const { problem, retry_at_ms = null } = stored;
      return { ...sent, picture_problem: problem, retry_at_ms };
    }
    const { picture_drop: _, ...others } = fields;
    return { ...sent, fields: { ...others, picture_id: stored.id }, picture_problem: null };
  } finally {
    leave?.();
  }
}

/** Where it cannot be stored, as on a full disk, what was typed must come back all the same. */
async function store(
  context: RequestContext,
  inbox: Inbox,
  uploaded: Buffer,
  sender: string,
): ReturnType<typeof storeUpload> {
  const { request, service, now_ms } = context;
  try {
    return await storeUpload(inbox, service.uploads, uploaded, { sender, now_ms });
  } catch (thrown) {
    service.onError(thrown, request.path);
    return { problem: 'not_stored' };
  }
}

function findProblem({ file, is_whole }: MultipartForm, is_full: boolean): PictureProblem | null {
  if (!is_whole) return file?.is_too_large && !is_full ? 'too_large' : 'cut_off';
  if (file === null) return null;
  if (is_full) return 'busy';
  return file.is_too_large ? 'too_large' : null;
}
