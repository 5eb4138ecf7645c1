// Every /api path for Astro (its dev server, other adapters): the same answers that the front
// server gives directly.
import type { APIRoute } from 'astro';
import { handleApi } from '../../api/handle-api.ts';

export const prerender = false;

/** Any method: the route table decides. */
export const ALL: APIRoute = ({ request, locals }) => {
  const { pathname, search } = new URL(request.url);
  const http_request = {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(request.headers),
  };
  const { status, headers, body } = handleApi(http_request, {
    ...locals.state,
    onError: console.error,
  });
  return new Response(typeof body === 'string' || body === null ? body : new Uint8Array(body), {
    status,
    headers,
  });
};
