-- A store of 1.0.0, whose tables are renamed to old_… by then and dropped after this (sqlite.ts). Decided texts that
-- others have followed are kept where they are compared with; a decision that stands as it was made can be undone
-- still, unless it had taken another's place.
insert into revisions select * from old_revisions;
insert into slugs select * from old_slugs;
insert into api_keys select * from old_api_keys;
insert into secrets select * from old_secrets;
-- What it erased may lie in unused parts of it.
insert into secrets select 'erased', randomblob(16) where exists (select 1 from old_submissions);
insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", username, "twoFactorEnabled")
  select lower(hex(randomblob(16))), name, name, 0, added_at, added_at, name, 0 from old_editors;
insert into account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
  select id, id, 'credential', id, hash, added_at, added_at from old_editors join "user" using (name);
create temp table touched as select d.id as decision, row.value ->> '$.table' as tbl, row.value -> '$.key' as key
  from old_decisions d, json_each(d.before) row where d.undone_at is null and d.action <> 'undo';
insert into changes (at, maker, door, kind, reference, revision, asks, title, text, record, state, decided)
  select s.received_at, 'sender', s.channel, 'event', s.reference, max(1, s.revision - 1), 'publish',
    coalesce(t.record, s.record) ->> '$.title', coalesce(t.record, s.record), p.record, iif(p.record is null, 'asked', 'applied'),
    iif(p.record is null, (select max(d.id) from old_decisions d where d.subject = s.reference and d.undone_at is null and d.action = 'ask'), null)
  from old_submissions s left join old_publications p using (reference) left join old_submission_texts t on t.reference = s.reference
    and t.revision = (select max(x.revision) from old_submission_texts x where x.reference = s.reference and x.at <= (
      select max(d.at) from old_decisions d where d.undone_at is null and d.action in ('approve', 'ask', 'reject') and d.subject = s.reference))
  where iif(p.record is null, s.state = 'pending' and t.revision < s.revision, s.state <> 'approved' or s.asks in ('cancel', 'postpone'));
insert into changes (at, maker, door, kind, reference, revision, asks, title, message, text, draft, record, state, decided, reason,
    digest, token_hash)
  select s.received_at, 'sender', s.channel, 'event', s.reference, s.revision, iif(s.asks = 'change', 'edit', s.asks),
    s.record ->> '$.title', s.message, s.record, s.draft, iif(s.state = 'approved' and s.asks in ('publish', 'change'), p.record, null),
    case s.state when 'pending' then 'waiting' when 'changes_requested' then 'asked' when 'approved' then 'applied'
      when 'rejected' then 'refused' else 'taken_back' end,
    iif(s.state in ('pending', 'withdrawn'), null, (select max(decision) from touched
      where tbl = 'submissions' and key = json_array(s.reference))), s.reason, s.digest, s.token_hash
  from old_submissions s left join old_publications p using (reference) order by s.received_at, s.reference;
insert into changes (at, maker, door, kind, thing, asks, title, dates, record, state, decided)
  select coalesce(d.at, ''), 'editor', 'desk', kind, thing, asks, '', dates, record, 'applied', d.id
  from (
    select 'overrides' as tbl, json_array(event, date) as key, 'event' as kind, event as thing,
      case coalesce(record ->> '$.status', record ->> '$.change.status') when 'cancelled' then 'cancel' when 'postponed' then 'postpone'
        when 'withdrawn' then 'withdraw' else 'restore' end as asks,
      iif(date = '', null, json_array(date)) as dates,
      iif(date = '', record, coalesce(json_remove(record ->> '$.change', '$.date'), '{"status":"published"}')) as record
    from old_overrides
    union all select 'desk_notices', json_array(id), 'notice', id, 'publish', null, record from old_desk_notices
  ) own left join old_decisions d on d.id = (select max(decision) from touched where tbl = own.tbl and key = own.key);
insert into decisions (id, at, editor, action, subject, reason, undone_at, weight)
  select id, at, editor, action, subject, reason, undone_at, case
    when exists (select 1 from json_each(before) row where row.value ->> '$.table' in ('overrides', 'desk_notices')) then 'urgent'
    when exists (select 1 from json_each(before) row where row.value ->> '$.table' = 'publications') then 'agenda' else 'none' end
  from old_decisions;
update decisions set outcomes = (
  select json_group_array(json_object('id', c.id,
    'before', json_object('state', iif(c.maker = 'editor', 'undone', 'waiting'), 'decided', null, 'reason', null),
    'after', json_object('state', c.state, 'decided', c.decided, 'reason', c.reason)))
  from changes c where c.decided = decisions.id
) where undone_at is null and action in ('approve', 'ask', 'reject', 'cancel', 'postpone', 'restore', 'withdraw', 'change_date', 'write_notice')
  and not exists (select 1 from old_decisions o, json_each(o.before) held where o.id = decisions.id
    and held.value ->> '$.row' is not null and held.value -> '$.row' <> held.value -> '$.after'
    and held.value ->> '$.table' <> 'submissions');
drop table touched;
