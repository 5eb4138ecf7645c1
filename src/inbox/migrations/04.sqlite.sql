alter table submissions add column asks text not null default 'publish';
alter table submissions add column message text;
alter table submissions add column revision integer not null default 1;
alter table submissions add column draft text;
create table submission_texts (reference text not null, revision integer not null, at text not null, record text not null, primary key (reference, revision)) without rowid;
create table publications (reference text primary key, record text not null) without rowid;
create table overrides (event text not null, date text not null, record text not null, primary key (event, date)) without rowid;
create table desk_notices (id text primary key, record text not null) without rowid;
create table decisions (
  id integer primary key autoincrement, at text not null, editor text not null, action text not null, subject text not null,
  reason text, before text not null, undone_at text
);
create table editors (name text primary key, hash text not null, added_at text not null) without rowid;
create table sessions (
  hash text primary key, editor text not null references editors on delete cascade, started_ms integer not null, seen_ms integer not null
) without rowid;
create table login_attempts (who text not null, at_ms integer not null);
create index login_attempts_at on login_attempts (at_ms);
