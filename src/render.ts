// What the built site exports: a page as a web Response, without sockets, and the hashes of the styles
// that stand in its pages. It is the server entrypoint of the adapter in astro.config.mjs, so Astro
// bundles it with the pages.
import { createApp } from 'astro/app/entrypoint';

export { STYLE_HASHES } from './components/styles/critical-style.ts';

// The front server sends whole bodies, so there is nothing to gain from a stream.
const app = createApp({ streaming: false });

/** Error pages are rendered, never fetched: Astro would fetch them over the network. */
const fetchNothing = async (): Promise<Response> => new Response(null, { status: 404 });

/**
 * Renders the page at a request's address with what a page is given as `Astro.locals`. A page that
 * throws becomes the 500 page.
 */
export function render(request: Request, locals: App.Locals): Promise<Response> {
  const route = app.match(request);
  return app.render(request, {
    locals,
    addCookieHeader: true,
    prerenderedErrorPageFetch: fetchNothing,
    ...(route ? { routeData: route } : {}),
  });
}
