// /en/venues/[slug].md: the Markdown twin of one venue's page in English.
import type { APIRoute } from 'astro';
import { respondMarkdown } from '../../../site/respond.ts';
import { listVenuePaths } from '../../../site/static-paths.ts';

export const prerender = true;
export const getStaticPaths = () => listVenuePaths('en');

export const GET: APIRoute = ({ locals, params }) =>
  respondMarkdown(locals.state, { kind: 'venue', lang: 'en', slug: params.slug ?? '' });
