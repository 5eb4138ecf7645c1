// A form as browsers send it: application/x-www-form-urlencoded (WHATWG URL 5), or with a file
// multipart/form-data (RFC 7578), read as it arrives and within limits: what is beyond them is passed over,
// and what was typed is there all the same.
import { Busboy, type BusboyInstance } from '@fastify/busboy';

/** Most bytes of a form that is taken in (contract 14.5). */
export const MAX_ACCEPTED_FORM_BYTES = 64 * 1024;
/** Most bytes that are read of one, so that too much text comes back to be shortened. */
export const MAX_READ_FORM_BYTES = 256 * 1024;

export const isForm = (content_type = ''): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(content_type);

export const isMultipart = (content_type = ''): boolean =>
  /^multipart\/form-data\s*;/i.test(content_type);

export const parseForm = (body: string): Record<string, string> =>
  joinFields(new URLSearchParams(body));

/** The fields of as much of a form as was read: one that is cut is left out. */
export const parsePartialForm = (body: Buffer): Record<string, string> => {
  const text = body.subarray(0, MAX_READ_FORM_BYTES).toString('utf8');
  return parseForm(
    body.length > MAX_READ_FORM_BYTES ? text.slice(0, text.lastIndexOf('&') + 1) : text,
  );
};

/** Fields by name; a name that stands there several times has its values joined with commas. */
function joinFields(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(fields);
}

/** Parts of a form: some forty controls, ticked ones several times; of an event with many rules some hundreds. */
const MAX_PARTS = 600;

export interface MultipartLimits {
  /** The control whose file is read; any other file is passed over. */
  readonly file: string;
  readonly file_bytes: number;
  readonly body_bytes: number;
  readonly timeout_ms: number;
}

export interface MultipartForm {
  /** As those of any form (parseForm), without what goes beyond MAX_READ_FORM_BYTES. */
  readonly fields: Record<string, string>;
  readonly file: { readonly bytes: Buffer; readonly is_too_large: boolean } | null;
  /** Whether its end was there, in time, and nothing stands behind it. */
  readonly is_whole: boolean;
  /** Whether what was typed is more than a form may be. */
  readonly is_text_too_large: boolean;
}

export async function parseMultipart(
  content_type: string,
  body: AsyncIterator<Uint8Array>,
  limits: MultipartLimits,
): Promise<MultipartForm> {
  const pairs: [string, string][] = [];
  const chunks: Buffer[] = [];
  let [text_bytes, kept_bytes, is_broken] = [0, 0, false];
  let file_size: number | null = null;
  const parser = createParser(content_type, limits.file_bytes);
  parser?.on('field', (name, value) => {
    if (name === undefined) return;
    const size = name.length + Buffer.byteLength(value);
    text_bytes += size;
    if (kept_bytes + size > MAX_READ_FORM_BYTES) return;
    kept_bytes += size;
    pairs.push([name, value]);
  });
  const breakOff = (): void => {
    is_broken = true;
  };
  parser?.on('file', (name, stream, file_name) => {
    // A part that ends too soon throws where nobody listens.
    stream.on('error', breakOff);
    // Where nothing was chosen, browsers send a part without a name.
    const is_read = name === limits.file && file_name !== '' && file_size === null;
    if (is_read) file_size = 0;
    stream.on('data', (chunk: Buffer) => {
      if (!is_read) return;
      file_size = (file_size ?? 0) + chunk.length;
      if (file_size > limits.file_bytes) chunks.length = 0;
      else chunks.push(chunk);
    });
  });
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
    parser?.on(limit, breakOff);
  const is_read = parser !== null && (await pass(parser, body, limits));
  const is_too_large = (file_size ?? 0) > limits.file_bytes;
  return {
    fields: joinFields(pairs),
    file: file_size === null ? null : { bytes: Buffer.concat(chunks), is_too_large },
    is_whole: is_read && !is_broken,
    is_text_too_large: text_bytes > MAX_ACCEPTED_FORM_BYTES,
  };
}

function createParser(content_type: string, file_bytes: number): BusboyInstance | null {
  try {
    return new Busboy({
      headers: { 'content-type': content_type },
      isPartAFile: (_name, _type, file_name) => file_name !== undefined,
      limits: {
        fieldNameSize: 200,
        fieldSize: MAX_READ_FORM_BYTES + 1,
        fields: MAX_PARTS,
        // One more than is accepted tells that there are more.
        fileSize: file_bytes + 1,
        files: MAX_PARTS,
        parts: MAX_PARTS,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
    });
  } catch {
    return null;
  }
}

/** Passes the body through the parser; whether all of it came in time and was understood. */
async function pass(
  parser: BusboyInstance,
  body: AsyncIterator<Uint8Array>,
  { body_bytes, timeout_ms }: MultipartLimits,
): Promise<boolean> {
  const late = new Promise<null>((resolve) => {
    const deadline = AbortSignal.timeout(timeout_ms);
    deadline.addEventListener('abort', () => resolve(null), { once: true });
  });
  const ended = new Promise<boolean>((resolve) => {
    parser.once('finish', () => resolve(true));
    parser.on('error', () => resolve(false));
  });
  for (let size = 0; ; ) {
    const next = await Promise.race([body.next(), late]);
    if (next === null) return false;
    if (next.done) break;
    size += next.value.length;
    if (size > body_bytes) return false;
    if (!parser.write(Buffer.from(next.value)))
      await Promise.race([new Promise((go) => parser.once('drain', go)), ended, late]);
  }
  parser.end();
  return (await Promise.race([ended, late])) ?? false;
}
