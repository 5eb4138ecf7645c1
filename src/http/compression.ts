// Compressing a body while somebody waits: 80 kB take zstd a tenth of a millisecond, gzip and
// brotli one (its default quality, 11, takes 133).
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress, zstdCompressSync } from 'node:zlib';
import type { Coding } from './accept-encoding.ts';

/** Bodies below this gain nothing from it. */
export const MIN_COMPRESSED_BYTES = 1024;

const LEVELS = { br: 5, gzip: 6, zstd: 1 } as const;

/** Whether a content type shrinks: text, JSON, XML, SVG and the like. */
export function isCompressible(content_type: string): boolean {
  return /^(text\/|application\/([\w.+-]*\+)?(json|xml)|application\/(javascript|manifest\+json)|image\/svg)/.test(
    content_type,
  );
}

/** Up to here zstd is done at once: going to another thread and back takes longer. */
const MAX_AT_ONCE_BYTES = 128 * 1024;

/** The compressed form of a body; what takes more than a moment is made off the main thread. */
export async function compress(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'gzip') return promisify(gzip)(body, { level: LEVELS.gzip });
  if (coding === 'zstd') {
    const options = {
      pledgedSrcSize: body.length,
      params: { [constants.ZSTD_c_compressionLevel]: LEVELS.zstd },
    };
    return body.length <= MAX_AT_ONCE_BYTES
      ? zstdCompressSync(body, options)
      : promisify(zstdCompress)(body, options);
  }
  return promisify(brotliCompress)(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: LEVELS.br,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
