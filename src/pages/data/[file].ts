// The public data as files, built with the release (contract 17).
import type { APIRoute } from 'astro';
import { readDataFile } from '../../site/data-files.ts';
import { listStaticDataFiles } from '../../site/prebuilt.ts';

export const prerender = true;
export const getStaticPaths = listStaticDataFiles;

export const GET: APIRoute = ({ locals: { state }, params }) =>
  new Response(new Uint8Array(readDataFile(state, params.file ?? '') ?? []));
