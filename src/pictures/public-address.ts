// Which addresses on the network a stranger's link may lead to: public ones only.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { PictureError } from './picture-error.ts';

/** Gives every address of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** By the machine's own resolver. */
export const resolveByDns: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** Global unicast of IPv6 is all below 2000::/3. */
const GLOBAL_V6 = ipaddr.IPv6.parse('2000::');

/** Whether an address is one of the public internet: not of this machine, its network or a special use. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_V6, 3);
}

/**
 * The address to connect to for a name, checked. Where one of several is not public none is taken,
 * and whoever connects uses this very address: the name may mean another a moment later. Throws a
 * PictureError.
 */
export async function findPublicAddress(name: string, resolve: Resolve): Promise<string> {
  const addresses = isIP(name) === 0 ? await tryResolve(name, resolve) : [name];
  const [first] = [...addresses].sort((a, b) => isIP(a) - isIP(b));
  if (first === undefined) throw new PictureError(`${name} has no address`, null, 'not_found');
  const hidden = addresses.find((address) => !isPublicAddress(address));
  if (hidden !== undefined)
    throw new PictureError(
      `${name} leads to ${hidden}, which is not a public address`,
      null,
      'not_public',
    );
  return first;
}

async function tryResolve(name: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(name);
  } catch {
    throw new PictureError(`${name} cannot be found`, null, 'not_found');
  }
}
