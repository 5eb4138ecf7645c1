// The Markdown alternate of every page that is built ahead and has one.
import type { APIRoute } from 'astro';
import { parsePagePath } from '../site/page-request.ts';
import { listStaticMarkdown } from '../site/prebuilt.ts';
import { respondMarkdown } from '../site/answer.ts';

export const prerender = true;
export const getStaticPaths = listStaticMarkdown;

export const GET: APIRoute = ({ locals: { state }, params }) =>
  respondMarkdown(state, parsePagePath(`/${params.page}`, state.now_ms));
