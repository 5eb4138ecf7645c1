// What every page is given beside its address: the state that the front server, or the middleware,
// puts there.
/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    state: import('./pages/_state.ts').SiteState;
    /** Of the form, the status pages and the desk only. */
    visit: import('./submissions/visit.ts').Visit | null;
  }
}
