// /sw.js: the service worker, at the root so that it serves every page.
import type { APIRoute } from 'astro';
import { buildServiceWorker } from '../site/service-worker-script.ts';

export const GET: APIRoute = () =>
  new Response(buildServiceWorker(), { headers: { 'content-type': 'text/javascript' } });
