// The Markdown alternate of whatever is not built ahead.
import type { APIRoute } from 'astro';
import { toPathLang } from '../i18n/paths.ts';
import { respondMarkdown } from '../site/answer.ts';
import { parsePagePath } from '../site/page-request.ts';

export const prerender = false;

export const GET: APIRoute = ({ locals: { state }, params: { path = '' }, url }) =>
  respondMarkdown(
    state,
    parsePagePath(`/${path}`, state.now_ms),
    toPathLang(`/${path}`),
    url.search.slice(1),
  );
