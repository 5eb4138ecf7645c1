// The table of uploaded pictures, in uploads.db: the bytes under an id that nobody guesses, and since when nothing
// needs them. One with a sender belongs to a form that somebody works on.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

const Row = v.object({
  id: v.string(),
  width: v.number(),
  height: v.number(),
  bytes: v.instance(Buffer),
});
/** A picture as it is stored: WebP, without metadata. */
export type StoredUpload = v.InferOutput<typeof Row>;

/** The picture under an id; null where there is none, or none any more. */
export function getUpload(inbox: Inbox, id: string): StoredUpload | null {
  const row: unknown = inbox
    .prepare('select id, width, height, bytes from uploads where id = ?')
    .get(id);
  return row === undefined ? null : v.parse(Row, row);
}

/** Whether a picture is there. */
export const hasUpload = (inbox: Inbox, id: string): boolean =>
  inbox.prepare('select 1 from uploads where id = ?').get(id) !== undefined;

/** Stores a picture of a sender; one that is there stays as it is. */
export function insertUpload(
  inbox: Inbox,
  { id, width, height, bytes }: StoredUpload,
  sender: string,
  now_ms: number,
): void {
  inbox
    .prepare(
      `insert into uploads (id, sender, unused_ms, width, height, bytes) values (?, ?, ?, ?, ?, ?)
       on conflict do nothing`,
    )
    .run(id, sender, now_ms, width, height, bytes);
}

/** The time of a picture that nothing needs begins anew; whether there is one, needed or not. */
export const touchUpload = (inbox: Inbox, id: string, now_ms: number): boolean =>
  inbox
    .prepare('update uploads set unused_ms = iif(unused_ms is null, null, ?) where id = ?')
    .run(now_ms, id).changes === 1;

/** Something needs a picture: who sent it is of use only while pictures of forms are counted. Whether it is there. */
export const setUploadNeeded = (inbox: Inbox, id: string): boolean =>
  inbox.prepare("update uploads set unused_ms = null, sender = '' where id = ?").run(id).changes ===
  1;

/** Deletes the pictures of forms that are not after `from_ms`, or are after `to_ms`. */
export function deleteHeld(inbox: Inbox, from_ms: number, to_ms: number): void {
  inbox
    .prepare("delete from uploads where sender <> '' and (unused_ms <= ? or unused_ms > ?)")
    .run(from_ms, to_ms);
}

const Held = v.object({ count: v.number(), bytes: v.number() });

/** How many pictures of forms there are, of a sender or of everybody, and their bytes. */
export function countHeld(inbox: Inbox, sender: string | null): v.InferOutput<typeof Held> {
  return v.parse(
    Held,
    inbox
      .prepare(
        `select count(*) as count, coalesce(sum(length(bytes)), 0) as bytes from uploads
         where sender <> '' and (?1 is null or sender = ?1)`,
      )
      .get({ 1: sender }),
  );
}

/** Deletes the oldest of those: of a sender, or of the one who has most. Whether there was one. */
export function deleteOldestHeld(inbox: Inbox, sender: string | null): boolean {
  const found = inbox
    .prepare(
      `delete from uploads where id = (
         select id from uploads where sender = coalesce(?1,
           (select sender from uploads where sender <> '' group by sender order by count(*) desc, min(unused_ms) limit 1))
         order by unused_ms, id limit 1)`,
    )
    .run({ 1: sender });
  return found.changes === 1;
}

/** The ids that something needs: what stands for a reference and was not turned down, and what the agenda is told. */
const NEEDED = `(
  select text ->> '$.image.upload' from changes one
    where state in ('waiting', 'asked', 'applied') and text ->> '$.image.upload' is not null and not exists (
      select 1 from changes newer where newer.reference = one.reference and newer.id > one.id
        and newer.state not in ('replaced', 'undone'))
  union all select record ->> '$.event.image.upload' from changes
    where state = 'applied' and record ->> '$.event.image.upload' is not null
  union all select substr(record ->> '$.image.url', length('upload:') + 1) from changes
    where state = 'applied' and record ->> '$.image.url' like 'upload:%')`;

/**
 * Notes since when nothing needs a picture that was sent in: it was replaced, or what it came with was rejected
 * or withdrawn and is not in the agenda, or the edit of it was taken back. Deletes it after `days_ms`.
 */
export function forgetUploads(inbox: Inbox, now_ms: number, days_ms: number): void {
  inbox
    .prepare(
      `update uploads set unused_ms = null, sender = '' where unused_ms is not null and id in ${NEEDED}`,
    )
    .run();
  inbox
    .prepare(`update uploads set unused_ms = ? where unused_ms is null and id not in ${NEEDED}`)
    .run(now_ms);
  inbox.prepare("delete from uploads where sender = '' and unused_ms <= ?").run(now_ms - days_ms);
}
