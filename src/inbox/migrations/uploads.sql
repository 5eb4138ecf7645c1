-- Pictures that were sent in; in SQLite in a file of their own.
create table if not exists uploads (
  id text primary key, sender text not null, unused_ms bigint, width integer not null, height integer not null, bytes bytea not null
);
