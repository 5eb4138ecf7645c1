create table histories (id text primary key, digest text not null, changed_at text not null, record text not null) without rowid;
