// Who may use the desk: added with a password that is shown once, sent out or removed. Each of it is in the
// log; the last editor stays (contract 14.37).
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { Actor, DecisionAction } from '../domain/change.ts';
import {
  deleteEditor,
  deleteFactor,
  deleteSession,
  deleteSessionsOf,
  getEditor,
  insertEditor,
  listEditors,
  listSessions,
  putHash,
} from '../inbox/editors.ts';
import type { Inbox } from '../inbox/open.ts';
import { decideOnly } from './decide.ts';
import { createWords, hashPassword } from './password.ts';
import { refusal } from './refusal.ts';

/** Four groups: 100 bits. */
const PASSWORD_GROUPS = 4;

/** Who it is done by where nobody says so: a test, or a service that is being set up. */
const SETUP = 'setup';

/** Logs what was done with the access of an editor. */
export const logAccess = (
  inbox: Inbox,
  actor: Actor,
  action: DecisionAction,
  subject: string,
  change: () => Promise<void>,
): Promise<void> => decideOnly(inbox, { ...actor, action, subject }, change);

/** Adds an editor, or gives one a new password and ends their sessions. Gives the password: it is not stored. */
export async function addEditor(
  inbox: Inbox,
  name: string,
  now_ms: number,
  by = SETUP,
): Promise<string> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{1,39}$/u.test(name)) throw refusal('bad_name');
  const password = createWords(PASSWORD_GROUPS);
  const hash = await hashPassword(password);
  await inbox.transaction(async () => {
    const action = (await getEditor(inbox, name)) === null ? 'add_editor' : 'new_password';
    await logAccess(inbox, { editor: by, now_ms }, action, name, async () => {
      if (action === 'new_password') await putHash(inbox, name, hash);
      else await insertEditor(inbox, { name, hash, added_at: formatTimestamp(now_ms) });
      await deleteSessionsOf(inbox, name);
    });
  });
  return password;
}

/** Removes an editor and ends their sessions; what they decided stays in the log. */
export const removeEditor = (inbox: Inbox, actor: Actor, name: string): Promise<void> =>
  logAccess(inbox, actor, 'remove_editor', name, async () => {
    const editors = await listEditors(inbox);
    if (!editors.some((editor) => editor.name === name))
      throw refusal('no_such_editor', `name: there is no editor '${name}'`);
    if (editors.length === 1) throw refusal('last_editor');
    await deleteEditor(inbox, name);
  });

/** Takes the second factor of an editor away. */
export const removeFactor = (inbox: Inbox, actor: Actor, name: string): Promise<void> =>
  logAccess(inbox, actor, 'factor_off', name, () => deleteFactor(inbox, name));

/** Ends a session: one of `owner`, or anybody's (null). Throws AppError where there is none. */
export async function endListed(inbox: Inbox, actor: Actor, id: string, owner: string | null) {
  const found = (await listSessions(inbox, owner)).find((session) => session.id === id);
  if (found === undefined) throw refusal('no_such_session');
  await endSessions(inbox, actor, found.editor, () => deleteSession(inbox, id));
}

/** Ends all sessions of an editor but the one of an id. */
export const endAll = (inbox: Inbox, actor: Actor, editor: string, but: string): Promise<void> =>
  endSessions(inbox, actor, editor, () => deleteSessionsOf(inbox, editor, but));

/** Logged where they are somebody else's. */
const endSessions = (inbox: Inbox, actor: Actor, editor: string, end: () => Promise<void>) =>
  editor === actor.editor
    ? inbox.transaction(end)
    : logAccess(inbox, actor, 'end_sessions', editor, end);
