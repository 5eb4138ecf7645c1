// The Markdown twin of whatever is not in the release.
import type { APIRoute } from 'astro';
import { parsePagePath } from './_answers/question.ts';
import { respondMarkdown } from './_answers/respond.ts';

export const prerender = false;

export const GET: APIRoute = ({ locals, params }) =>
  respondMarkdown(locals.state, parsePagePath(`/${params.path ?? ''}`, locals.state.now_ms));
