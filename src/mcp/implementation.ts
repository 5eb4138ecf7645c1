// How the server calls itself, in the protocol and in its cards.
import type { Site } from '../domain/site.ts';

/** The version of the interface (interface 9), which is what a client depends on. */
export const SERVER_VERSION = '1.0.0';

/** `serverInfo`. */
export function toImplementation(site: Site): {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly websiteUrl: string;
} {
  return { name: 'hoy-cancun', title: site.name, version: SERVER_VERSION, websiteUrl: site.url };
}
