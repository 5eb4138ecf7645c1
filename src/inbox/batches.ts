// The tables of calendars that were brought in: what somebody chooses from, and which submissions
// were sent of each.
import * as v from 'valibot';
import { BatchDraftSchema, type StoredBatch } from '../domain/batch/batch.ts';
import { LANGS } from '../domain/lang.ts';
import type { Inbox } from './open.ts';

const JsonColumn = v.pipe(v.string(), v.parseJson());
const Row = v.object({
  id: v.number(),
  reference: v.nullable(v.string()),
  name: v.string(),
  url: v.nullable(v.string()),
  lang: v.picklist(LANGS),
  at: v.string(),
  draft: v.nullable(v.pipe(JsonColumn, BatchDraftSchema)),
  choices: v.pipe(JsonColumn, v.record(v.string(), v.string())),
  seed: v.nullable(v.string()),
});
const SELECT = 'select id, reference, name, url, lang, at, draft, choices, seed from batches';

function getBy(inbox: Inbox, column: 'token_hash' | 'reference', value: string) {
  const row: unknown = inbox.prepare(`${SELECT} where ${column} = ?`).get(value);
  return row === undefined ? null : v.parse(Row, row);
}

/** By the hash of the token in its address; null where there is none. */
export const getBatchByTokenHash = (inbox: Inbox, hash: string): StoredBatch | null =>
  getBy(inbox, 'token_hash', hash);

/** By its reference, in any case. */
export const getBatch = (inbox: Inbox, reference: string): StoredBatch | null =>
  getBy(inbox, 'reference', reference.toUpperCase());

interface NewDraft {
  readonly name: string;
  readonly url: string | null;
  readonly lang: StoredBatch['lang'];
  readonly at: string;
  readonly at_ms: number;
  readonly draft: object;
}

/**
 * What somebody begins to choose from: `sender` is what their address is counted as, `seed` what the
 * token is made of.
 */
export function insertBatch(
  inbox: Inbox,
  own: { readonly token_hash: string; readonly seed: string; readonly sender: string },
  { name, url, lang, at, at_ms, draft }: NewDraft,
): void {
  inbox
    .prepare(
      "insert into batches (token_hash, seed, sender, name, url, lang, at, at_ms, draft, choices) values (?, ?, ?, ?, ?, ?, ?, ?, ?, '{}')",
    )
    .run(own.token_hash, own.seed, own.sender, name, url, lang, at, at_ms, JSON.stringify(draft));
}

/** The same calendar read again. */
export function setDraft(inbox: Inbox, id: number, { name, url, at_ms, draft }: NewDraft): void {
  inbox
    .prepare(
      'update batches set name = ?, url = coalesce(?, url), at_ms = ?, draft = ? where id = ?',
    )
    .run(name, url, at_ms, JSON.stringify(draft), id);
}

/** Nothing is being chosen any more; one that nothing was sent of goes. */
export function endDraft(inbox: Inbox, id: number): void {
  inbox.prepare('update batches set draft = null where id = ?').run(id);
  inbox.prepare('delete from batches where id = ? and reference is null').run(id);
}

/** Something of it is sent under a reference. */
export function setSent(
  inbox: Inbox,
  id: number,
  reference: string,
  choices: Readonly<Record<string, string>>,
  at: string,
): void {
  inbox
    .prepare(
      "update batches set reference = ?, choices = ?, at = ?, draft = null, sender = '' where id = ?",
    )
    .run(reference, JSON.stringify(choices), at, id);
}

/** Ends what is not chosen from since `from_ms`, or was begun by a clock that ran past `to_ms`. */
export function pruneDrafts(inbox: Inbox, from_ms: number, to_ms: number): void {
  const old = '(at_ms <= ? or at_ms > ?)';
  inbox.prepare(`delete from batches where reference is null and ${old}`).run(from_ms, to_ms);
  inbox
    .prepare(`update batches set draft = null where draft is not null and ${old}`)
    .run(from_ms, to_ms);
}

/** How many are being chosen from for the first time, of a sender or of everybody. */
export function countDrafts(inbox: Inbox, sender: string | null): number {
  return v.parse(
    v.number(),
    inbox
      .prepare(
        'select count(*) from batches where reference is null and (?1 is null or sender = ?1)',
      )
      .pluck()
      .get({ 1: sender }),
  );
}

/** Deletes the oldest of those: of a sender, or of the one who has most. */
export function deleteOldestDraft(inbox: Inbox, sender: string | null): void {
  inbox
    .prepare(
      `delete from batches where id = (
         select id from batches where reference is null and sender = coalesce(?1,
           (select sender from batches where reference is null group by sender order by count(*) desc, min(at_ms) limit 1))
         order by at_ms, id limit 1)`,
    )
    .run({ 1: sender });
}

/** A submission is of a batch, by the name that its event has in the calendar, and what that said of it. */
export function putBatchItem(
  inbox: Inbox,
  id: number,
  item: { readonly reference: string; readonly uid: string; readonly digest: string },
): void {
  inbox
    .prepare('update changes set batch = ?, uid = ?, uid_digest = ? where reference = ?')
    .run(id, item.uid, item.digest, item.reference);
}

const Items = v.array(v.object({ reference: v.string(), uid: v.string(), digest: v.string() }));
/** Which submissions a batch has, in the order of sending. */
export function listBatchItems(inbox: Inbox, id: number): v.InferOutput<typeof Items> {
  return v.parse(
    Items,
    inbox
      .prepare(
        'select reference, uid, uid_digest as digest from changes where batch = ? group by reference, uid, uid_digest order by min(id)',
      )
      .all(id),
  );
}

/** Whether an event of that name came with any calendar. */
export const isUidKnown = (inbox: Inbox, uid: string): boolean =>
  inbox.prepare('select 1 from changes where uid = ?').get(uid) !== undefined;
