alter table editors drop column role;
insert into patches (kind, thing, field, record) select kind, old, 'same_as', json_object('value', kept) from merges;
update decision_rows set tbl = 'patches', key = json_array(key ->> 0, 'same_as') where tbl = 'merges';
update decisions set before = (
  select json_group_array(json(iif(change.value ->> 'table' <> 'merges', change.value, json_object(
    'table', 'patches', 'key', json_array(change.value ->> '$.key[0]', 'same_as'),
    'row', json(iif(change.value ->> 'row' is null, null, json_object(
  'kind', change.value ->> '$.row.kind', 'thing', change.value ->> '$.row.old', 'field', 'same_as',
  'record', json_object('value', change.value ->> '$.row.kept') || ''
))), 'after', json(iif(change.value ->> 'after' is null, null, json_object(
  'kind', change.value ->> '$.after.kind', 'thing', change.value ->> '$.after.old', 'field', 'same_as',
  'record', json_object('value', change.value ->> '$.after.kept') || ''
)))
  )))) from json_each(decisions.before) change
) where exists (select 1 from json_each(decisions.before) change where change.value ->> 'table' = 'merges');
drop table merges;
