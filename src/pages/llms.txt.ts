// /llms.txt: what a language model finds here.
import type { APIRoute } from 'astro';
import { toLlms } from '../serializers/discovery/llms.ts';
import { MARKDOWN } from '../site/markdown.ts';

export const GET: APIRoute = ({ locals }) =>
  new Response(toLlms(locals.state.snapshot.taxonomy, locals.state.site), { headers: MARKDOWN });
