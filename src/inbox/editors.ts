// Who may use the desk: named editors with a password that is shown once.
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { Inbox } from './open.ts';
import { checkPassword, createPassword, hashPassword } from '../desk/password.ts';

export interface Editor {
  readonly name: string;
  readonly added_at: string;
}
const EditorRow = v.object({ name: v.string(), added_at: v.string() });

/**
 * Adds an editor, or gives one a new password and ends their sessions. Gives the password: it is
 * not kept. Throws AppError for a bad name.
 */
export async function addEditor(inbox: Inbox, name: string, now_ms: number): Promise<string> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{1,39}$/u.test(name))
    throw new AppError(
      'invalid_parameter',
      'name: 2 to 40 letters, digits, spaces, dots or hyphens',
    );
  const password = createPassword();
  const hash = await hashPassword(password);
  inbox
    .transaction(() => {
      inbox.prepare('delete from sessions where editor = ?').run(name);
      inbox
        .prepare(
          'insert into editors values (?, ?, ?) on conflict do update set hash = excluded.hash',
        )
        .run(name, hash, formatTimestamp(now_ms));
    })
    .immediate();
  return password;
}

export function listEditors(inbox: Inbox): readonly Editor[] {
  return v.parse(
    v.array(EditorRow),
    inbox.prepare('select name, added_at from editors order by name').all(),
  );
}

/**
 * Removes an editor and ends their sessions; what they decided stays in the log. False where there
 * was none.
 */
export function removeEditor(inbox: Inbox, name: string): boolean {
  return inbox.prepare('delete from editors where name = ?').run(name).changes > 0;
}

/**
 * The name as it is kept, where name and password belong together; else null, after the same time.
 */
export async function findEditor(
  inbox: Inbox,
  name: string,
  password: string,
): Promise<string | null> {
  const find = inbox.prepare('select hash from editors where name = ?').pluck();
  const hash: unknown = find.get(name);
  const is_right = await checkPassword(password, typeof hash === 'string' ? hash : null);
  // Checking takes a while: who was removed or given a new password meanwhile is not let in by the
  // old one.
  return is_right && find.get(name) === hash ? name : null;
}
