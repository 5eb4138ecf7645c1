// The Markdown version of every page.
import type { APIRoute } from 'astro';
import { respondMarkdown } from '../site/markdown.ts';

export const GET: APIRoute = ({ locals: { state }, params: { path = '' }, url }) =>
  respondMarkdown(state, `/${path}`, url.search.slice(1));
