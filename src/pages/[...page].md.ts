// The Markdown alternate of every page that is built ahead.
import type { APIRoute } from 'astro';
import { listStaticPages } from '../site/prebuilt.ts';
import { respondMarkdown } from '../site/twin.ts';

export const prerender = true;
export const getStaticPaths = listStaticPages;

export const GET: APIRoute = ({ locals: { state }, params }) =>
  respondMarkdown(state, `/${params.page}`);
