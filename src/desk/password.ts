// Passwords: made here, stored as a scrypt digest (RFC 7914; OWASP's second setting, 64 MiB), and
// looked at one at a time, so that a flood of logins leaves the cores and the disk to readers.
import { randomBytes, randomInt, scrypt } from 'node:crypto';
import { PASSWORD_LENGTH, toPassword } from '../domain/editor.ts';
import { type Comer, createGate } from './gate.ts';
import { isSame } from './secret.ts';

const COST = { N: 2 ** 16, r: 8, p: 2, maxmem: 128 * 1024 * 1024 } as const;
const LENGTH = 32;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUP_LENGTH = 5;

/** At once in this process, and waiting of each kind. */
export const SCRYPTS = { at_once: 1, waiting: 6 } as const;
const gate = createGate(SCRYPTS.at_once, SCRYPTS.waiting);

/** `k7mqa-…`: groups of five letters and digits, 25 bits each. */
export function createWords(groups: number): string {
  const group = (): string =>
    Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

const digest = (password: string, salt: Buffer, comer: Comer): Promise<Buffer> =>
  gate(
    comer,
    () =>
      new Promise((resolve, reject) => {
        scrypt(toPassword(password), salt, LENGTH, COST, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );

/** `scrypt$salt$digest`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const made = await digest(password, salt, 'known');
  return `scrypt$${salt.toString('base64url')}$${made.toString('base64url')}`;
}

/**
 * Whether a password is the one of a hash; with null it takes as long and is not, so that names
 * cannot be found out. Throws AppError where too many are looked at.
 */
export async function checkPassword(
  password: string,
  hash: string | null,
  comer: Comer,
): Promise<boolean> {
  if (password.length > PASSWORD_LENGTH.max) return false;
  const [, salt = '', stored = ''] = (hash ?? '').split('$');
  const made = await digest(
    password,
    hash === null ? Buffer.alloc(16) : Buffer.from(salt, 'base64url'),
    comer,
  );
  const right = Buffer.from(stored, 'base64url');
  return hash !== null && isSame(made, right);
}
