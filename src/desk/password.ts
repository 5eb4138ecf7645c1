// Passwords of editors: made by us, kept as scrypt digests (RFC 7914; OWASP's second setting, 64
// MiB).
import { randomInt, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const COST = { N: 2 ** 16, r: 8, p: 2, maxmem: 128 * 1024 * 1024 } as const;
const LENGTH = 32;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;
/** Longer ones are not hashed: nobody types them. */
const MAX_PASSWORD = 200;

/** `k7mqa-…`: twenty letters and digits, 100 bits. */
export function createPassword(): string {
  const group = (): string =>
    Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

const digest = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, LENGTH, COST, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/** `scrypt$salt$digest`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${salt.toString('base64url')}$${(await digest(password, salt)).toString('base64url')}`;
}

/**
 * Whether a password is the one of a hash; with null it takes as long and is not, so that names
 * cannot be found out.
 */
export async function checkPassword(password: string, hash: string | null): Promise<boolean> {
  if (password.length > MAX_PASSWORD) return false;
  const [, salt = '', stored = ''] = (hash ?? '').split('$');
  const made = await digest(
    password,
    hash === null ? Buffer.alloc(16) : Buffer.from(salt, 'base64url'),
  );
  const right = Buffer.from(stored, 'base64url');
  return hash !== null && right.length === made.length && timingSafeEqual(made, right);
}
