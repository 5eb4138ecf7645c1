// Who asks: the address that limits count by (decisions, Limits 1 and 2).
import { isIP } from 'node:net';

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
  if (isIP(bare) === 4) return bare;
  if (isIP(bare) !== 6) return null;
  return unmap(toGroups(bare)) ?? bare;
}

/** The eight groups of an IPv6 address as numbers. */
function toGroups(address: string): readonly number[] {
  const dotted = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  );
  const [head = '', tail] = dotted.split('::');
  const parse = (part: string | undefined): number[] =>
    part ? part.split(':').map((group) => Number.parseInt(group, 16)) : [];
  const [before, after] = [parse(head), parse(tail)];
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: gap }, () => 0), ...after];
}

/** The IPv4 address inside an IPv4-mapped one, or null. */
function unmap(groups: readonly number[]): string | null {
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return null;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * The client's address: the socket's, or, with `trusted_proxies` in front, the one that the
 * outermost of them wrote into X-Forwarded-For, counted from the right. What a client forges stands
 * further left and is never looked at. A list that is too short or holds no address there falls
 * back to the nearest trusted one.
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
  return `${toGroups(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}
