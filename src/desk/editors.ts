// Who may use the desk: added with a password that is shown once, sent out or removed. Each of it is in the
// log; the last editor stays (contract 14.37).
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { Actor, DecisionAction } from '../domain/decision.ts';
import {
  deleteEditor,
  deleteFactor,
  getEditor,
  insertEditor,
  listEditors,
  putHash,
} from '../inbox/editors.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';
import { deleteSession, deleteSessionsOf, listSessions } from '../inbox/sessions.ts';
import { decide } from './decide.ts';
import { createWords, hashPassword } from './password.ts';

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
  decide(inbox, { editor, now_ms, action, subject: name, reason: null }, () => {
    change();
    return [];
  });
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
      if (action === 'add_editor')
        insertEditor(inbox, { name, hash, added_at: formatTimestamp(now_ms) });
      else putHash(inbox, name, hash);
      deleteSessionsOf(inbox, name);
    });
  });
  return password;
}

/**
 * Removes an editor and ends their sessions; what they decided stays in the log. Throws AppError where
 * there is none, or for the last one.
 */
export function removeEditor(inbox: Inbox, actor: Actor, name: string): void {
  logAccess(inbox, actor, 'remove_editor', name, () => {
    if (getEditor(inbox, name) === null)
      throw new AppError('not_found', `name: there is no editor '${name}'`, 'no_such_editor');
    if (listEditors(inbox).length === 1)
      throw new AppError(
        'invalid_parameter',
        'name: the last editor stays. Add somebody else first',
        'last_editor',
      );
    deleteEditor(inbox, name);
  });
}

/** Takes the second factor of an editor away. */
export function removeFactor(inbox: Inbox, actor: Actor, name: string): void {
  logAccess(inbox, actor, 'factor_off', name, () => deleteFactor(inbox, name));
}

/** Ends a session: one of `owner`, or anybody's (null). Throws AppError where there is none. */
export function endListed(inbox: Inbox, actor: Actor, id: string, owner: string | null): void {
  const found = listSessions(inbox, owner).find((session) => session.id === id);
  if (found === undefined)
    throw new AppError('not_found', 'session: there is no such session', 'no_such_session');
  endSessions(inbox, actor, found.editor, () => deleteSession(inbox, id));
}

/** Ends all sessions of an editor but the one of an id. */
export function endAll(inbox: Inbox, actor: Actor, editor: string, but: string): void {
  endSessions(inbox, actor, editor, () => deleteSessionsOf(inbox, editor, but));
}

/** Logged where they are somebody else's. */
function endSessions(inbox: Inbox, actor: Actor, editor: string, end: () => void): void {
  if (editor === actor.editor) inTransaction(inbox, end);
  else logAccess(inbox, actor, 'end_sessions', editor, end);
}
