-- Whatever alters the agenda becomes a change. Decided texts that others have followed are kept where they are
-- compared with; a decision that stands as it was made can be undone still, unless it had taken another's place.
create table changes (
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
create index changes_uid on changes (uid);
