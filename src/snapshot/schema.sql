-- Snapshot schema: tables written once by build-snapshot.ts and read-only afterwards. `record` is the whole record as JSON;
-- the other columns serve queries. open-snapshot.ts loads the in-memory index from these rows.
create table meta (key text primary key, value text not null) without rowid;
-- The content files of the build, so that it can be repeated; `value` is the parsed file, so that the next build need not
-- parse it again.
create table content (file text primary key, digest text not null, text text not null, value text not null);
create table taxa (kind text not null, position integer not null, record text not null, primary key (kind, position)) without rowid;
-- Motifs of events and categories; `svg` is the drawing (domain/pictures.ts).
create table motifs (position integer primary key, key text not null unique, svg text not null, record text not null);
-- One row: holidays, seasons, festivities and links (domain/day/day-facts.ts).
create table calendar (position integer primary key, record text not null);
-- Hand-written pages of the documentation, with their text in every language (domain/docs-pages.ts).
create table docs (position integer primary key, record text not null);
-- Facts due for review by editors (domain/fact-freshness.ts).
create table due (position integer primary key, day text not null, record text not null);
-- History of every record that was ever published (domain/record-history.ts).
create table histories (
  id text primary key, kind text not null, changed_at text not null, told_at text not null, record text not null
) without rowid;
create index histories_changed on histories (unixepoch(changed_at), id);
create index histories_told on histories (unixepoch(told_at));
create table venues (id text primary key, record text not null);
create table organizers (id text primary key, record text not null);
-- `made_of` is a digest of an event's inputs: the next build reuses the event if it is unchanged.
create table events (
  position integer primary key, id text not null unique, status text not null,
  venue text references venues (id), organizer text references organizers (id), updated_at text not null, record text not null,
  made_of text not null
);
create table occurrences (
  position integer primary key, event integer not null references events (position),
  start_ms integer not null, end_ms integer not null, first_day integer not null, last_day integer not null, record text not null
);
create index occurrences_event on occurrences (event);
-- Word index of each searchable kind: a word, in order, with the positions of the records that contain it (word-index.ts).
create table words (kind text not null, position integer not null, record text not null, primary key (kind, position)) without rowid;
-- Every current and former slug of every kind.
create table slugs (kind text not null, slug text not null, id text not null, primary key (kind, slug)) without rowid;
-- Records of the inbox that the build had to omit, shown at the desk.
create table left_out (position integer primary key, line text not null);
create table withdrawn (kind text not null, slug text not null, primary key (kind, slug)) without rowid;
create table notices (id text primary key, record text not null);
