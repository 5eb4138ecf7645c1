alter table decisions add column undoes integer;
create table decision_rows (tbl text not null, key text not null, decision integer not null, primary key (tbl, key, decision)) without rowid;
create index decision_rows_decision on decision_rows (decision);
insert or ignore into decision_rows
  select row.value ->> '$.table', row.value -> '$.key', decisions.id from decisions, json_each(decisions.before) row;
create index decisions_subject on decisions (subject);
create index decisions_undoes on decisions (undoes) where undoes is not null;
