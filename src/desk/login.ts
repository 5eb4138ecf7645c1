// Into the desk and out of it: attempts that are counted, and sessions that end when idle and after
// a day's work.
import { randomBytes } from 'node:crypto';
import {
  countAttempts,
  deleteAttempts,
  insertAttempt,
  pruneAttempts,
} from '../inbox/login-attempts.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';
import {
  deleteOldSessions,
  deleteSession,
  getSession,
  insertSession,
  touchSession,
} from '../inbox/sessions.ts';
import { findEditor } from './editors.ts';
import { derive, isSame, toCounted, toDigest } from './secret.ts';

const WINDOW_MS = 15 * 60_000;
/** Failures within the window for an address, and for a name. */
export const LOGIN_LIMITS = { address: 8, name: 20 } as const;

/** Ends after so long without a request, and so long after the login whatever happens. */
export const SESSION_IDLE_MS = 60 * 60_000;
export const SESSION_LONGEST_MS = 12 * 60 * 60_000;
/** More often it is not noted that a session was seen: every page would wait for the disk. */
const SESSION_NOTED_MS = 60_000;
const MAX_NAME = 40;

export interface Session {
  readonly editor: string;
  /** For the hidden field of every form. */
  readonly csrf: string;
}

/** Who tries to come in; `name` and `password` as typed. */
export interface LoginAttempt {
  readonly address: string;
  readonly name: string;
  readonly password: string;
  readonly now_ms: number;
}
export type LoginResult =
  | { readonly kind: 'in'; readonly token: string }
  | { readonly kind: 'wrong' | 'too_many'; readonly name: string };

/** Counts the attempt before it looks at the password; gives the token of a session. */
export async function login(inbox: Inbox, attempt: LoginAttempt): Promise<LoginResult> {
  const { address, password, now_ms } = attempt;
  const name = attempt.name.normalize('NFC').trim().slice(0, MAX_NAME);
  if (!countAttempt(inbox, address, name, now_ms)) return { kind: 'too_many', name };
  const editor = await findEditor(inbox, name, password.trim());
  if (editor === null) return { kind: 'wrong', name };
  forgiveAttempts(inbox, address, name);
  return { kind: 'in', token: beginSession(inbox, editor, now_ms) };
}

const toWho = (inbox: Inbox, address: string, name: string) =>
  [
    ['address', toCounted(inbox, 'login address', address)],
    ['name', toCounted(inbox, 'login name', name)],
  ] as const;

/** False where there were too many, and then the password is not to be looked at. */
export function countAttempt(inbox: Inbox, address: string, name: string, now_ms: number): boolean {
  return inTransaction(inbox, (): boolean => {
    // What a clock that ran ahead has counted would keep everybody out until it is that late.
    pruneAttempts(inbox, now_ms - WINDOW_MS, now_ms + WINDOW_MS);
    const all = toWho(inbox, address, name);
    if (all.some(([whose, who]) => countAttempts(inbox, who) >= LOGIN_LIMITS[whose])) return false;
    for (const [, who] of all) insertAttempt(inbox, who, now_ms);
    return true;
  });
}

/** After a right password. */
export function forgiveAttempts(inbox: Inbox, address: string, name: string): void {
  for (const [, who] of toWho(inbox, address, name)) deleteAttempts(inbox, who);
}

/** Begins a session; gives the token for the cookie. */
export function beginSession(inbox: Inbox, editor: string, now_ms: number): string {
  const token = randomBytes(32).toString('base64url');
  inTransaction(inbox, () => {
    deleteOldSessions(inbox, now_ms - SESSION_IDLE_MS, now_ms - SESSION_LONGEST_MS);
    insertSession(inbox, toDigest(token), editor, now_ms);
  });
  return token;
}

/** The live session of a token, seen now; null where there is none. */
export function readSession(inbox: Inbox, token: string | null, now_ms: number): Session | null {
  if (token === null || token === '') return null;
  const hash = toDigest(token);
  const session = getSession(inbox, hash);
  if (session === null) return null;
  const { editor, started_ms, seen_ms } = session;
  // Seen long after now: by a clock that ran ahead, and it would not end before that moment.
  if (Math.abs(now_ms - seen_ms) >= SESSION_IDLE_MS || now_ms - started_ms >= SESSION_LONGEST_MS) {
    deleteSession(inbox, hash);
    return null;
  }
  if (now_ms - seen_ms > SESSION_NOTED_MS) touchSession(inbox, hash, now_ms);
  return { editor, csrf: derive(inbox, 'csrf', hash).toString('base64url') };
}

export const endSession = (inbox: Inbox, token: string): void =>
  deleteSession(inbox, toDigest(token));

/** Whether a form came from a page of this session. */
export const isOwnForm = (session: Session, csrf: string): boolean =>
  isSame(Buffer.from(csrf), Buffer.from(session.csrf));
