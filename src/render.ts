// Server entrypoint of the built site: renders a page to a web Response without sockets, and exports the
// hashes of the inlined styles. Astro bundles it with the pages, as set in astro.config.mjs.
import { createApp } from 'astro/app/entrypoint';

export { STYLE_HASHES } from './components/styles/critical-style.ts';

// The front server sends complete bodies, so streaming has no benefit.
const app = createApp({ streaming: false });

/** Prevents Astro from fetching error pages over the network; they are rendered. */
const fetchNothing = async (): Promise<Response> => new Response(null, { status: 404 });

/** Renders the page at a request's URL with `locals` as `Astro.locals`. If it throws, renders the 500 page. */
export function render(request: Request, locals: App.Locals): Promise<Response> {
  const route = app.match(request);
  return app.render(request, {
    locals,
    addCookieHeader: true,
    prerenderedErrorPageFetch: fetchNothing,
    ...(route ? { routeData: route } : {}),
  });
}
