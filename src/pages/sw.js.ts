// Service worker route: serves /sw.js from the root, so that its scope is the whole site.
import type { APIRoute } from 'astro';
import { buildServiceWorker } from '../site/service-worker-script.ts';

export const GET: APIRoute = () =>
  new Response(buildServiceWorker(), { headers: { 'content-type': 'text/javascript' } });
