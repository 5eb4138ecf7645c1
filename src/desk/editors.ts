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
import type { Inbox } from '../inbox/open.ts';
import { deleteSession, deleteSessionsOf, listSessions } from '../inbox/sessions.ts';
import { decide } from './decide.ts';
import { createWords, hashPassword } from './password.ts';

/** Four groups: 100 bits. */
const PASSWORD_GROUPS = 4;

/** Who it is done by where nobody says so: a test, or a service that is being set up. */
const SETUP = 'setup';

/** Logs what was done with the access of an editor. */
export async function logAccess(
  inbox: Inbox,
  { editor, now_ms }: Actor,
  action: DecisionAction,
  name: string,
  change: () => Promise<void>,
): Promise<void> {
  await decide(inbox, { editor, now_ms, action, subject: name, reason: null }, async () => {
    await change();
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
  await inbox.transaction(async () => {
    const action = (await getEditor(inbox, name)) === null ? 'add_editor' : 'new_password';
    await logAccess(inbox, { editor: by, now_ms }, action, name, async () => {
      if (action === 'add_editor')
        await insertEditor(inbox, { name, hash, added_at: formatTimestamp(now_ms) });
      else await putHash(inbox, name, hash);
      await deleteSessionsOf(inbox, name);
    });
  });
  return password;
}

/**
 * Removes an editor and ends their sessions; what they decided stays in the log. Throws AppError where
 * there is none, or for the last one.
 */
export async function removeEditor(inbox: Inbox, actor: Actor, name: string): Promise<void> {
  await logAccess(inbox, actor, 'remove_editor', name, async () => {
    if ((await getEditor(inbox, name)) === null)
      throw new AppError('not_found', `name: there is no editor '${name}'`, 'no_such_editor');
    if ((await listEditors(inbox)).length === 1)
      throw new AppError(
        'invalid_parameter',
        'name: the last editor stays. Add somebody else first',
        'last_editor',
      );
    await deleteEditor(inbox, name);
  });
}

/** Takes the second factor of an editor away. */
export async function removeFactor(inbox: Inbox, actor: Actor, name: string): Promise<void> {
  await logAccess(inbox, actor, 'factor_off', name, () => deleteFactor(inbox, name));
}

/** Ends a session: one of `owner`, or anybody's (null). Throws AppError where there is none. */
export async function endListed(
  inbox: Inbox,
  actor: Actor,
  id: string,
  owner: string | null,
): Promise<void> {
  const found = (await listSessions(inbox, owner)).find((session) => session.id === id);
  if (found === undefined)
    throw new AppError('not_found', 'session: there is no such session', 'no_such_session');
  await endSessions(inbox, actor, found.editor, () => deleteSession(inbox, id));
}

/** Ends all sessions of an editor but the one of an id. */
export async function endAll(
  inbox: Inbox,
  actor: Actor,
  editor: string,
  but: string,
): Promise<void> {
  await endSessions(inbox, actor, editor, () => deleteSessionsOf(inbox, editor, but));
}

/** Logged where they are somebody else's. */
async function endSessions(
  inbox: Inbox,
  actor: Actor,
  editor: string,
  end: () => Promise<void>,
): Promise<void> {
  if (editor === actor.editor) await inbox.transaction(end);
  else await logAccess(inbox, actor, 'end_sessions', editor, end);
}
