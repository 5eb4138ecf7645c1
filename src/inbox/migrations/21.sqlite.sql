-- Patches of fields become whole records; what they were decided by stays in the log, and is not undone any more.
create table edits (thing text primary key, kind text not null, record text not null, source text not null) without rowid;
insert into edits select s.id, s.kind, (select json_group_object(name, json(said)) from (
  select f.key as name, s.record -> ('$."' || f.key || '"') as said from json_each(s.record) f
    where f.key not in ('id', 'former_ids', 'status', 'status_note', 'changes', 'withdrawn')
      and not exists (select 1 from patches p where p.thing = s.id and p.field = f.key)
  union all select p.field, p.record -> '$.value' from patches p
    where p.thing = s.id and p.record -> '$.value' is not null)), (select json_group_object(name, json(said)) from (
  select f.key as name, s.record -> ('$."' || f.key || '"') as said from json_each(s.record) f
    where f.key not in ('id', 'former_ids', 'status', 'status_note', 'changes', 'withdrawn')
      and not exists (select 1 from patches p where p.thing = s.id and p.field = f.key)
  union all select p.field, p.record -> '$.source' from patches p
    where p.thing = s.id and p.record -> '$.source' is not null))
  from sources s where s.id in (select thing from patches);
update decisions set before = (
  select json_group_array(json(change.value)) from json_each(decisions.before) change where change.value ->> 'table' <> 'patches'
) where exists (select 1 from json_each(decisions.before) change where change.value ->> 'table' = 'patches');
delete from decision_rows where tbl = 'patches';
drop table patches;
drop table sources;
drop table left_out;
