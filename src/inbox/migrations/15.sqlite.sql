alter table batches add column seed text;
create table told (reference text primary key, revision integer not null, state text not null) without rowid;
