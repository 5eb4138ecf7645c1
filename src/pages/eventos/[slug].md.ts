// /eventos/[slug].md: the Markdown twin of one event's page in Spanish.
import type { APIRoute } from 'astro';
import { respondMarkdown } from '../_answers/respond.ts';
import { listEventPaths } from '../_static-paths.ts';

export const prerender = true;
export const getStaticPaths = () => listEventPaths('es');

export const GET: APIRoute = ({ locals, params }) =>
  respondMarkdown(locals.state, { kind: 'event', lang: 'es', slug: params.slug ?? '' });
