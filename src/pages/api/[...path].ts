// Every /api path for Astro (its dev server, other adapters): the same responses that the front
// server gives directly.
import type { APIRoute } from 'astro';
import { handleApi } from '../../api/handle-api.ts';

/** Any method: the route table decides. */
export const ALL: APIRoute = ({ request, url, locals }) => {
  const headers = Object.fromEntries(request.headers);
  const http = { method: request.method, path: url.pathname, query: url.search.slice(1), headers };
  const { body, ...rest } = handleApi(http, { ...locals.state, onError: console.error });
  return new Response(body instanceof Uint8Array ? new Uint8Array(body) : body, rest);
};
