// Astro middleware: adds the page context if the front server has not (in builds and in the dev server), and
// serves API paths in the dev server.
import { defineMiddleware } from 'astro:middleware';
import { handleApi, isApiPath } from './api/handle-api.ts';
import { createDevPageContext } from './site/page-context.ts';

export const onRequest = defineMiddleware(({ locals, request, url }, next) => {
  locals.state ??= createDevPageContext();
  locals.visit ??= null;
  const { pathname: path, search } = url;
  if (!isApiPath(path)) return next();
  const headers = Object.fromEntries(request.headers);
  const api_request = { method: request.method, path, query: search.slice(1), headers };
  const { body, ...rest } = handleApi(api_request, { ...locals.state, onError: console.error });
  return new Response(body instanceof Uint8Array ? new Uint8Array(body) : body, rest);
});
