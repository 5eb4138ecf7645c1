// The library's tables of editors: who may use the desk, by name, with the hash of a password and a second factor.
import { randomUUID } from 'node:crypto';
import type { Inbox } from './open.ts';

export interface Editor {
  readonly name: string;
  readonly added_at: string;
  /** The login asks for a code too. */
  readonly has_factor: boolean;
}

async function listWhere(inbox: Inbox, name: string | null): Promise<readonly Editor[]> {
  const rows = await inbox.db
    .selectFrom('user')
    .select(['name', 'createdAt', 'twoFactorEnabled'])
    .$if(name !== null, (query) => query.where('name', '=', name ?? ''))
    .orderBy('name')
    .execute();
  return rows.map(({ name: own, createdAt, twoFactorEnabled }) => ({
    name: own,
    added_at: createdAt,
    has_factor: twoFactorEnabled === 1,
  }));
}

export const listEditors = (inbox: Inbox): Promise<readonly Editor[]> => listWhere(inbox, null);

/** By name; null where there is none. */
export const getEditor = async (inbox: Inbox, name: string): Promise<Editor | null> =>
  (await listWhere(inbox, name))[0] ?? null;

/** The id of an editor, as the other tables have it. */
const toId = (inbox: Inbox, name: string) =>
  inbox.db.selectFrom('user').select('id').where('name', '=', name);

/** The library asks for an address of each: it is the name, and nothing is mailed there. */
export async function insertEditor(
  inbox: Inbox,
  { name, added_at, hash }: Pick<Editor, 'name' | 'added_at'> & { readonly hash: string },
): Promise<void> {
  const id = randomUUID();
  const times = { createdAt: added_at, updatedAt: added_at };
  await inbox.db
    .insertInto('user')
    .values({ id, name, email: name, emailVerified: 0, username: name, ...times })
    .execute();
  const known = { id, accountId: id, providerId: 'credential', userId: id };
  await inbox.db
    .insertInto('account')
    .values({ ...known, password: hash, ...times })
    .execute();
}

export async function putHash(inbox: Inbox, name: string, hash: string): Promise<void> {
  await inbox.db
    .updateTable('account')
    .set({ password: hash })
    .where('userId', '=', toId(inbox, name))
    .execute();
}

/** Whether it is the hash of somebody's password. */
export const isInUse = async (inbox: Inbox, hash: string): Promise<boolean> =>
  (await inbox.db
    .selectFrom('account')
    .select('id')
    .where('password', '=', hash)
    .executeTakeFirst()) !== undefined;

/** Removes an editor with sessions and second factor; what they decided stays in the log. */
export async function deleteEditor(inbox: Inbox, name: string): Promise<void> {
  await inbox.db.deleteFrom('user').where('name', '=', name).execute();
}

/** Whether the second factor of an editor is confirmed, and how many codes are left; null where there is none. */
export async function getFactor(inbox: Inbox, name: string) {
  const found = await inbox.db
    .selectFrom('twoFactor')
    .select(['verified', 'backupCodes'])
    .where('userId', '=', toId(inbox, name))
    .executeTakeFirst();
  if (found === undefined) return null;
  const codes: unknown = JSON.parse(found.backupCodes);
  return { verified: found.verified, codes: Array.isArray(codes) ? codes.length : 0 };
}

/** Takes the second factor away, with its codes. */
export async function deleteFactor(inbox: Inbox, name: string): Promise<void> {
  await inbox.db.deleteFrom('twoFactor').where('userId', '=', toId(inbox, name)).execute();
  await inbox.db
    .updateTable('user')
    .set({ twoFactorEnabled: 0 })
    .where('name', '=', name)
    .execute();
}

/** Secrets as a former version kept them: the migration cannot encrypt them as the library does. */
export const listPlainSecrets = (inbox: Inbox) =>
  inbox.db
    .selectFrom('twoFactor')
    .select(['id', 'secret'])
    .where('secret', 'like', 'base32:%')
    .execute();

export async function putSecret(inbox: Inbox, id: string, secret: string): Promise<void> {
  await inbox.db.updateTable('twoFactor').set({ secret }).where('id', '=', id).execute();
}
