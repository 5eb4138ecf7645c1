// /en/date/[day].md: the Markdown twin of a day's agenda in English.
import type { APIRoute } from 'astro';
import { respondMarkdown } from '../../../site/respond.ts';
import { toDayRequest } from '../../../site/page-request.ts';
import { listDayPaths } from '../../../site/static-paths.ts';

export const prerender = true;
export const getStaticPaths = listDayPaths;

export const GET: APIRoute = ({ locals, params }) =>
  respondMarkdown(locals.state, toDayRequest(params.day ?? '', 'en'));
