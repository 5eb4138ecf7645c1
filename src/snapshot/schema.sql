-- The snapshot: written once by build.ts, read only ever after. Columns are what questions ask; `record` is the whole, as JSON.
-- What is needed in memory is derived from these rows when it is opened (open.ts).
create table meta (key text primary key, value text not null) without rowid;
-- The source files that it was made of, so that it can be made again, with what each came to, so that the next need not parse it.
create table content (file text primary key, digest text not null, text text not null, value text not null);
create table taxa (kind text not null, position integer not null, record text not null, primary key (kind, position)) without rowid;
-- What events are drawn as; `svg` is the drawing (domain/pictures.ts).
create table motifs (position integer primary key, key text not null unique, svg text not null, record text not null);
-- One row: holidays and the pages to look at (domain/day/day-facts.ts).
create table calendar (position integer primary key, record text not null);
-- The pages of the docs that people write, each with its text in every language (domain/docs.ts).
create table docs (position integer primary key, record text not null);
-- What is due to be looked at again, for editors (domain/knowledge.ts).
create table due (position integer primary key, day text not null, record text not null);
-- What became of each thing that was ever published (domain/history.ts).
create table histories (
  id text primary key, kind text not null, changed_at text not null, told_at text not null, record text not null
) without rowid;
create index histories_changed on histories (unixepoch(changed_at), id);
create index histories_told on histories (unixepoch(told_at));
create table venues (id text primary key, record text not null);
create table organizers (id text primary key, record text not null);
create table events (
  position integer primary key, id text not null unique, status text not null,
  venue text references venues (id), organizer text references organizers (id), updated_at text not null, record text not null,
  -- A digest of all that it was made of: the next release takes it as it is where nothing of that has changed.
  made_of text not null
);
create table occurrences (
  position integer primary key, event integer not null references events (position),
  start_ms integer not null, end_ms integer not null, first_day integer not null, last_day integer not null, record text not null
);
create index occurrences_event on occurrences (event);
-- Each word of what `q` reads of a kind of thing, sorted, and the positions of those that have it (word-index.ts).
create table words (kind text not null, position integer not null, record text not null, primary key (kind, position)) without rowid;
-- Every slug that ever was, of every kind; `current` ones are the address.
create table slugs (kind text not null, slug text not null, id text not null, primary key (kind, slug)) without rowid;
-- What of the inbox could not be taken, for the desk.
create table left_out (position integer primary key, line text not null);
create table withdrawn (kind text not null, slug text not null, primary key (kind, slug)) without rowid;
create table notices (id text primary key, record text not null);
