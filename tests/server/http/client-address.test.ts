// Client addresses: the client behind proxies, and the address that rate limits count (contract 10.5, 10.8).
import { expect, test } from 'vitest';
import { clientAddress, rateLimitAddress } from '../../../src/server/http/client-address.ts';

test.each([
  ['192.0.2.1', '203.0.113.9', 0, '192.0.2.1'],
  ['::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
  ['fe80::1%eth0', undefined, 0, 'fe80::1'],
  [undefined, undefined, 0, 'unknown'],
  ['10.0.0.1', '6.6.6.6, 203.0.113.9', 1, '203.0.113.9'],
  ['10.0.0.1', '6.6.6.6,5.5.5.5, 203.0.113.9, 10.0.0.2', 2, '203.0.113.9'],
  ['10.0.0.1', '203.0.113.9', 2, '203.0.113.9'],
  ['10.0.0.1', undefined, 1, '10.0.0.1'],
  ['10.0.0.1', '6.6.6.6, garbage', 1, '10.0.0.1'],
  ['10.0.0.1', '[2001:db8::5]:4711', 1, '2001:db8::5'],
  ['10.0.0.1', '::ffff:203.0.113.9', 1, '203.0.113.9'],
])(
  'clientAddress: socket %s, forwarded %j, %i proxies: %s, ignoring forged entries',
  (socket, forwarded, proxies, expected) => {
    expect(clientAddress(socket, forwarded, proxies)).toBe(expected);
  },
);

test.each([
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['64:ff9b::192.0.2.1', '192.0.2.1'],
  ['2002:c000:0201:7::1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['unknown', 'unknown'],
])('rateLimitAddress: %s counts as %s', (address, counted) => {
  expect(rateLimitAddress(address)).toBe(counted);
});
