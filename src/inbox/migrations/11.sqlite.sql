create table outbox (
  id integer primary key autoincrement, kind text not null, subject text not null, revision integer not null, detail text not null,
  queued_ms integer not null, next_ms integer not null, attempts integer not null default 0, failed_ms integer, code integer
);
create index outbox_next on outbox (failed_ms, next_ms);
create table mail_sent (reader text not null, kind text not null, at_ms integer not null);
create index mail_sent_at on mail_sent (at_ms);
create table mail_stops (reader text primary key) without rowid;
create table mail_runs (name text primary key, day text not null) without rowid;
