// /llms.txt: what a language model finds here.
import type { APIRoute } from 'astro';
import { renderLlms } from '../serializers/llms.ts';
import { MARKDOWN } from '../site/markdown.ts';

export const GET: APIRoute = ({ locals }) =>
  new Response(renderLlms(locals.state.snapshot.taxonomy, locals.state.site), {
    headers: MARKDOWN,
  });
