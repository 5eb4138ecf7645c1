// Who may use the desk: added with a password that is shown once, or removed. Each of it is in the log;
// the last editor stays (contract 14.37).
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { Actor, DecisionAction } from '../domain/decision.ts';
import { isGoodPassword, PASSWORD_LENGTH, toPassword } from '../domain/editor.ts';
import {
  deleteEditor,
  type Editor,
  getEditor,
  getEditorHash,
  listEditors,
  putEditor,
} from '../inbox/editors.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';
import { deleteDevicesOf, deleteSessionsOf } from '../inbox/sessions.ts';
import { decide } from './decide.ts';
import type { Comer } from './gate.ts';
import { checkPassword, createWords, hashPassword } from './password.ts';

/** Four groups: 100 bits. */
const PASSWORD_GROUPS = 4;

/** Who it is done by where nobody says so: a test, or a service that is being set up. */
const SETUP = 'setup';

/** Logs what was done with the access of an editor. */
export function logAccess(
  inbox: Inbox,
  { editor, now_ms }: Actor,
  action: DecisionAction,
  name: string,
  change: () => void,
): void {
  decide(inbox, { editor, now_ms, action, subject: name, reason: null }, [], change);
}

/**
 * Adds an editor, or gives one a new password and ends their sessions. Gives the password: it is not
 * stored. Throws AppError for a bad name.
 */
export async function addEditor(
  inbox: Inbox,
  name: string,
  now_ms: number,
  by = SETUP,
): Promise<string> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{1,39}$/u.test(name))
    throw new AppError(
      'invalid_parameter',
      'name: 2 to 40 letters, digits, spaces, dots or hyphens',
      'bad_name',
    );
  const password = createWords(PASSWORD_GROUPS);
  const hash = await hashPassword(password);
  inTransaction(inbox, () => {
    const action = getEditor(inbox, name) === null ? 'add_editor' : 'new_password';
    logAccess(inbox, { editor: by, now_ms }, action, name, () => {
      endAccess(inbox, name);
      putEditor(inbox, { name, hash, added_at: formatTimestamp(now_ms) });
    });
  });
  return password;
}

/** Ends every session of an editor, and knows none of their devices any more. */
function endAccess(inbox: Inbox, name: string): void {
  deleteSessionsOf(inbox, name);
  deleteDevicesOf(inbox, name);
}

/** Throws AppError where there is no such editor. */
function read(inbox: Inbox, name: string): Editor {
  const found = getEditor(inbox, name);
  if (found === null)
    throw new AppError('not_found', `name: there is no editor '${name}'`, 'no_such_editor');
  return found;
}

/**
 * Removes an editor and ends their sessions; what they decided stays in the log. Throws AppError where
 * there is none, or for the last one.
 */
export function removeEditor(inbox: Inbox, actor: Actor, name: string): void {
  logAccess(inbox, actor, 'remove_editor', name, () => {
    read(inbox, name);
    if (listEditors(inbox).length === 1)
      throw new AppError(
        'invalid_parameter',
        'name: the last editor stays. Add somebody else first',
        'last_editor',
      );
    deleteEditor(inbox, name);
  });
}

/** The name, where name and password belong together; else null, after the same time. */
export async function findEditor(
  inbox: Inbox,
  name: string,
  password: string,
  comer: Comer = 'known',
): Promise<string | null> {
  const hash = getEditorHash(inbox, name);
  const is_right = await checkPassword(password, hash, comer);
  // Checking takes a while: who was removed or given a new password meanwhile is not let in by the
  // old one.
  return is_right && getEditorHash(inbox, name) === hash ? name : null;
}

/**
 * An editor's own new password, in place of the one that is typed too; all sessions end. Throws
 * AppError where that one is wrong, or the new one is no good.
 */
export async function changePassword(
  inbox: Inbox,
  { editor, now_ms }: Actor,
  current: string,
  next: string,
): Promise<void> {
  if (!isGoodPassword(toPassword(next), editor))
    throw new AppError(
      'invalid_parameter',
      `password: at least ${PASSWORD_LENGTH.min} characters, six of them different, and not the name`,
      'weak_password',
    );
  if ((await findEditor(inbox, editor, current)) === null)
    throw new AppError(
      'invalid_parameter',
      'password: it is not the current one',
      'wrong_password',
    );
  const hash = await hashPassword(next);
  logAccess(inbox, { editor, now_ms }, 'new_password', editor, () => {
    const { added_at } = read(inbox, editor);
    endAccess(inbox, editor);
    putEditor(inbox, { name: editor, hash, added_at });
  });
}
