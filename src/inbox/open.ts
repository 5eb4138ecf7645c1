// The two writable files, data/inbox.db and beside it uploads.db with the pictures that were sent in: opened as
// one, migrated forward, and safe on disk before anything is acknowledged.
import { closeSync, existsSync, openSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import { makeDataFolder } from './data-folder.ts';

/** What a decision on `merges` held, `row` or `after`, as the row of `patches` that says the same. */
const toSameAs = (held: string): string =>
  `json(iif(change.value ->> '${held}' is null, null, json_object(
     'kind', change.value ->> '$.${held}.kind', 'thing', change.value ->> '$.${held}.old', 'field', 'same_as',
     'record', json_object('value', change.value ->> '$.${held}.kept') || ''
   )))`;

/** What a thing's source says with the patches over it (`value`), or what it said under them (`source`). */
const toPatched = (part: 'value' | 'source'): string =>
  `(select json_group_object(name, json(said)) from (
     select f.key as name, s.record -> ('$."' || f.key || '"') as said from json_each(s.record) f
       where f.key not in ('id', 'former_ids', 'status', 'status_note', 'changes', 'withdrawn')
         and not exists (select 1 from patches p where p.thing = s.id and p.field = f.key)
     union all select p.field, p.record -> '$.${part}' from patches p
       where p.thing = s.id and p.record -> '$.${part}' is not null))`;

/**
 * Each entry brings the file from its position to the next; entries are never edited once released.
 */
export const MIGRATIONS: readonly string[] = [
  `create table revisions (
     id text primary key, digest text not null, updated_at text not null, sequence integer not null,
     status text not null, status_since_ms integer not null
   ) without rowid;
   create table slugs (kind text not null, slug text not null, id text not null, primary key (kind, slug)) without rowid;`,
  `create table api_keys (
     id text primary key, name text not null, hash text not null unique, created_at text not null,
     last_used_on text, revoked_at text
   ) without rowid;`,
  `create table secrets (name text primary key, value blob not null) without rowid;
   create table submissions (
     reference text primary key, digest text not null unique, token_hash text not null unique, received_at text not null,
     channel text not null, state text not null, reason text, record text not null
   ) without rowid;
   create table submission_senders (sender text not null, at_ms integer not null);
   create index submission_senders_at on submission_senders (at_ms);`,
  `alter table submissions add column asks text not null default 'publish';
   alter table submissions add column message text;
   alter table submissions add column revision integer not null default 1;
   alter table submissions add column draft text;
   create table submission_texts (reference text not null, revision integer not null, at text not null, record text not null, primary key (reference, revision)) without rowid;
   create table publications (reference text primary key, record text not null) without rowid;
   create table overrides (event text not null, date text not null, record text not null, primary key (event, date)) without rowid;
   create table desk_notices (id text primary key, record text not null) without rowid;
   create table decisions (
     id integer primary key autoincrement, at text not null, editor text not null, action text not null, subject text not null,
     reason text, before text not null, undone_at text
   );
   create table editors (name text primary key, hash text not null, added_at text not null) without rowid;
   create table sessions (
     hash text primary key, editor text not null references editors on delete cascade, started_ms integer not null, seen_ms integer not null
   ) without rowid;
   create table login_attempts (who text not null, at_ms integer not null);
   create index login_attempts_at on login_attempts (at_ms);`,
  `create table corrections (
     reference text primary key, digest text not null, received_at text not null, kind text not null, thing text not null,
     title text not null, lang text not null, state text not null, reason text, record text not null
   ) without rowid;
   create index corrections_state on corrections (state, received_at);`,
  `create table uploads (
     id text primary key, sender text not null, at_ms integer not null, width integer not null, height integer not null,
     bytes blob not null
   );
   create table upload_uses (id text not null, reference text not null, ended_ms integer, primary key (id, reference)) without rowid;`,
  `create table histories (id text primary key, digest text not null, changed_at text not null, record text not null) without rowid;`,
  `drop table submission_senders;
   create table submission_senders (
     sender text not null, network text not null, channel text not null, reference text not null, at_ms integer not null
   );
   create index submission_senders_at on submission_senders (at_ms);
   create index submission_senders_sender on submission_senders (sender, at_ms);
   create index submission_senders_network on submission_senders (network, at_ms);
   create index submission_senders_reference on submission_senders (reference);
   create table doubts (reference text primary key, crowd integer not null) without rowid;`,
  `alter table decisions add column undoes integer;
   create table decision_rows (tbl text not null, key text not null, decision integer not null, primary key (tbl, key, decision)) without rowid;
   create index decision_rows_decision on decision_rows (decision);
   insert or ignore into decision_rows
     select row.value ->> '$.table', row.value -> '$.key', decisions.id from decisions, json_each(decisions.before) row;
   create index decisions_subject on decisions (subject);
   create index decisions_undoes on decisions (undoes) where undoes is not null;`,
  `create table claims (reference text primary key, editor text not null, until_ms integer not null) without rowid;`,
  `create table outbox (
     id integer primary key autoincrement, kind text not null, subject text not null, revision integer not null, detail text not null,
     queued_ms integer not null, next_ms integer not null, attempts integer not null default 0, failed_ms integer, code integer
   );
   create index outbox_next on outbox (failed_ms, next_ms);
   create table mail_sent (reader text not null, kind text not null, at_ms integer not null);
   create index mail_sent_at on mail_sent (at_ms);
   create table mail_stops (reader text primary key) without rowid;
   create table mail_runs (name text primary key, day text not null) without rowid;`,
  `create table patches (kind text not null, thing text not null, field text not null, record text not null, primary key (thing, field)) without rowid;
   create table merges (old text primary key, kind text not null, kept text not null) without rowid;
   create table sources (id text primary key, kind text not null, file text not null, record text not null) without rowid;
   create table left_out (line text primary key) without rowid;`,
  `create table batches (
     id integer primary key autoincrement, token_hash text not null unique, reference text unique, sender text not null, name text not null,
     url text, lang text not null, at text not null, at_ms integer not null, draft text, choices text not null
   );
   create table batch_items (reference text primary key, batch integer not null references batches, uid text not null, digest text not null);
   create index batch_items_batch on batch_items (batch);
   create index batch_items_uid on batch_items (uid);`,
  `alter table editors add column role text not null default 'editor';
   update editors set role = 'administrator';
   alter table sessions add column device text not null default '';
   create table devices (hash text primary key, editor text not null references editors on delete cascade, seen_ms integer not null) without rowid;
   create table second_factors (
     editor text primary key references editors on delete cascade, secret text not null, confirmed_at text, last_step integer not null
   ) without rowid;
   create table recovery_codes (editor text not null references editors on delete cascade, hash text not null, primary key (editor, hash)) without rowid;`,
  `alter table batches add column seed text;
   create table told (reference text primary key, revision integer not null, state text not null) without rowid;`,
  `create index submissions_state on submissions (state, received_at, reference, asks);`,
  `create table unswept (erasure integer primary key autoincrement);
   insert into unswept select 1 where exists (select 1 from submissions) or exists (select 1 from corrections);
   create trigger message_gone after update of message on submissions when old.message is not null and new.message is not old.message
     begin insert into unswept values (null); end;`,
  `drop table claims;
   alter table doubts drop column crowd;`,
  `alter table editors drop column role;
   insert into patches (kind, thing, field, record) select kind, old, 'same_as', json_object('value', kept) from merges;
   update decision_rows set tbl = 'patches', key = json_array(key ->> 0, 'same_as') where tbl = 'merges';
   update decisions set before = (
     select json_group_array(json(iif(change.value ->> 'table' <> 'merges', change.value, json_object(
       'table', 'patches', 'key', json_array(change.value ->> '$.key[0]', 'same_as'),
       'row', ${toSameAs('row')}, 'after', ${toSameAs('after')}
     )))) from json_each(decisions.before) change
   ) where exists (select 1 from json_each(decisions.before) change where change.value ->> 'table' = 'merges');
   drop table merges;`,
  `alter table submissions add column dates text;`,
  // Patches of fields become whole records; what they were decided by stays in the log, and is not undone any more.
  `create table edits (thing text primary key, kind text not null, record text not null, source text not null) without rowid;
   insert into edits select s.id, s.kind, ${toPatched('value')}, ${toPatched('source')}
     from sources s where s.id in (select thing from patches);
   update decisions set before = (
     select json_group_array(json(change.value)) from json_each(decisions.before) change where change.value ->> 'table' <> 'patches'
   ) where exists (select 1 from json_each(decisions.before) change where change.value ->> 'table' = 'patches');
   delete from decision_rows where tbl = 'patches';
   drop table patches;
   drop table sources;
   drop table left_out;`,
  // The tables of better-auth as it made them itself. Secrets are encrypted when it is first loaded (desk/auth.ts).
  `create table "user" (
     id text not null primary key, name text not null, email text not null unique, emailVerified integer not null, image text,
     createdAt date not null, updatedAt date not null, username text unique, twoFactorEnabled integer
   );
   create table session (
     id text not null primary key, expiresAt date not null, token text not null unique, createdAt date not null, updatedAt date not null,
     ipAddress text, userAgent text, userId text not null references "user" (id) on delete cascade
   );
   create index session_userId_idx on session (userId);
   create table account (
     id text not null primary key, accountId text not null, providerId text not null, userId text not null references "user" (id) on delete cascade,
     accessToken text, refreshToken text, idToken text, accessTokenExpiresAt date, refreshTokenExpiresAt date, scope text, password text,
     createdAt date not null, updatedAt date not null
   );
   create index account_userId_idx on account (userId);
   create table verification (
     id text not null primary key, identifier text not null, value text not null, expiresAt date not null, createdAt date not null, updatedAt date not null
   );
   create index verification_identifier_idx on verification (identifier);
   create table twoFactor (
     id text not null primary key, secret text not null, backupCodes text not null, userId text not null references "user" (id) on delete cascade,
     verified integer, failedVerificationCount integer, lockedUntil date
   );
   create index twoFactor_secret_idx on twoFactor (secret);
   create index twoFactor_userId_idx on twoFactor (userId);
   insert into "user" (id, name, email, emailVerified, createdAt, updatedAt, username, twoFactorEnabled)
     select lower(hex(randomblob(16))), name, name, 0, added_at, added_at, name,
       exists (select 1 from second_factors where editor = name and confirmed_at is not null) from editors;
   insert into account (id, accountId, providerId, userId, password, createdAt, updatedAt)
     select id, id, 'credential', id, hash, added_at, added_at from editors join "user" using (name);
   insert into twoFactor (id, secret, backupCodes, userId, verified)
     select id, 'base32:' || secret, (select json_group_array(hash) from recovery_codes where editor = name), id, 1
     from second_factors join "user" on name = editor where confirmed_at is not null;
   drop table sessions;
   drop table devices;
   drop table second_factors;
   drop table recovery_codes;
   drop table editors;`,
  // Pictures are in uploads.db by then (movePictures), and what they leave is to be compacted.
  `drop table upload_uses;
   drop table uploads;
   drop trigger message_gone;
   drop table unswept;
   insert into secrets select 'erased', randomblob(16)
     where exists (select 1 from submissions) or exists (select 1 from corrections);`,
  // Whatever alters the agenda becomes a change. Decided texts that others have followed are kept where they are
  // compared with; a decision that stands as it was made can be undone still, unless it had taken another's place.
  `create table changes (
     id integer primary key autoincrement, at text not null, maker text not null, door text not null, kind text not null, thing text,
     reference text, revision integer not null default 1, asks text not null, title text not null, dates text, message text,
     text text, draft text, record text, source text, state text not null default 'waiting', decided integer, reason text,
     is_doubtful integer not null default 0, is_forgotten integer not null default 0, told text, digest text,
     token_hash text unique, batch integer, uid text, uid_digest text
   );
   insert into changes (at, maker, door, kind, reference, revision, asks, title, text, record, state, decided)
     select s.received_at, 'sender', s.channel, 'event', s.reference, max(1, s.revision - 1), 'publish',
       coalesce(t.record, s.record) ->> '$.title', coalesce(t.record, s.record), p.record, iif(p.record is null, 'asked', 'applied'),
       iif(p.record is null, (select max(d.id) from decisions d where d.subject = s.reference and d.undone_at is null and d.action = 'ask'), null)
     from submissions s left join publications p using (reference) left join submission_texts t on t.reference = s.reference
       and t.revision = (select max(x.revision) from submission_texts x where x.reference = s.reference and x.at <= (
         select max(d.at) from decisions d where d.undone_at is null and d.action in ('approve', 'ask', 'reject') and d.subject in (
           s.reference, (select b.reference from batch_items i join batches b on b.id = i.batch where i.reference = s.reference))))
     where iif(p.record is null, s.state = 'pending' and t.revision < s.revision, s.state <> 'approved' or s.asks in ('cancel', 'postpone'));
   insert into changes (at, maker, door, kind, reference, revision, asks, title, dates, message, text, draft, record, state, decided, reason,
       is_doubtful, is_forgotten, told, digest, token_hash, batch, uid, uid_digest)
     select s.received_at, 'sender', s.channel, 'event', s.reference, s.revision, iif(s.asks = 'change', 'edit', s.asks),
       s.record ->> '$.title', s.dates, s.message, s.record, s.draft,
       iif(s.state = 'approved' and s.asks in ('publish', 'change'), p.record, null),
       case s.state when 'pending' then 'waiting' when 'changes_requested' then 'asked' when 'approved' then 'applied'
         when 'rejected' then 'refused' else 'taken_back' end,
       iif(s.state in ('pending', 'withdrawn'), null, (select max(d.id) from decision_rows r join decisions d on d.id = r.decision
         where r.tbl = 'submissions' and r.key = json_array(s.reference) and d.undone_at is null and d.action <> 'undo')), s.reason,
       s.reference in doubts, s.digest = 'forgotten ' || s.reference,
       (select told.state from told where told.reference = s.reference and told.revision = s.revision),
       iif(s.digest = 'forgotten ' || s.reference, null, s.digest), s.token_hash, i.batch, i.uid, i.digest
     from submissions s left join publications p using (reference) left join batch_items i using (reference) order by i.rowid, s.received_at, s.reference;
   insert into changes (at, maker, door, kind, thing, reference, asks, title, text, state, decided, reason, is_doubtful, is_forgotten, digest)
     select received_at, 'reader', 'report', kind, thing, reference, 'check', title, json_insert(record, '$.lang', lang),
       case state when 'pending' then 'waiting' when 'done' then 'applied' else 'refused' end,
       (select max(d.id) from decisions d where d.subject = reference and d.undone_at is null and d.action in ('done', 'dismiss')), reason,
       reference in doubts, digest = 'forgotten ' || reference, digest
     from corrections;
   create temp table own as
     select 'overrides' as tbl, json_array(event, date) as key, 'event' as kind, event as thing,
       case coalesce(record ->> '$.status', record ->> '$.change.status') when 'cancelled' then 'cancel' when 'postponed' then 'postpone'
         when 'withdrawn' then 'withdraw' else 'restore' end as asks,
       iif(date = '', null, json_array(date)) as dates,
       iif(date = '', record, coalesce(json_remove(record ->> '$.change', '$.date'), '{"status":"published"}')) as record, null as source
     from overrides
     union all select 'desk_notices', json_array(id), 'notice', id, 'publish', null, record, null from desk_notices
     union all select 'edits', json_array(thing), kind, thing, 'edit', null, record, source from edits;
   insert into changes (at, maker, door, kind, thing, asks, title, dates, record, source, state, decided)
     select coalesce(d.at, ''), 'editor', 'desk', kind, thing, asks, '', dates, record, source, 'applied', d.id
     from own left join decisions d on d.id = (select max(x.id) from decision_rows r join decisions x on x.id = r.decision
       where r.tbl = own.tbl and r.key = own.key and x.undone_at is null and x.action <> 'undo');
   drop table own;
   alter table decisions add column outcomes text not null default '[]';
   alter table decisions add column weight text not null default 'none';
   update decisions set weight = case
     when exists (select 1 from decision_rows r where r.decision = decisions.id and r.tbl in ('overrides', 'desk_notices')) then 'urgent'
     when exists (select 1 from decision_rows r where r.decision = decisions.id and r.tbl in ('publications', 'edits')) then 'agenda' else 'none' end;
   update decisions set outcomes = (
     select json_group_array(json_object('id', c.id,
       'before', json_object('state', iif(c.maker = 'editor', 'undone', 'waiting'), 'decided', null, 'reason', null),
       'after', json_object('state', c.state, 'decided', c.decided, 'reason', c.reason)))
     from changes c where c.decided = decisions.id
   ) where undone_at is null and action in ('approve', 'ask', 'reject', 'done', 'dismiss', 'cancel', 'postpone', 'restore', 'withdraw',
     'change_date', 'write_notice', 'edit') and not exists (select 1 from json_each(before) held
       where held.value ->> '$.row' is not null and held.value -> '$.row' <> held.value -> '$.after'
         and held.value ->> '$.table' not in ('submissions', 'corrections'));
   drop table decision_rows;
   alter table decisions drop column before;
   alter table submission_senders add column is_doubtful integer not null default 0;
   update submission_senders set is_doubtful = reference in doubts;
   drop table batch_items;
   drop table submissions;
   drop table submission_texts;
   drop table publications;
   drop table overrides;
   drop table desk_notices;
   drop table corrections;
   drop table edits;
   drop table doubts;
   drop table told;
   create index changes_waiting on changes (state, at);
   create index changes_reference on changes (reference);
   create index changes_thing on changes (thing);
   create index changes_digest on changes (digest);
   create index changes_batch on changes (batch);
   create index changes_uid on changes (uid);`,
  // One table of letters. The outbox is renamed, so that no id is given twice: ids make the Message-ID. What was decided
  // is told by how it stands; where no decision was noted (up to version 14), by the one by which it stands.
  `alter table outbox rename to letters;
   drop index outbox_next;
   alter table letters rename column next_ms to at_ms;
   alter table letters add column state text not null default 'waiting';
   update letters set state = 'failed', at_ms = failed_ms where failed_ms is not null;
   update letters set kind = 'state', detail = iif(detail <> '', detail,
       coalesce((select decided from changes c where c.reference = letters.subject and c.state in ('asked', 'applied', 'refused') order by id desc limit 1), ''))
     where kind in ('question', 'changed', 'approved', 'rejected');
   alter table letters drop column failed_ms;
   alter table letters drop column revision;
   insert into letters (kind, subject, detail, queued_ms, at_ms, state)
     select iif(kind in ('question', 'changed', 'approved', 'rejected'), 'state', kind), '', reader, at_ms, at_ms, 'sent' from mail_sent;
   insert into letters (kind, subject, detail, queued_ms, at_ms, state)
     select iif(name = 'digest', 'digest', 'reminder'), day, '', 0, 0, 'run' from mail_runs;
   drop table mail_sent;
   drop table mail_runs;
   create index letters_at on letters (state, at_ms);
   create unique index letters_run on letters (kind) where state = 'run';`,
];

/**
 * The oldest version whose programs can go on with a file of this one, beside a program of this one and after
 * it: what came since only added columns and tables. To be raised to the new length by a migration that takes something
 * away or gives it another meaning. It stands in the file's `application_id`.
 */
const OLDEST_READER = 25;

export type Inbox = Database.Database;

/** What SQLite's codes mean for whoever must mend it. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [
    /^SQLITE_(NOTADB|CORRUPT)/,
    'is damaged, or is no inbox. Stop the service, move it aside and put a backup in its place (docs/operations.md, Backup and restore)',
  ],
  [
    /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/,
    'cannot be opened and written by this user. See to DATA_DIR and whose it is',
  ],
  [/^SQLITE_(FULL|IOERR)/, 'cannot be written: its disk is full, or fails. Free space'],
  [/^SQLITE_(BUSY|LOCKED)/, 'is being written by another program. Try again when that is done'],
];

/** SQLite's name for a database without a file. */
const IN_MEMORY = ':memory:';
/** How long a command waits for another process that writes. */
const PATIENCE_MS = 10_000;

/**
 * Opens (and creates) the inbox, for this user alone; `:memory:` is one without a file. Throws one sentence where it cannot, or where
 * a newer version wrote it.
 */
export function openInbox(path: string, patience_ms = PATIENCE_MS): Inbox {
  const db = withSentence(path, () => open(path, patience_ms));
  try {
    const uploads_path = toUploadsPath(path);
    withSentence(uploads_path, () => attachUploads(db, uploads_path));
    withSentence(path, () => migrate(db));
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

/** Where the pictures of an inbox lie. */
const toUploadsPath = (path: string): string =>
  path === IN_MEMORY ? path : join(dirname(path), 'uploads.db');

function withSentence<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    const sentence = SENTENCES.find(([known]) => known.test(code))?.[1];
    throw sentence === undefined ? thrown : new Error(`${path} ${sentence}`, { cause: thrown });
  }
}

/** It holds private addresses and password hashes. SQLite gives the journal the same rights. */
function makeFile(path: string): void {
  makeDataFolder(dirname(path));
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

function open(path: string, patience_ms: number): Inbox {
  if (path !== IN_MEMORY) makeFile(path);
  const db = new Database(path, { timeout: patience_ms });
  try {
    setUp(db, 'main');
    db.pragma('foreign_keys = on');
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

function setUp(db: Inbox, file: 'main' | 'uploads'): void {
  db.pragma(`${file}.journal_mode = wal`);
  // Every commit is on disk before it returns: what was acknowledged survives a power cut.
  db.pragma(`${file}.synchronous = full`);
  // What is deleted is gone, not only out of sight; what moved before, compact.ts sees to.
  db.pragma(`${file}.secure_delete = on`);
}

/**
 * Pictures lie in a file of their own, so that the inbox stays small enough to be written anew after an erasure.
 * `unused_ms`: since when nothing that was sent in needs it; null while something does.
 */
function attachUploads(db: Inbox, path: string): void {
  if (path !== IN_MEMORY) makeFile(path);
  db.prepare('attach ? as uploads').run(path);
  setUp(db, 'uploads');
  db.exec(`create table if not exists uploads.uploads (
    id text primary key, sender text not null, unused_ms integer, width integer not null, height integer not null,
    bytes blob not null
  )`);
  movePictures(db);
}

/**
 * From an inbox of an older version, before a migration drops them there: two files are not one transaction, so
 * a power cut leaves them in both, never in neither.
 */
function movePictures(db: Inbox): void {
  if (!db.prepare("select 1 from main.sqlite_schema where name = 'upload_uses'").get()) return;
  db.exec(`insert or ignore into uploads.uploads
    select id, sender, iif(
      exists (select 1 from upload_uses u where u.id = p.id and u.ended_ms is null), null,
      coalesce((select max(u.ended_ms) from upload_uses u where u.id = p.id), p.at_ms)
    ), width, height, bytes from main.uploads p`);
}

/** What SQLite says where the disk takes no more. */
const NOT_STORED = /^SQLITE_(FULL|IOERR|READONLY)/;
/** What it says where another program has it to itself. */
const BUSY = /^SQLITE_(BUSY|LOCKED)/;

/** Whether another program has the inbox to itself for now. */
export const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Database.SqliteError && BUSY.test(thrown.code);

/**
 * Does all of `work` or nothing of it; on disk when this returns. Throws AppError not_stored where the
 * disk takes no more, inbox_busy where another program writes.
 */
export function inTransaction<T>(inbox: Inbox, work: () => T): T {
  try {
    return inbox.transaction(work).immediate();
  } catch (thrown) {
    throw toNotStored(thrown);
  }
}

/** What was thrown, as AppError not_stored where the disk takes no more, inbox_busy where another program writes. */
export function toNotStored(thrown: unknown): unknown {
  if (isBusy(thrown)) return toBusyError(thrown);
  if (!(thrown instanceof Database.SqliteError) || !NOT_STORED.test(thrown.code)) return thrown;
  return new AppError(
    'unavailable',
    'server: nothing can be stored now, and nothing was. Try again later',
    'not_stored',
    { cause: thrown },
  );
}

/** What is only noted beside something else: null where it cannot be stored now. */
export function unlessFull<T>(note: () => T): T | null {
  try {
    return note();
  } catch (caught) {
    const thrown = toNotStored(caught);
    if (thrown instanceof AppError && thrown.code === 'unavailable') return null;
    throw thrown;
  }
}

/** The error of who needs what another program has to itself. */
export const toBusyError = (cause?: unknown): AppError =>
  new AppError(
    'unavailable',
    'server: nothing can be stored at this moment, and nothing was. Try again in half a minute',
    'inbox_busy',
    { cause },
  );

/**
 * Looks or writes without waiting for another program, and gives null where it would have to: what can
 * be left out, or is asked again.
 */
export function withoutWaiting<T>(inbox: Inbox, work: () => T): T | null {
  const patience_ms = v.parse(v.number(), inbox.pragma('busy_timeout', { simple: true }));
  inbox.pragma('busy_timeout = 0');
  try {
    return work();
  } catch (thrown) {
    if (isBusy(thrown)) return null;
    throw thrown;
  } finally {
    inbox.pragma(`busy_timeout = ${patience_ms}`);
  }
}

/** Bytes of the disk that are kept free for what is not doubtful, for tokens and for the desk. */
const RESERVE_BYTES = 256 * 1024 * 1024;

/** Whether the disk has more than the reserve left; true of an inbox without a file. */
export function hasRoom(inbox: Inbox, reserve_bytes = RESERVE_BYTES): boolean {
  if (inbox.memory) return true;
  const { bavail, bsize } = statfsSync(dirname(inbox.name));
  return bavail * bsize > reserve_bytes;
}

function migrate(db: Inbox): void {
  const read = (name: string): number => v.parse(v.number(), db.pragma(name, { simple: true }));
  // One that is up to date is not written to: it opens on a full disk, and while another program writes.
  if (read('user_version') === MIGRATIONS.length && read('application_id') === OLDEST_READER)
    return;
  db.transaction(() => {
    const [version, oldest] = [read('user_version'), read('application_id')];
    if (version > MIGRATIONS.length) {
      // Written by a newer program, which says from which version on its file can be used.
      if (oldest > 0 && oldest <= MIGRATIONS.length) return;
      throw new Error(
        `inbox.db is of version ${version}; this program knows ${MIGRATIONS.length}. Use the newer program`,
      );
    }
    for (const step of MIGRATIONS.slice(version)) db.exec(step);
    db.pragma(`user_version = ${MIGRATIONS.length}`);
    db.pragma(`application_id = ${OLDEST_READER}`);
  }).immediate();
}
