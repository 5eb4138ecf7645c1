// /sitemap.xml: the pages of this release.
import type { APIRoute } from 'astro';
import { toSitemap } from '../serializers/discovery.ts';
import { listSitemapEntries } from '../site/sitemap.ts';

export const GET: APIRoute = ({ locals: { state } }) =>
  new Response(toSitemap(listSitemapEntries(state), state.site.url));
