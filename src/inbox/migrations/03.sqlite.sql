create table secrets (name text primary key, value blob not null) without rowid;
create table submissions (
  reference text primary key, digest text not null unique, token_hash text not null unique, received_at text not null,
  channel text not null, state text not null, reason text, record text not null
) without rowid;
create table submission_senders (sender text not null, at_ms integer not null);
create index submission_senders_at on submission_senders (at_ms);
