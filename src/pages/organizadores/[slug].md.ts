// /organizadores/[slug].md: the Markdown twin of one organizer's page in Spanish.
import type { APIRoute } from 'astro';
import { respondMarkdown } from '../../site/respond.ts';
import { listOrganizerPaths } from '../../site/static-paths.ts';

export const prerender = true;
export const getStaticPaths = () => listOrganizerPaths('es');

export const GET: APIRoute = ({ locals, params }) =>
  respondMarkdown(locals.state, { kind: 'organizer', lang: 'es', slug: params.slug ?? '' });
