// Sessions at the desk: begun with a token of their own, ended when idle, after a day's work, or by
// whoever sees them in the list (contract 14.39).
import { randomBytes } from 'node:crypto';
import { AppError } from '../domain/app-error.ts';
import type { Actor } from '../domain/decision.ts';
import { type Inbox, inTransaction, unlessFull, withoutWaiting } from '../inbox/open.ts';
import {
  deleteDevices,
  deleteOldSessions,
  deleteSession,
  deleteSessionsOf,
  getSession,
  insertDevice,
  insertSession,
  listSessions,
  type StoredSession,
  touchSession,
} from '../inbox/sessions.ts';
import { logAccess } from './editors.ts';
import { derive, isSame, toDigest } from './secret.ts';

/** Ends after so long without a request, and so long after the login whatever happens. */
export const SESSION_IDLE_MS = 60 * 60_000;
export const SESSION_LONGEST_MS = 12 * 60 * 60_000;
/** How long a device is known after somebody came in from it. */
export const DEVICE_MS = 180 * 24 * 60 * 60_000;
/** More often it is not noted that a session was seen: every page would wait for the disk. */
const SESSION_NOTED_MS = 60_000;

export interface Session {
  readonly editor: string;
  /** For the hidden field of every form. */
  readonly csrf: string;
  /** What it is called in the list; gives nobody access. */
  readonly id: string;
}

/** A session in the list. */
export interface SessionLine extends Pick<StoredSession, 'editor' | 'device'> {
  readonly id: string;
  readonly started_ms: number;
  readonly seen_ms: number;
}

const ID_LENGTH = 12;
const toId = (hash: string): string => hash.slice(0, ID_LENGTH);

/** Where a session begins: the device in words, and the token that it brought, which is no use again. */
export interface Origin {
  readonly device?: string;
  readonly former?: string | null;
}

/**
 * Begins a session; gives the token for the cookie, a new one whatever the device brought. The token
 * stays in the browser after the session and lets nobody in: a login from there is one from a known
 * device.
 */
export function beginSession(
  inbox: Inbox,
  editor: string,
  now_ms: number,
  { device = '', former = null }: Origin = {},
): string {
  const token = randomBytes(32).toString('base64url');
  const hash = toDigest(token);
  inTransaction(inbox, () => {
    deleteOldSessions(inbox, now_ms - SESSION_IDLE_MS, now_ms - SESSION_LONGEST_MS);
    deleteDevices(inbox, toDigest(former ?? ''), now_ms - DEVICE_MS);
    deleteSession(inbox, toDigest(former ?? ''));
    insertSession(inbox, { hash, editor, device, started_ms: now_ms, seen_ms: now_ms });
    insertDevice(inbox, hash, editor, now_ms);
  });
  return token;
}

/** Seen long after now: by a clock that ran ahead, and it would not end before that moment. */
const isOver = ({ started_ms, seen_ms }: StoredSession, now_ms: number): boolean =>
  Math.abs(now_ms - seen_ms) >= SESSION_IDLE_MS || now_ms - started_ms >= SESSION_LONGEST_MS;

/** The live session of a token, seen now; null where there is none. */
export function readSession(inbox: Inbox, token: string | null, now_ms: number): Session | null {
  if (token === null || token === '') return null;
  const hash = toDigest(token);
  const session = getSession(inbox, hash);
  if (session === null) return null;
  if (isOver(session, now_ms)) {
    unlessFull(() => withoutWaiting(inbox, () => deleteSession(inbox, hash)));
    return null;
  }
  const { editor, seen_ms } = session;
  // Whoever is in goes on reading where the disk takes no more, or another program writes.
  if (now_ms - seen_ms > SESSION_NOTED_MS)
    unlessFull(() => withoutWaiting(inbox, () => touchSession(inbox, hash, now_ms)));
  return { editor, csrf: derive(inbox, 'csrf', hash).toString('base64url'), id: toId(hash) };
}

export const endSession = (inbox: Inbox, token: string): void =>
  deleteSession(inbox, toDigest(token));

/** Whether a form came from a page of this session. */
export const isOwnForm = (session: Session, csrf: string): boolean =>
  isSame(Buffer.from(csrf), Buffer.from(session.csrf));

/** The live sessions of an editor, or of everybody (null); last seen first. */
export const listLiveSessions = (
  inbox: Inbox,
  editor: string | null,
  now_ms: number,
): readonly SessionLine[] =>
  listSessions(inbox, editor)
    .filter((session) => !isOver(session, now_ms))
    .map(({ hash, ...line }) => ({ id: toId(hash), ...line }));

/**
 * Ends the session that the list calls `id`: one of `owner`, or anybody's (null); logged where it is
 * somebody else's. Throws AppError where there is none.
 */
export function endListed(inbox: Inbox, actor: Actor, id: string, owner: string | null): void {
  inTransaction(inbox, () => {
    const found = listSessions(inbox, owner).find(({ hash }) => toId(hash) === id);
    if (found === undefined)
      throw new AppError('not_found', 'session: there is no such session', 'no_such_session');
    const end = (): void => deleteSession(inbox, found.hash);
    if (found.editor === actor.editor) end();
    else logAccess(inbox, actor, 'end_sessions', found.editor, end);
  });
}

/** Ends all sessions of an editor but the one of `but`; how many. Logged where they are somebody else's. */
export function endAll(inbox: Inbox, actor: Actor, editor: string, but: string | null): number {
  const keep = but === null ? '' : toDigest(but);
  if (editor === actor.editor) return deleteSessionsOf(inbox, editor, keep);
  let ended = 0;
  logAccess(inbox, actor, 'end_sessions', editor, () => {
    ended = deleteSessionsOf(inbox, editor, keep);
  });
  return ended;
}
