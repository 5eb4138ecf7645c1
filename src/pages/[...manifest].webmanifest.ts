// The manifest of the installed site, in every language.
import type { APIRoute } from 'astro';
import { toWebManifest } from '../serializers/discovery/web-manifest.ts';
import { listStaticManifests } from '../site/prebuilt.ts';

export const prerender = true;
export const getStaticPaths = listStaticManifests;

export const GET: APIRoute = ({ locals, props }) =>
  Response.json(toWebManifest(locals.state.site, props.lang));
