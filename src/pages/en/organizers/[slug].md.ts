// /en/organizers/[slug].md: the Markdown twin of one organizer's page in English.
import type { APIRoute } from 'astro';
import { respondMarkdown } from '../../../site/respond.ts';
import { listOrganizerPaths } from '../../../site/static-paths.ts';

export const prerender = true;
export const getStaticPaths = () => listOrganizerPaths('en');

export const GET: APIRoute = ({ locals, params }) =>
  respondMarkdown(locals.state, { kind: 'organizer', lang: 'en', slug: params.slug ?? '' });
