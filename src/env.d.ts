// What every page is given beside its address: the state that the front server, or the middleware,
// puts there.
/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    state: import('./site/page-context.ts').PageContext;
    /** Of the form, the status pages and the desk only. */
    visit: import('./site/visitor-request.ts').VisitorRequest | null;
  }
}
