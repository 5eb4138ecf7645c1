// The tables of the desk's sessions, by the hash of a token, with when each began and was last seen;
// and of the devices from which somebody came in before.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

const SessionRow = v.object({
  hash: v.string(),
  editor: v.string(),
  device: v.string(),
  started_ms: v.number(),
  seen_ms: v.number(),
});
export type StoredSession = Readonly<v.InferOutput<typeof SessionRow>>;
const SELECT = 'select hash, editor, device, started_ms, seen_ms from sessions';

export function getSession(inbox: Inbox, hash: string): StoredSession | null {
  const row: unknown = inbox.prepare(`${SELECT} where hash = ?`).get(hash);
  return row === undefined ? null : v.parse(SessionRow, row);
}

/** Those of an editor, or of everybody; last seen first. */
export const listSessions = (inbox: Inbox, editor: string | null): readonly StoredSession[] =>
  v.parse(
    v.array(SessionRow),
    inbox
      .prepare(`${SELECT} where ?1 is null or editor = ?1 order by seen_ms desc, hash`)
      .all({ 1: editor }),
  );

export function insertSession(
  inbox: Inbox,
  { hash, editor, device, started_ms, seen_ms }: StoredSession,
): void {
  inbox
    .prepare(
      'insert into sessions (hash, editor, device, started_ms, seen_ms) values (?, ?, ?, ?, ?)',
    )
    .run(hash, editor, device, started_ms, seen_ms);
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

/** Those of an editor, but the one of a hash; how many. */
export const deleteSessionsOf = (inbox: Inbox, editor: string, but = ''): number =>
  inbox.prepare('delete from sessions where editor = ? and hash <> ?').run(editor, but).changes;

/** Ends all of everybody, and forgets from where they came. */
export const deleteAllSessions = (inbox: Inbox): void =>
  void inbox.exec('delete from sessions; delete from devices');

/** Whether this editor came in with this token before. */
export const isDeviceOf = (inbox: Inbox, hash: string, editor: string): boolean =>
  inbox.prepare('select 1 from devices where hash = ? and editor = ?').get(hash, editor) !==
  undefined;

export function insertDevice(inbox: Inbox, hash: string, editor: string, seen_ms: number): void {
  inbox
    .prepare('insert or replace into devices (hash, editor, seen_ms) values (?, ?, ?)')
    .run(hash, editor, seen_ms);
}

/** Forgets one device, and those not seen since `seen_ms`. */
export function deleteDevices(inbox: Inbox, hash: string, seen_ms: number): void {
  inbox.prepare('delete from devices where hash = ? or seen_ms <= ?').run(hash, seen_ms);
}

/** Forgets all devices of an editor. */
export function deleteDevicesOf(inbox: Inbox, editor: string): void {
  inbox.prepare('delete from devices where editor = ?').run(editor);
}
