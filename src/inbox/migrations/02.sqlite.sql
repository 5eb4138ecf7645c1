create table api_keys (
  id text primary key, name text not null, hash text not null unique, created_at text not null,
  last_used_on text, revoked_at text
) without rowid;
