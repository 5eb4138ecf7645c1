-- The snapshot: written once by build.ts, read only ever after. Columns are what questions ask; `record` is the whole, as JSON.
-- Indexes in memory are derived from these rows when it is opened (memory-index.ts, word-index.ts).
create table meta (key text primary key, value text not null) without rowid;
-- The source files that it was made of, so that it can be made again, with what each came to, so that the next need not parse it.
create table content (file text primary key, digest text not null, text text not null, value text not null);
create table taxa (kind text not null, position integer not null, key text not null, record text not null, primary key (kind, position)) without rowid;
-- One row: holidays and the pages to look at (domain/day/calendar.ts).
create table calendar (position integer primary key, record text not null);
-- What is due to be looked at again, for editors (domain/knowledge/due.ts).
create table due (position integer primary key, day text not null, record text not null);
-- What became of each thing that was ever published (domain/history.ts).
create table histories (
  id text primary key, kind text not null, added_at text not null, said_at text not null, status text not null, status_at text not null,
  changed_at text not null, is_gone integer not null, told_at text not null
) without rowid;
create index histories_changed on histories (changed_at, id);
create index histories_told on histories (told_at);
create table venues (id text primary key, name text not null, zone text, lat real, lng real, record text not null);
create table organizers (id text primary key, name text not null, record text not null);
-- `words`: each folded word of its search text once, between spaces (domain/filters/q.ts).
create table events (
  position integer primary key, id text not null unique, status text not null,
  venue text references venues (id), organizer text references organizers (id), updated_at text not null, words text not null, record text not null
);
create index events_venue on events (venue);
create index events_organizer on events (organizer);
create table occurrences (
  position integer primary key, id text not null unique, event integer not null references events (position),
  start text not null, end text not null, start_ms integer not null, end_ms integer not null,
  first_day integer not null, last_day integer not null, all_day integer not null, time_known integer not null, end_known integer not null,
  certainty text not null, status text not null, notes text, updated_at text not null, sequence integer not null
);
create index occurrences_event on occurrences (event, start_ms);
-- Every slug that ever was, of every kind; `current` ones are the address.
create table slugs (kind text not null, slug text not null, id text not null, primary key (kind, slug)) without rowid;
create table withdrawn (kind text not null, slug text not null, primary key (kind, slug)) without rowid;
create table notices (
  id text primary key, type text not null, severity text not null, zone text, start_ms integer not null, end_ms integer, record text not null
);
create index notices_start on notices (start_ms);
