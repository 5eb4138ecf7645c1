// /docs.md: the Markdown twin of the docs page in Spanish.
import type { APIRoute } from 'astro';
import { toDocsMarkdown } from '../serializers/markdown/docs.ts';
import { resolveDocs } from '../site/docs.ts';
import { MARKDOWN } from '../site/respond.ts';

export const prerender = true;

export const GET: APIRoute = ({ locals }) => {
  const { guide, meta } = resolveDocs(locals.state, 'es');
  return new Response(toDocsMarkdown(guide, meta.lang, meta.site), { headers: MARKDOWN });
};
