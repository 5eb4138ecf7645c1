// The public data as files, built with the release (contract 17).
import type { APIRoute } from 'astro';
import { readDataFile } from '../../site/data-files.ts';

export const GET: APIRoute = ({ locals: { state }, params: { file = '' } }) => {
  const bytes = readDataFile(state, file);
  return bytes === null
    ? new Response(null, { status: 404 })
    : new Response(new Uint8Array(bytes), {
        headers: { 'content-type': 'application/octet-stream' },
      });
};
