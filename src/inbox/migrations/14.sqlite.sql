alter table editors add column role text not null default 'editor';
update editors set role = 'administrator';
alter table sessions add column device text not null default '';
create table devices (hash text primary key, editor text not null references editors on delete cascade, seen_ms integer not null) without rowid;
create table second_factors (
  editor text primary key references editors on delete cascade, secret text not null, confirmed_at text, last_step integer not null
) without rowid;
create table recovery_codes (editor text not null references editors on delete cascade, hash text not null, primary key (editor, hash)) without rowid;
