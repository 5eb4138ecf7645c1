// What every page is given beside its address: the state that the front server, or the middleware, puts there.
/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    state: import('./pages/_state.ts').SiteState;
  }
}
