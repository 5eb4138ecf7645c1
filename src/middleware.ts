// Gives every page its state where the front server has not, and answers what is of the API as that server
// does: in a build and in the dev server.
import { defineMiddleware } from 'astro:middleware';
import { handleApi, isApiPath } from './api/handle-api.ts';
import { createDevPageContext } from './site/page-context.ts';

export const onRequest = defineMiddleware(({ locals, request, url }, next) => {
  locals.state ??= createDevPageContext();
  locals.visit ??= null;
  const { pathname: path, search } = url;
  if (!isApiPath(path)) return next();
  const headers = Object.fromEntries(request.headers);
  const asked = { method: request.method, path, query: search.slice(1), headers };
  const { body, ...rest } = handleApi(asked, { ...locals.state, onError: console.error });
  return new Response(body instanceof Uint8Array ? new Uint8Array(body) : body, rest);
});
