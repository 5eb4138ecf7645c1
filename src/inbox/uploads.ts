// The tables of uploaded pictures: the bytes under an id that nobody guesses, and which submissions
// need them. What no submission needs belongs to a form that somebody works on.
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

/** Stores a picture of a sender, or counts one that is there as new. */
export function putUpload(
  inbox: Inbox,
  { id, width, height, bytes }: StoredUpload,
  sender: string,
  at_ms: number,
): void {
  inbox
    .prepare(
      `insert into uploads (id, sender, at_ms, width, height, bytes) values (?, ?, ?, ?, ?, ?)
       on conflict (id) do update set at_ms = excluded.at_ms`,
    )
    .run(id, sender, at_ms, width, height, bytes);
}

/** Counts a picture that is there as new; whether there is one. */
export const touchUpload = (inbox: Inbox, id: string, at_ms: number): boolean =>
  inbox.prepare('update uploads set at_ms = ? where id = ?').run(at_ms, id).changes === 1;

/** A submission needs a picture. */
export function insertUploadUse(inbox: Inbox, id: string, reference: string): void {
  inbox
    .prepare('insert into upload_uses (id, reference) values (?, ?) on conflict do nothing')
    .run(id, reference);
  // Who sent it is of use only while pictures of forms are counted.
  inbox.prepare("update uploads set sender = '' where id = ?").run(id);
}

const UNUSED = 'not exists (select 1 from upload_uses u where u.id = uploads.id)';

/** Deletes what no submission needs and is not after `from_ms`, or is after `to_ms`. */
export function deleteUnused(inbox: Inbox, from_ms: number, to_ms: number): void {
  inbox
    .prepare(`delete from uploads where (at_ms <= ? or at_ms > ?) and ${UNUSED}`)
    .run(from_ms, to_ms);
}

const Held = v.object({ count: v.number(), bytes: v.number() });

/** How many pictures no submission needs, of a sender or of everybody, and their bytes. */
export function countUnused(inbox: Inbox, sender: string | null): v.InferOutput<typeof Held> {
  return v.parse(
    Held,
    inbox
      .prepare(
        `select count(*) as count, coalesce(sum(length(bytes)), 0) as bytes from uploads where (?1 is null or sender = ?1) and ${UNUSED}`,
      )
      .get({ 1: sender }),
  );
}

/** Deletes the oldest of those: of a sender, or of the one who has most. Whether there was one. */
export function deleteOldestUnused(inbox: Inbox, sender: string | null): boolean {
  const found = inbox
    .prepare(
      `delete from uploads where id = (
         select id from uploads where ${UNUSED} and sender = coalesce(?1,
           (select sender from uploads where ${UNUSED} group by sender order by count(*) desc, min(at_ms) limit 1))
         order by at_ms, id limit 1)`,
    )
    .run({ 1: sender });
  return found.changes === 1;
}

/**
 * Marks since when a submission has no need of its picture: it was replaced, or what it came with was
 * rejected or withdrawn and is not in the agenda, or the edit of it was taken back. Deletes the use after `days_ms`, and the picture
 * with its last.
 */
export function forgetUploads(inbox: Inbox, now_ms: number, days_ms: number): void {
  const IS_NEEDED = `exists (select 1 from submissions s where s.reference = upload_uses.reference
      and s.state not in ('rejected', 'withdrawn') and s.record ->> '$.image.upload' = upload_uses.id)
    or exists (select 1 from publications p where p.reference = upload_uses.reference
      and p.record ->> '$.event.image.upload' = upload_uses.id)
    or exists (select 1 from edits e where e.thing = upload_uses.reference
      and e.record ->> '$.image.url' = 'upload:' || upload_uses.id)`;
  inbox
    .prepare(`update upload_uses set ended_ms = null where ended_ms is not null and (${IS_NEEDED})`)
    .run();
  inbox
    .prepare(`update upload_uses set ended_ms = ? where ended_ms is null and not (${IS_NEEDED})`)
    .run(now_ms);
  inbox.prepare('delete from upload_uses where ended_ms <= ?').run(now_ms - days_ms);
}
