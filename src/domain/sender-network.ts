// The network that a counted address belongs to: whoever has a whole one is one sender there.

/** Groups of an IPv6 address that name its /48. */
const GROUPS_48 = 3;

/**
 * `192.0.2.0/24` of `192.0.2.7`; `2001:db8:1::/48` of `2001:db8:1:2::/64`, as an address is counted
 * (contract 10.8). What is neither is a network of its own.
 */
export function toNetwork(counted: string): string {
  const v4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(counted)?.[1];
  if (v4 !== undefined) return `${v4}.0/24`;
  const v6 = /^([0-9a-f:]+)::\/64$/.exec(counted)?.[1];
  return v6 === undefined ? counted : `${v6.split(':').slice(0, GROUPS_48).join(':')}::/48`;
}
