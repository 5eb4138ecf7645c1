// Whose request it is: the address of the client, behind however many proxies, and as what it is counted.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { HttpRequest } from '../../http/message.ts';

export function senderOfRequest(
  { headers }: HttpRequest,
  socket_address: string | undefined,
  trusted_proxies: number,
): string {
  const forwarded_for = headers['x-forwarded-for'];
  return rateLimitAddress(clientAddress(socket_address, forwarded_for, trusted_proxies));
}

/** `::ffff:192.0.2.1` is 192.0.2.1; brackets, a port and a zone index are dropped. Null of no address. */
function parseAddress(text: string): string | null {
  if (isIP(text) === 4) return text;
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '');
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : null;
  const address = ipaddr.process(bare);
  return address.kind() === 'ipv4' ? address.toString() : bare;
}

/**
 * The client's address: the socket's, or, with `trusted_proxies` in front, the one that the
 * outermost of them wrote into X-Forwarded-For, counted from the right. What a client forges stands
 * further left and is never read. A list that is too short or holds no address there falls back to
 * the nearest trusted one.
 */
export function clientAddress(
  socket_address: string | undefined,
  forwarded_for: string | undefined,
  trusted_proxies: number,
): string {
  const socket = parseAddress(socket_address ?? '') ?? 'unknown';
  if (trusted_proxies === 0 || forwarded_for === undefined) return socket;
  const hops = forwarded_for.split(',').map(parseAddress);
  for (let step = Math.min(trusted_proxies, hops.length); step > 0; step--) {
    const address = hops[hops.length - step];
    if (address) return address;
  }
  return socket;
}

const toIPv4 = (high = 0, low = 0): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');

/**
 * What an address is counted as: itself for IPv4, its /64 for IPv6. What is an IPv4 address in the
 * form of the other (6to4, RFC 3056; NAT64, RFC 6052) is that one: whoever has it has 2^80 of them.
 */
export function rateLimitAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.IPv6.parse(address);
  const { parts } = parsed;
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  if (parts[0] === 0x2002) return toIPv4(parts[1], parts[2]);
  if (parsed.range() === 'rfc6052') return toIPv4(parts[6], parts[7]);
  const groups = parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/** The /48 around a counted /64, which many a customer has whole; null of what is none. */
export const rateLimitNetwork = (counted: string): string | null =>
  counted.endsWith('::/64') ? `${counted.split(':').slice(0, 3).join(':')}::/48` : null;
