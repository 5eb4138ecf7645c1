// Editor accounts: adds and removes editors, sets passwords and ends sessions, each with an entry
// in the decision log. The last editor cannot be removed (contract 14.37). Passwords are stored as
// scrypt digests (RFC 7914; the second setting that OWASP recommends, 64 MiB).
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

/** Cost parameters of scrypt. */
const COST = { N: 2 ** 16, r: 8, p: 2, maxmem: 128 * 1024 * 1024 } as const;
const DIGEST_BYTES = 32;
/** 32 characters, 5 bits each; without those that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUP_LENGTH = 5;
/** Groups in a generated password: 100 bits. */
const PASSWORD_GROUPS = 4;

/** Generates a random passphrase, `k7mqa-…`: groups of five letters and digits, 25 bits each. */
export function generatePassphrase(groups: number): string {
  const characters = Array.from(
    { length: groups * GROUP_LENGTH },
    () => ALPHABET[randomInt(ALPHABET.length)],
  );
  return characters.join('').match(/.{5}/g)?.join('-') ?? '';
}

/** Password hashes that may run or wait in this process; further ones are rejected. */
export const MAX_QUEUED_HASHES = 12;
let queued_count = 0;
/** Settles after the job that was queued last; never rejects. */
let last_job: Promise<unknown> = Promise.resolve();

/**
 * Runs password hashes one after another, so that a flood of logins leaves CPU and disk to
 * visitors.
 * @throws AppError rate_limited if too many jobs wait.
 */
export function runSerially<T>(work: () => Promise<T>): Promise<T> {
  if (queued_count >= MAX_QUEUED_HASHES)
    throw new AppError('rate_limited', 'login: too many attempts at once. Try again', 'busy');
  queued_count += 1;
  const job = last_job.then(work).finally(() => {
    queued_count -= 1;
  });
  last_job = job.catch(() => {});
  return job;
}

const computeDigest = (password: string, salt: Buffer): Promise<Buffer> =>
  runSerially(
    () =>
      new Promise((resolve, reject) => {
        scrypt(normalizePassword(password), salt, DIGEST_BYTES, COST, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );

/**
 * Hashes a password as `scrypt$salt$digest`.
 * @throws AppError rate_limited if too many hashes wait.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const digest = await computeDigest(password, salt);
  return `scrypt$${salt.toString('base64url')}$${digest.toString('base64url')}`;
}

/**
 * Checks a password against its hash.
 * @throws AppError rate_limited if too many hashes wait.
 */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, salt = '', stored = ''] = hash.split('$');
  const digest = await computeDigest(password, Buffer.from(salt, 'base64url'));
  return isEqualConstantTime(digest, Buffer.from(stored, 'base64url'));
}

/**
 * Adds an editor, or sets a new password for an existing one and ends their sessions.
 * @param by Editor name in the decision log.
 * @returns The generated password, which is not stored.
 */
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

/** Removes an editor and ends their sessions; their decisions stay in the log. */
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

/** Removes the second factor of an editor, which they can set up again. */
export const removeSecondFactor = (inbox: Inbox, actor: Actor, name: string): Promise<void> =>
  recordDecisionWithoutChanges(inbox, { ...actor, action: 'factor_off', subject: name }, () =>
    deleteSecondFactor(inbox, name),
  );

/**
 * Ends the session of an editor with this `id`, or all `but` the one with that id. Only ending
 * another editor's sessions is logged.
 * @throws AppError if no session has this id.
 */
export function endSessions(
  inbox: Inbox,
  actor: Actor,
  editor: string,
  selection: { readonly id: string } | { readonly but: string },
): Promise<void> {
  const deleteSelected = async (): Promise<void> => {
    const count = await deleteSessions(inbox, editor, selection);
    if (count === 0 && 'id' in selection) throw refusal('no_such_session');
  };
  return editor === actor.editor
    ? inbox.transaction(deleteSelected)
    : recordDecisionWithoutChanges(
        inbox,
        { ...actor, action: 'end_sessions', subject: editor },
        deleteSelected,
      );
}
