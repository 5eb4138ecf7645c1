// The library's table of sessions, and what it does not see to: an hour without use ends one, a code is good once.
// The times are those of the machine's clock, as the library writes them.
import * as v from 'valibot';
import { type Inbox, unlessFull, withoutWaiting } from './open.ts';

const at = (offset: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '${offset}')`;
/** A session lives until the library's end of it, and so long after it was last seen. */
const IS_LIVE = `session.expiresAt > ${at('0 seconds')} and session.updatedAt > ${at('-1 hour')}`;
/** More often it is not noted that a session was seen: every page would wait for the disk. */
const NOTED = at('-1 minute');

const SessionRow = v.object({
  id: v.string(),
  editor: v.string(),
  device: v.string(),
  started_ms: v.number(),
  seen_ms: v.number(),
});
export type StoredSession = Readonly<v.InferOutput<typeof SessionRow>>;

const toMs = (column: string): string =>
  `cast(round(unixepoch(${column}, 'subsec') * 1000) as int)`;

/** Those of an editor, or of everybody (null), that live; last seen first. */
export const listSessions = (inbox: Inbox, editor: string | null): readonly StoredSession[] =>
  v.parse(
    v.array(SessionRow),
    inbox
      .prepare(
        `select session.id, name as editor, userAgent as device,
           ${toMs('session.createdAt')} as started_ms, ${toMs('session.updatedAt')} as seen_ms
         from session join "user" on "user".id = userId
         where ${IS_LIVE} and (?1 is null or name = ?1) order by seen_ms desc, session.id`,
      )
      .all({ 1: editor }),
  );

/** Whether a session lives; it is seen now. */
export function seeSession(inbox: Inbox, id: string): boolean {
  const is_noted: unknown = inbox
    .prepare(`select updatedAt > ${NOTED} from session where id = ? and ${IS_LIVE}`)
    .pluck()
    .get(id);
  // Whoever is in goes on reading where the disk takes no more, or another program writes.
  if (is_noted === 0)
    unlessFull(() =>
      withoutWaiting(inbox, () =>
        inbox.prepare(`update session set updatedAt = ${at('0 seconds')} where id = ?`).run(id),
      ),
    );
  return is_noted !== undefined;
}

/** By its id, or by its token. */
export function deleteSession(inbox: Inbox, key: string): void {
  inbox.prepare('delete from session where ?1 in (id, token)').run({ 1: key });
}

export function deleteOldSessions(inbox: Inbox): void {
  inbox.prepare(`delete from session where not (${IS_LIVE})`).run();
}

/** Those of an editor, but the one of an id. */
export function deleteSessionsOf(inbox: Inbox, editor: string, but = ''): void {
  inbox
    .prepare(
      'delete from session where userId = (select id from "user" where name = ?) and id <> ?',
    )
    .run(editor, but);
}

/** Ends all of everybody, and what a right password was given to be let in by a code. */
export const deleteAllSessions = (inbox: Inbox): void =>
  void inbox.exec('delete from session; delete from verification');

/** Uses up a code of an editor; false where it was used while it is good. The library forgets it after that. */
export const useCode = (inbox: Inbox, editor: string, code: string): boolean =>
  inbox
    .prepare(
      `insert into verification select ?1, ?1, '', ${at('3 minutes')}, ${at('0 seconds')}, ${at('0 seconds')}
       where true on conflict do nothing`,
    )
    .run({ 1: `used ${editor} ${code}` }).changes === 1;
