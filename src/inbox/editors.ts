// The library's tables of editors: who may use the desk, by name, with the hash of a password and a second factor.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

const EditorRow = v.object({
  name: v.string(),
  added_at: v.string(),
  /** The login asks for a code too. */
  has_factor: v.pipe(
    v.number(),
    v.transform((one) => one === 1),
  ),
});
export type Editor = Readonly<v.InferOutput<typeof EditorRow>>;
const SELECT = `select name, createdAt as added_at, coalesce(twoFactorEnabled, 0) as has_factor from "user"`;

export function listEditors(inbox: Inbox): readonly Editor[] {
  return v.parse(v.array(EditorRow), inbox.prepare(`${SELECT} order by name`).all());
}

/** By name; null where there is none. */
export function getEditor(inbox: Inbox, name: string): Editor | null {
  const row: unknown = inbox.prepare(`${SELECT} where name = ?`).get(name);
  return row === undefined ? null : v.parse(EditorRow, row);
}

/** The id of an editor, as the other tables have it. */
const ID = '(select id from "user" where name = @name)';

/** The library asks for an address of each: it is the name, and nothing is mailed there. */
export function insertEditor(
  inbox: Inbox,
  editor: Pick<Editor, 'name' | 'added_at'> & { readonly hash: string },
): void {
  inbox
    .prepare(
      `insert into "user" (id, name, email, emailVerified, createdAt, updatedAt, username)
       values (lower(hex(randomblob(16))), @name, @name, 0, @added_at, @added_at, @name)`,
    )
    .run(editor);
  inbox
    .prepare(
      `insert into account (id, accountId, providerId, userId, password, createdAt, updatedAt)
       values (${ID}, ${ID}, 'credential', ${ID}, @hash, @added_at, @added_at)`,
    )
    .run(editor);
}

export function putHash(inbox: Inbox, name: string, hash: string): void {
  inbox.prepare(`update account set password = @hash where userId = ${ID}`).run({ name, hash });
}

/** Whether it is the hash of somebody's password. */
export const isInUse = (inbox: Inbox, hash: string): boolean =>
  inbox.prepare('select 1 from account where password = ?').get(hash) !== undefined;

/** Removes an editor with sessions and second factor; what they decided stays in the log. */
export function deleteEditor(inbox: Inbox, name: string): void {
  inbox.prepare('delete from "user" where name = ?').run(name);
}

const FactorRow = v.object({ verified: v.number(), codes: v.number() });

/** Whether the second factor of an editor is confirmed, and how many codes are left; null where there is none. */
export function getFactor(inbox: Inbox, name: string) {
  const row: unknown = inbox
    .prepare(
      `select verified, json_array_length(backupCodes) as codes from twoFactor where userId = ${ID}`,
    )
    .get({ name });
  return row === undefined ? null : v.parse(FactorRow, row);
}

/** Takes the second factor away, with its codes. */
export function deleteFactor(inbox: Inbox, name: string): void {
  inbox.prepare(`delete from twoFactor where userId = ${ID}`).run({ name });
  inbox.prepare('update "user" set twoFactorEnabled = 0 where name = ?').run(name);
}

const SecretRow = v.object({ id: v.string(), secret: v.string() });

/** Secrets as a former version kept them: the migration cannot encrypt them as the library does. */
export const listPlainSecrets = (inbox: Inbox) =>
  v.parse(
    v.array(SecretRow),
    inbox.prepare("select id, secret from twoFactor where secret like 'base32:%'").all(),
  );

export function putSecret(inbox: Inbox, id: string, secret: string): void {
  inbox.prepare('update twoFactor set secret = ? where id = ?').run(secret, id);
}
