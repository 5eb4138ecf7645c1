create table claims (reference text primary key, editor text not null, until_ms integer not null) without rowid;
