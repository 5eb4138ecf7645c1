// The Markdown twin of every page.
import type { APIRoute } from 'astro';
import { respondMarkdown } from '../site/twin.ts';

export const GET: APIRoute = ({ locals: { state }, params: { path = '' }, url }) =>
  respondMarkdown(state, `/${path}`, url.search.slice(1));
