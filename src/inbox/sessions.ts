// The table of the desk's sessions: by the hash of a token, with when each began and was last seen.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

const SessionRow = v.object({ editor: v.string(), started_ms: v.number(), seen_ms: v.number() });
export type SessionTimes = Readonly<v.InferOutput<typeof SessionRow>>;

export function getSession(inbox: Inbox, hash: string): SessionTimes | null {
  const row: unknown = inbox
    .prepare('select editor, started_ms, seen_ms from sessions where hash = ?')
    .get(hash);
  return row === undefined ? null : v.parse(SessionRow, row);
}

export function insertSession(inbox: Inbox, hash: string, editor: string, now_ms: number): void {
  inbox.prepare('insert into sessions values (?, ?, ?, ?)').run(hash, editor, now_ms, now_ms);
}

export function touchSession(inbox: Inbox, hash: string, now_ms: number): void {
  inbox.prepare('update sessions set seen_ms = ? where hash = ?').run(now_ms, hash);
}

export function deleteSession(inbox: Inbox, hash: string): void {
  inbox.prepare('delete from sessions where hash = ?').run(hash);
}

/** Those last seen or begun so long ago. */
export function deleteOldSessions(inbox: Inbox, seen_ms: number, started_ms: number): void {
  inbox
    .prepare('delete from sessions where seen_ms <= ? or started_ms <= ?')
    .run(seen_ms, started_ms);
}

export function deleteSessionsOf(inbox: Inbox, editor: string): void {
  inbox.prepare('delete from sessions where editor = ?').run(editor);
}
