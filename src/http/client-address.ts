// Where a request comes from: the address that limits count by (decisions, Limits 1 and 2).
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * `::ffff:192.0.2.1` is 192.0.2.1; brackets, a port and a zone index are dropped. Null where it is
 * no address.
 */
function parseAddress(text: string): string | null {
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
export function toClientAddress(
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

/** What an address is counted as: itself for IPv4, its /64 for IPv6. */
export function toCountedAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
