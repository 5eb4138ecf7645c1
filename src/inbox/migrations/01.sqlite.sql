create table revisions (
  id text primary key, digest text not null, updated_at text not null, sequence integer not null,
  status text not null, status_since_ms integer not null
) without rowid;
create table slugs (kind text not null, slug text not null, id text not null, primary key (kind, slug)) without rowid;
