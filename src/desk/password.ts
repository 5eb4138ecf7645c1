// Passwords: made here, stored as a scrypt digest (RFC 7914; OWASP's second setting, 64 MiB), and
// looked at one at a time, so that a flood of logins leaves the cores and the disk to readers.
import { randomBytes, randomInt, scrypt } from 'node:crypto';
import { AppError } from '../domain/app-error.ts';
import { toPassword } from '../domain/editor.ts';
import { isSame } from '../inbox/secret.ts';

const COST = { N: 2 ** 16, r: 8, p: 2, maxmem: 128 * 1024 * 1024 } as const;
const LENGTH = 32;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUP_LENGTH = 5;

/** Waiting in this process; one more is refused. */
export const MOST_WAITING = 12;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** After those before it. Throws AppError rate_limited where too many wait. */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= MOST_WAITING)
    throw new AppError('rate_limited', 'login: too many at once. Try again', 'busy');
  waiting += 1;
  const turn = last.then(work).finally(() => {
    waiting -= 1;
  });
  last = turn.catch(() => {});
  return turn;
}

/** `k7mqa-…`: groups of five letters and digits, 25 bits each. */
export function createWords(groups: number): string {
  const group = (): string =>
    Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

const digest = (password: string, salt: Buffer): Promise<Buffer> =>
  oneAtATime(
    () =>
      new Promise((resolve, reject) => {
        scrypt(toPassword(password), salt, LENGTH, COST, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );

/** `scrypt$salt$digest`. Throws AppError where too many wait, as does the next. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const made = await digest(password, salt);
  return `scrypt$${salt.toString('base64url')}$${made.toString('base64url')}`;
}

export async function checkPassword(password: string, hash: string): Promise<boolean> {
  const [, salt = '', stored = ''] = hash.split('$');
  const made = await digest(password, Buffer.from(salt, 'base64url'));
  return isSame(made, Buffer.from(stored, 'base64url'));
}
