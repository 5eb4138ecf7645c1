// Who may use the desk: editors with a password that is made here and shown once, stored as a scrypt
// digest (RFC 7914; OWASP's second setting, 64 MiB).
import { randomBytes, randomInt, scrypt } from 'node:crypto';
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { getEditorHash, putEditor } from '../inbox/editors.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';
import { deleteSessionsOf } from '../inbox/sessions.ts';
import { isSame } from './secret.ts';

const COST = { N: 2 ** 16, r: 8, p: 2, maxmem: 128 * 1024 * 1024 } as const;
const LENGTH = 32;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;
/** Longer ones are not hashed: nobody types them. */
const MAX_PASSWORD = 200;

/** `k7mqa-…`: twenty letters and digits, 100 bits. */
function createPassword(): string {
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
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${salt.toString('base64url')}$${(await digest(password, salt)).toString('base64url')}`;
}

/**
 * Whether a password is the one of a hash; with null it takes as long and is not, so that names
 * cannot be found out.
 */
async function checkPassword(password: string, hash: string | null): Promise<boolean> {
  if (password.length > MAX_PASSWORD) return false;
  const [, salt = '', stored = ''] = (hash ?? '').split('$');
  const made = await digest(
    password,
    hash === null ? Buffer.alloc(16) : Buffer.from(salt, 'base64url'),
  );
  const right = Buffer.from(stored, 'base64url');
  return hash !== null && isSame(made, right);
}

/**
 * Adds an editor, or gives one a new password and ends their sessions. Gives the password: it is
 * not stored. Throws AppError for a bad name.
 */
export async function addEditor(inbox: Inbox, name: string, now_ms: number): Promise<string> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{1,39}$/u.test(name))
    throw new AppError(
      'invalid_parameter',
      'name: 2 to 40 letters, digits, spaces, dots or hyphens',
      'bad_name',
    );
  const password = createPassword();
  const hash = await hashPassword(password);
  inTransaction(inbox, () => {
    deleteSessionsOf(inbox, name);
    putEditor(inbox, name, hash, formatTimestamp(now_ms));
  });
  return password;
}

/** The name, where name and password belong together; else null, after the same time. */
export async function findEditor(
  inbox: Inbox,
  name: string,
  password: string,
): Promise<string | null> {
  const hash = getEditorHash(inbox, name);
  const is_right = await checkPassword(password, hash);
  // Checking takes a while: who was removed or given a new password meanwhile is not let in by the
  // old one.
  return is_right && getEditorHash(inbox, name) === hash ? name : null;
}
