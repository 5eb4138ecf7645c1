create table corrections (
  reference text primary key, digest text not null, received_at text not null, kind text not null, thing text not null,
  title text not null, lang text not null, state text not null, reason text, record text not null
) without rowid;
create index corrections_state on corrections (state, received_at);
