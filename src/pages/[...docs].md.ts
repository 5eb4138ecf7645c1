// The Markdown alternate of the docs of the API, in every language.
import type { APIRoute } from 'astro';
import { MARKDOWN } from '../site/twin.ts';
import { toDocsMarkdown } from '../serializers/markdown/docs.ts';
import { resolveDocs } from '../site/docs.ts';
import { listStaticDocs } from '../site/prebuilt.ts';

export const prerender = true;
export const getStaticPaths = listStaticDocs;

export const GET: APIRoute = ({ locals: { state }, props }) => {
  const { meta, guide } = resolveDocs(state, props.lang);
  return new Response(toDocsMarkdown(guide, meta.lang, meta.site), { headers: MARKDOWN });
};
