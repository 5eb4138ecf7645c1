// /_hoy/[day].md, …: the Markdown twins of the variants of /hoy and its like.
import type { APIRoute } from 'astro';
import { respondMarkdown } from '../../site/respond.ts';
import { toAliasRequest } from '../../site/page-request.ts';
import { listAliasPaths } from '../../site/static-paths.ts';

export const prerender = true;
export const getStaticPaths = listAliasPaths;

export const GET: APIRoute = ({ locals, params }) =>
  respondMarkdown(locals.state, toAliasRequest(params.alias ?? '', params.day ?? ''));
