// /en/events/[slug].md: the Markdown twin of one event's page in English.
import type { APIRoute } from 'astro';
import { respondMarkdown } from '../../../site/respond.ts';
import { listEventPaths } from '../../../site/static-paths.ts';

export const prerender = true;
export const getStaticPaths = () => listEventPaths('en');

export const GET: APIRoute = ({ locals, params }) =>
  respondMarkdown(locals.state, { kind: 'event', lang: 'en', slug: params.slug ?? '' });
