// Form bodies: parses application/x-www-form-urlencoded (WHATWG URL 5) and, for forms with a file,
// multipart/form-data (RFC 7578) as a stream. Beyond a limit the excess is skipped, so that the
// typed fields are still returned.
import { Busboy, type BusboyInstance } from '@fastify/busboy';

/** Larger forms are rejected (contract 14.5). */
export const MAX_ACCEPTED_FORM_BYTES = 64 * 1024;
/**
 * Up to here an oversized form is still parsed, so that the sender gets the text back to shorten
 * it.
 */
export const MAX_READ_FORM_BYTES = 256 * 1024;

export const isForm = (content_type = ''): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(content_type);

export const isMultipart = (content_type = ''): boolean =>
  /^multipart\/form-data\s*;/i.test(content_type);

export const parseForm = (body: string): Record<string, string> =>
  joinFields(new URLSearchParams(body));

/** Parses the beginning of a form; drops a field that is cut off. */
export const parsePartialForm = (body: Buffer): Record<string, string> => {
  const text = body.subarray(0, MAX_READ_FORM_BYTES).toString('utf8');
  return parseForm(
    body.length > MAX_READ_FORM_BYTES ? text.slice(0, text.lastIndexOf('&') + 1) : text,
  );
};

/** Groups the values by field name; repeated fields are joined with commas. */
function joinFields(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of pairs) {
    const previous = fields.get(name);
    fields.set(name, previous === undefined ? value : `${previous},${value}`);
  }
  return Object.fromEntries(fields);
}

/**
 * Limit of parts: a form has about forty controls, checkboxes several times; an event with many
 * rules, hundreds.
 */
const MAX_PARTS = 600;

export interface MultipartLimits {
  /** Name of the file control to read; files of other controls are skipped. */
  readonly file: string;
  readonly file_bytes: number;
  readonly body_bytes: number;
  readonly timeout_ms: number;
}

export interface MultipartForm {
  /** Fields as returned by parseForm, without fields beyond MAX_READ_FORM_BYTES. */
  readonly fields: Record<string, string>;
  readonly file: { readonly bytes: Buffer; readonly is_too_large: boolean } | null;
  /** The final boundary arrived in time and the body is well-formed. */
  readonly is_whole: boolean;
  /** The fields exceed MAX_ACCEPTED_FORM_BYTES. */
  readonly is_text_too_large: boolean;
}

/**
 * Parses a multipart form as it arrives. Never throws for a malformed or truncated body (see
 * `is_whole`).
 */
export async function parseMultipart(
  content_type: string,
  body: AsyncIterator<Uint8Array>,
  limits: MultipartLimits,
): Promise<MultipartForm> {
  const pairs: [string, string][] = [];
  const chunks: Buffer[] = [];
  let [text_bytes, stored_bytes, is_malformed] = [0, 0, false];
  let file_size: number | null = null;
  const parser = createParser(content_type, limits.file_bytes);
  parser?.on('field', (name, value) => {
    if (name === undefined) return;
    const size = name.length + Buffer.byteLength(value);
    text_bytes += size;
    if (stored_bytes + size > MAX_READ_FORM_BYTES) return;
    stored_bytes += size;
    pairs.push([name, value]);
  });
  const markMalformed = (): void => {
    is_malformed = true;
  };
  parser?.on('file', (name, stream, file_name) => {
    // Without a listener, the error of a truncated part would be thrown as uncaught.
    stream.on('error', markMalformed);
    // If no file was chosen, browsers send a part with an empty file name.
    const is_wanted = name === limits.file && file_name !== '' && file_size === null;
    if (is_wanted) file_size = 0;
    stream.on('data', (chunk: Buffer) => {
      if (!is_wanted) return;
      file_size = (file_size ?? 0) + chunk.length;
      if (file_size > limits.file_bytes) chunks.length = 0;
      else chunks.push(chunk);
    });
  });
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
    parser?.on(limit, markMalformed);
  const is_read = parser !== null && (await writeToParser(parser, body, limits));
  const is_too_large = (file_size ?? 0) > limits.file_bytes;
  return {
    fields: joinFields(pairs),
    file: file_size === null ? null : { bytes: Buffer.concat(chunks), is_too_large },
    is_whole: is_read && !is_malformed,
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
        // One byte over the limit shows that the file is too large.
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

/**
 * Writes the body to the parser.
 * @returns true if it arrived completely, in time and within the size limit, and could be parsed.
 */
async function writeToParser(
  parser: BusboyInstance,
  body: AsyncIterator<Uint8Array>,
  { body_bytes, timeout_ms }: MultipartLimits,
): Promise<boolean> {
  const timed_out = new Promise<null>((resolve) => {
    const deadline = AbortSignal.timeout(timeout_ms);
    deadline.addEventListener('abort', () => resolve(null), { once: true });
  });
  const ended = new Promise<boolean>((resolve) => {
    parser.once('finish', () => resolve(true));
    parser.on('error', () => resolve(false));
  });
  for (let size = 0; ; ) {
    const chunk = await Promise.race([body.next(), timed_out]);
    if (chunk === null) return false;
    if (chunk.done) break;
    size += chunk.value.length;
    if (size > body_bytes) return false;
    if (!parser.write(Buffer.from(chunk.value)))
      await Promise.race([
        new Promise((resolve) => parser.once('drain', resolve)),
        ended,
        timed_out,
      ]);
  }
  parser.end();
  return (await Promise.race([ended, timed_out])) ?? false;
}
