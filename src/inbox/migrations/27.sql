-- Sources that are followed: how their reading stands, and the bytes of the last two that were complete.
create table sources (
  key text primary key, url text not null, batch integer, etag text, last_modified text, tried_ms bigint not null,
  read_ms bigint, next_ms bigint not null, failing_ms bigint, failures integer not null, problem text, brought text not null,
  missing text not null, told_ms bigint, bytes bytea, bytes_before bytea
);
