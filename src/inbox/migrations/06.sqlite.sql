create table uploads (
  id text primary key, sender text not null, at_ms integer not null, width integer not null, height integer not null,
  bytes blob not null
);
create table upload_uses (id text not null, reference text not null, ended_ms integer, primary key (id, reference)) without rowid;
