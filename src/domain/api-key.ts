// What an API key looks like, and the one form in which it is stored (contract 10.1, 10.4).
import { createHash } from 'node:crypto';

/**
 * Says whose key it is wherever one turns up, so that scanners for secrets find a leaked one.
 */
const PREFIX = 'hc_';
export const KEY_BYTES = 32;

/** A key made of `KEY_BYTES` random bytes: `hc_` and 64 hexadecimal digits. */
export function formatKey(random: Buffer): string {
  return `${PREFIX}${random.toString('hex')}`;
}

/**
 * The form in which keys are stored and looked up: sha-256, hexadecimal. A fast digest is right here,
 * since a key is 256 random bits that nobody can guess; and a look-up by it takes no longer for
 * a key that is nearly right.
 */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
