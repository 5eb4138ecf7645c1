// The manifest of the installed site, in every language.
import type { APIRoute } from 'astro';
import { LANGS } from '../domain/lang.ts';
import { toManifestPath } from '../i18n/paths.ts';
import { toWebManifest } from '../serializers/discovery.ts';

export const GET: APIRoute = ({ locals, url }) => {
  const lang = LANGS.find((known) => toManifestPath(known) === url.pathname);
  return lang === undefined
    ? new Response(null, { status: 404 })
    : Response.json(toWebManifest(locals.state.site, lang));
};
