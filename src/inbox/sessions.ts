// Sessions of the desk: a random token in a cookie, kept as a hash, ending when idle and after a
// day's work.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { derive, readSecret } from './secret.ts';
import type { Inbox } from './open.ts';

/** Ends after so long without a request, and so long after the login whatever happens. */
export const SESSION_IDLE_MS = 60 * 60_000;
export const SESSION_LONGEST_MS = 12 * 60 * 60_000;

export interface Session {
  readonly editor: string;
  /** For the hidden field of every form. */
  readonly csrf: string;
}

const SessionRow = v.object({ editor: v.string(), started_ms: v.number(), seen_ms: v.number() });
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Begins a session; gives the token for the cookie. */
export function beginSession(inbox: Inbox, editor: string, now_ms: number): string {
  const token = randomBytes(32).toString('base64url');
  inbox
    .transaction(() => {
      inbox
        .prepare('delete from sessions where seen_ms <= ? or started_ms <= ?')
        .run(now_ms - SESSION_IDLE_MS, now_ms - SESSION_LONGEST_MS);
      inbox
        .prepare('insert into sessions values (?, ?, ?, ?)')
        .run(hashOf(token), editor, now_ms, now_ms);
    })
    .immediate();
  return token;
}

/** The live session of a token, seen now; null where there is none. */
export function readSession(inbox: Inbox, token: string | null, now_ms: number): Session | null {
  if (token === null || token === '') return null;
  const row = inbox
    .prepare('select editor, started_ms, seen_ms from sessions where hash = ?')
    .get(hashOf(token));
  if (row === undefined) return null;
  const { editor, started_ms, seen_ms } = v.parse(SessionRow, row);
  // Seen long after now: by a clock that ran ahead, and it would not end before that moment.
  if (Math.abs(now_ms - seen_ms) >= SESSION_IDLE_MS || now_ms - started_ms >= SESSION_LONGEST_MS) {
    endSession(inbox, token);
    return null;
  }
  // Once a minute is enough: a write each request would make every page wait for the disk.
  if (now_ms - seen_ms > 60_000)
    inbox.prepare('update sessions set seen_ms = ? where hash = ?').run(now_ms, hashOf(token));
  return { editor, csrf: derive(readSecret(inbox), 'csrf', hashOf(token)).toString('base64url') };
}

export function endSession(inbox: Inbox, token: string): void {
  inbox.prepare('delete from sessions where hash = ?').run(hashOf(token));
}

/** Whether a form came from a page of this session. */
export function isOwnForm(session: Session, csrf: string): boolean {
  const [given, right] = [Buffer.from(csrf), Buffer.from(session.csrf)];
  return given.length === right.length && timingSafeEqual(given, right);
}
