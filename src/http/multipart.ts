// A form with a file as browsers send it (multipart/form-data, RFC 7578), read as it arrives and
// within limits: what is beyond them is passed over, and what was typed is there all the same.
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { joinFields, MAX_FORM_BYTES, MAX_READ_BYTES } from './form-body.ts';

/** Whether the body is a form with files. */
export const isMultipart = (content_type: string | undefined): boolean =>
  /^multipart\/form-data\s*;/i.test(content_type ?? '');

/** Parts of a form: some forty controls, ticked ones several times. */
const MAX_PARTS = 200;
const MAX_NAME_BYTES = 200;
const MAX_HEADER_BYTES = 8 * 1024;

/** What is read of a form with a file. */
export interface MultipartLimits {
  /** The control whose file is read; any other file is passed over. */
  readonly file: string;
  readonly file_bytes: number;
  /** All of the body. */
  readonly body_bytes: number;
  readonly timeout_ms: number;
}

export interface MultipartFile {
  /** As many as are accepted, and one where there were more. */
  readonly bytes: Buffer;
  readonly is_too_large: boolean;
}

export interface MultipartForm {
  /** As those of any form (parseForm), without what goes beyond MAX_READ_BYTES. */
  readonly fields: Record<string, string>;
  /** Null where none was chosen. */
  readonly file: MultipartFile | null;
  /** Whether its end was there, in time, and nothing stands behind it. */
  readonly is_whole: boolean;
  /** Whether what was typed is more than a form may be. */
  readonly is_text_too_large: boolean;
}

/** What has been read so far. */
interface Reading {
  readonly pairs: [string, string][];
  text_bytes: number;
  kept_bytes: number;
  readonly chunks: Buffer[];
  file_state: 'none' | 'whole' | 'too_large';
  is_broken: boolean;
}

/** Reads a body in the chunks in which it comes. Throws only what the body throws. */
export async function readMultipart(
  content_type: string,
  body: AsyncIterator<Uint8Array>,
  limits: MultipartLimits,
): Promise<MultipartForm> {
  const reading: Reading = {
    pairs: [],
    text_bytes: 0,
    kept_bytes: 0,
    chunks: [],
    file_state: 'none',
    is_broken: false,
  };
  const deadline = AbortSignal.timeout(limits.timeout_ms);
  const is_read = await pass(content_type, body, limits, reading, deadline);
  return {
    fields: joinFields(reading.pairs),
    file:
      reading.file_state === 'none'
        ? null
        : {
            bytes: Buffer.concat(reading.chunks),
            is_too_large: reading.file_state === 'too_large',
          },
    is_whole: is_read && !reading.is_broken,
    is_text_too_large: reading.text_bytes > MAX_FORM_BYTES,
  };
}

/** Passes the body through the parser; whether all of it came and was understood. */
async function pass(
  content_type: string,
  body: AsyncIterator<Uint8Array>,
  limits: MultipartLimits,
  reading: Reading,
  deadline: AbortSignal,
): Promise<boolean> {
  const parser = createParser(content_type, limits, reading);
  if (parser === null) return false;
  const late = new Promise<null>((resolve) => {
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
    if (size > limits.body_bytes) return false;
    if (!parser.write(Buffer.from(next.value)))
      await Promise.race([new Promise((go) => parser.once('drain', go)), ended, late]);
  }
  parser.end();
  return (await Promise.race([ended, late])) ?? false;
}

/** Null where the content type names no boundary. */
function createParser(
  content_type: string,
  { file: wanted, file_bytes }: MultipartLimits,
  reading: Reading,
): BusboyInstance | null {
  let parser: BusboyInstance;
  try {
    parser = new Busboy({
      headers: { 'content-type': content_type },
      isPartAFile: (_name, _type, file_name) => file_name !== undefined,
      limits: {
        fieldNameSize: MAX_NAME_BYTES,
        fieldSize: MAX_READ_BYTES + 1,
        fields: MAX_PARTS,
        // One more than is accepted tells that there are more.
        fileSize: file_bytes + 1,
        files: MAX_PARTS,
        parts: MAX_PARTS,
        headerPairs: 20,
        headerSize: MAX_HEADER_BYTES,
      },
    });
  } catch {
    return null;
  }
  parser.on('field', (name, value) => {
    if (name === undefined) return;
    const size = name.length + Buffer.byteLength(value);
    reading.text_bytes += size;
    if (reading.kept_bytes + size > MAX_READ_BYTES) return;
    reading.kept_bytes += size;
    reading.pairs.push([name, value]);
  });
  parser.on('file', (name, stream, file_name) => {
    // A part that ends too soon throws where nobody listens.
    stream.on('error', () => {
      reading.is_broken = true;
    });
    // Where nothing was chosen, browsers send a part without a name.
    const is_read = name === wanted && file_name !== '' && reading.file_state === 'none';
    if (is_read) reading.file_state = 'whole';
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (is_read && size > file_bytes) {
        reading.file_state = 'too_large';
        reading.chunks.length = 0;
      } else if (is_read) reading.chunks.push(chunk);
    });
  });
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
    parser.on(limit, () => {
      reading.is_broken = true;
    });
  return parser;
}
