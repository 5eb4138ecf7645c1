// Types of `Astro.locals`: the page context and request, set by the front server or the middleware.
/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    state: import('./site/page-context.ts').PageContext;
    /** Only set for the form, the status pages and the desk. */
    visit: import('./site/visitor-request.ts').VisitorRequest | null;
  }
}
