// Compressing a body while somebody waits: 80 kB take a millisecond or two (brotli's default quality, 11, takes 133).
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { Coding } from './accept-encoding.ts';

/** Bodies below this gain nothing from it. */
export const MIN_COMPRESSED_BYTES = 1024;

const LEVELS = { br: 5, gzip: 6, zstd: 3 } as const;

/** Whether a content type shrinks: text, JSON, XML, SVG and the like. */
export function isCompressible(content_type: string): boolean {
  return /^(text\/|application\/([\w.+-]*\+)?(json|xml)|application\/(javascript|manifest\+json)|image\/svg)/.test(content_type);
}

/** The compressed form of a body, off the main thread. */
export async function compress(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'gzip') return promisify(gzip)(body, { level: LEVELS.gzip });
  if (coding === 'zstd') return promisify(zstdCompress)(body, { pledgedSrcSize: body.length, params: { [constants.ZSTD_c_compressionLevel]: LEVELS.zstd } });
  return promisify(brotliCompress)(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: LEVELS.br, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}
