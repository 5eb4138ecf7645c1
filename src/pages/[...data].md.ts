// The Markdown alternate of the page of the public data, in every language.
import type { APIRoute } from 'astro';
import { toDataMarkdown } from '../serializers/markdown/data.ts';
import { MARKDOWN } from '../site/twin.ts';
import { resolveData } from '../site/data.ts';
import { listStaticData } from '../site/prebuilt.ts';

export const prerender = true;
export const getStaticPaths = listStaticData;

export const GET: APIRoute = ({ locals: { state }, props }) => {
  const { meta, ...data } = resolveData(state, props.lang);
  return new Response(toDataMarkdown(data, meta.lang, meta.site), { headers: MARKDOWN });
};
