create table patches (kind text not null, thing text not null, field text not null, record text not null, primary key (thing, field)) without rowid;
create table merges (old text primary key, kind text not null, kept text not null) without rowid;
create table sources (id text primary key, kind text not null, file text not null, record text not null) without rowid;
create table left_out (line text primary key) without rowid;
