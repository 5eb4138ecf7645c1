// Client address: finds the address of the client behind trusted proxies, and the sender that rate
// limits count: an IPv4 address, or the /64 network of an IPv6 address.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { HttpRequest } from '../../http/message.ts';

/** Returns the sender of a request: the address or network that rate limits count. */
export function senderOfRequest(
  { headers }: HttpRequest,
  socket_address: string | undefined,
  trusted_proxies: number,
): string {
  const forwarded_for = headers['x-forwarded-for'];
  return rateLimitAddress(clientAddress(socket_address, forwarded_for, trusted_proxies));
}

/**
 * Parses an IP address, without brackets, port and zone index; `::ffff:192.0.2.1` becomes
 * `192.0.2.1`.
 * @returns null if the text is not an address.
 */
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
 * Returns the client's address: the socket's or, behind `trusted_proxies`, the X-Forwarded-For
 * entry that the outermost of them added, counted from the right. Entries forged by a client are
 * further left and never read. If the list is too short or the entry is not an address, falls back
 * to the nearest trusted proxy.
 */
export function clientAddress(
  socket_address: string | undefined,
  forwarded_for: string | undefined,
  trusted_proxies: number,
): string {
  const socket = parseAddress(socket_address ?? '') ?? 'unknown';
  if (trusted_proxies === 0 || forwarded_for === undefined) return socket;
  const hops = forwarded_for.split(',').map(parseAddress);
  for (let from_right = Math.min(trusted_proxies, hops.length); from_right > 0; from_right--) {
    const address = hops[hops.length - from_right];
    if (address) return address;
  }
  return socket;
}

const formatIpv4 = (high = 0, low = 0): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');

/**
 * Returns the address that rate limits count: the address itself for IPv4, its /64 network for
 * IPv6. IPv6 addresses that embed an IPv4 address (6to4, RFC 3056; NAT64, RFC 6052) count as that
 * one: its owner has 2^80 of them.
 */
export function rateLimitAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.IPv6.parse(address);
  const { parts } = parsed;
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  if (parts[0] === 0x2002) return formatIpv4(parts[1], parts[2]);
  if (parsed.range() === 'rfc6052') return formatIpv4(parts[6], parts[7]);
  const groups = parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/**
 * Returns the /48 around a counted /64, because many customers have a whole /48.
 * @returns null for IPv4.
 */
export const rateLimitNetwork = (counted: string): string | null =>
  counted.endsWith('::/64') ? `${counted.split(':').slice(0, 3).join(':')}::/48` : null;
