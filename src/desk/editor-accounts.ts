// Who may use the desk: editors are added with a password that is shown once, sent out or removed. Each of it is in
// the log; the last editor stays (contract 14.37). A password is stored as a scrypt digest (RFC 7914; OWASP's second
// setting, 64 MiB).
import { randomBytes, randomInt, scrypt } from 'node:crypto';
import { AppError, refusal } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/local-time.ts';
import type { Actor } from '../domain/change.ts';
import { normalizePassword } from '../domain/password-policy.ts';
import {
  deleteEditor,
  deleteSecondFactor,
  deleteSessions,
  getEditor,
  insertEditor,
  listEditors,
  setPasswordHash,
} from '../inbox/editors.ts';
import type { Inbox } from '../inbox/open.ts';
import { isEqualConstantTime } from '../inbox/secrets.ts';
import { recordDecisionWithoutChanges } from './decisions.ts';

const COST = { N: 2 ** 16, r: 8, p: 2, maxmem: 128 * 1024 * 1024 } as const;
const DIGEST_BYTES = 32;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUP_LENGTH = 5;
/** Four groups: 100 bits. */
const PASSWORD_GROUPS = 4;

/** `k7mqa-…`: groups of five letters and digits, 25 bits each. */
export function generatePassphrase(groups: number): string {
  const letters = Array.from(
    { length: groups * GROUP_LENGTH },
    () => LETTERS[randomInt(LETTERS.length)],
  );
  return letters.join('').match(/.{5}/g)?.join('-') ?? '';
}

/** Passwords looked at or waiting in this process; one more is refused. */
export const MAX_QUEUED_HASHES = 12;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * One after another, so that a flood of logins leaves the cores and the disk to readers. Throws AppError rate_limited
 * where too many wait.
 */
export function runSerially<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= MAX_QUEUED_HASHES)
    throw new AppError('rate_limited', 'login: too many at once. Try again', 'busy');
  waiting += 1;
  const turn = last.then(work).finally(() => {
    waiting -= 1;
  });
  last = turn.catch(() => {});
  return turn;
}

const digest = (password: string, salt: Buffer): Promise<Buffer> =>
  runSerially(
    () =>
      new Promise((resolve, reject) => {
        scrypt(normalizePassword(password), salt, DIGEST_BYTES, COST, (error, key) =>
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

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, salt = '', stored = ''] = hash.split('$');
  const made = await digest(password, Buffer.from(salt, 'base64url'));
  return isEqualConstantTime(made, Buffer.from(stored, 'base64url'));
}

/** Adds an editor, or gives one a new password and ends their sessions. Gives the password: it is not stored. */
export async function addEditor(
  inbox: Inbox,
  name: string,
  now_ms: number,
  by = 'setup',
): Promise<string> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{1,39}$/u.test(name)) throw refusal('bad_name');
  const password = generatePassphrase(PASSWORD_GROUPS);
  const hash = await hashPassword(password);
  await inbox.transaction(async () => {
    const is_new = (await getEditor(inbox, name)) === null;
    const action = is_new ? 'add_editor' : 'new_password';
    await recordDecisionWithoutChanges(
      inbox,
      { editor: by, now_ms, action, subject: name },
      async () => {
        if (is_new) await insertEditor(inbox, { name, hash, added_at: formatTimestamp(now_ms) });
        else await setPasswordHash(inbox, name, hash);
        await deleteSessions(inbox, name, {});
      },
    );
  });
  return password;
}

/** Removes an editor and ends their sessions; what they decided stays in the log. */
export const removeEditor = (inbox: Inbox, actor: Actor, name: string): Promise<void> =>
  recordDecisionWithoutChanges(
    inbox,
    { ...actor, action: 'remove_editor', subject: name },
    async () => {
      const editors = await listEditors(inbox);
      if (!editors.some((editor) => editor.name === name))
        throw refusal('no_such_editor', `name: there is no editor '${name}'`);
      if (editors.length === 1) throw refusal('last_editor');
      await deleteEditor(inbox, name);
    },
  );

/** Takes the second factor of an editor away. */
export const removeSecondFactor = (inbox: Inbox, actor: Actor, name: string): Promise<void> =>
  recordDecisionWithoutChanges(inbox, { ...actor, action: 'factor_off', subject: name }, () =>
    deleteSecondFactor(inbox, name),
  );

/**
 * Ends sessions of an editor: the one of an id, or all `but` one. Logged where they are somebody else's. Throws
 * AppError where there is none of that id.
 */
export function endSessions(
  inbox: Inbox,
  actor: Actor,
  editor: string,
  which: { readonly id: string } | { readonly but: string },
): Promise<void> {
  const end = async (): Promise<void> => {
    const count = await deleteSessions(inbox, editor, which);
    if (count === 0 && 'id' in which) throw refusal('no_such_session');
  };
  return editor === actor.editor
    ? inbox.transaction(end)
    : recordDecisionWithoutChanges(
        inbox,
        { ...actor, action: 'end_sessions', subject: editor },
        end,
      );
}
