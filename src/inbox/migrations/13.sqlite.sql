create table batches (
  id integer primary key autoincrement, token_hash text not null unique, reference text unique, sender text not null, name text not null,
  url text, lang text not null, at text not null, at_ms integer not null, draft text, choices text not null
);
create table batch_items (reference text primary key, batch integer not null references batches, uid text not null, digest text not null);
create index batch_items_batch on batch_items (batch);
create index batch_items_uid on batch_items (uid);
