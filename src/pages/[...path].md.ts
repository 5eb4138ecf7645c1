// The Markdown twin of whatever is not in the release.
import type { APIRoute } from 'astro';
import { parsePagePath, toPathLang } from '../site/page-request.ts';
import { respondMarkdown } from '../site/respond.ts';

export const prerender = false;

export const GET: APIRoute = ({ locals, params }) => {
  const path = `/${params.path ?? ''}`;
  return respondMarkdown(locals.state, parsePagePath(path, locals.state.now_ms), toPathLang(path));
};
