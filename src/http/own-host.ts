// Under which names this service answers, whatever a Host or Origin field says.
import { isIP } from 'node:net';
import type { Site } from '../domain/site.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;

const hostnameOf = (url: string): string | null =>
  URL.canParse(url) ? new URL(url).hostname : null;

const isOurName = (name: string | null, site: Site): boolean =>
  name !== null && (LOOPBACK.includes(name) || name === hostnameOf(site.url));

/** Whether a Host field is one name, with or without a port (RFC 9112, 3.2); it may be empty. */
export const isHost = (host: string): boolean => host === '' || HOST.test(host);

/** Whether a Host field names this site or the loopback, at any port. */
export const isOurHost = (host: string | undefined, site: Site): boolean =>
  host !== undefined && HOST.test(host) && isOurName(hostnameOf(`http://${host}`), site);

/**
 * Whether it names this site, or an address of this machine's network: a name of somebody else that is
 * made to lead here is neither.
 */
export function isHostOfForms(host: string | undefined, site: Site): boolean {
  if (isOurHost(host, site)) return true;
  if (host === undefined || !HOST.test(host)) return false;
  const name = hostnameOf(`http://${host}`) ?? '';
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

/** Whether an Origin field is absent, or of this site or the loopback, at any port. */
export const isOurOrigin = (origin: string | undefined, site: Site): boolean =>
  origin === undefined || (/^https?:\/\//.test(origin) && isOurName(hostnameOf(origin), site));
