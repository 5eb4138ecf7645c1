// /llms-full.txt, in every language: all that fits into one document, made again each day.
import type { APIRoute } from 'astro';
import { findLlmsFullLang, resolveLlmsFull } from '../../site/llms-full.ts';
import { MARKDOWN, respondMarkdown } from '../../site/markdown.ts';

export const GET: APIRoute = ({ locals: { state }, url: { pathname } }) => {
  const lang = findLlmsFullLang(pathname);
  return lang === null
    ? respondMarkdown(state, pathname)
    : new Response(resolveLlmsFull(state, lang), { headers: MARKDOWN });
};
