-- Who gets the letter of Thursdays, or is asked whether they want it.
create table readers (
  token_hash text primary key, email text not null, lang text not null, query text not null, asked_ms bigint not null,
  confirmed_ms bigint, last_week text, failures integer not null default 0
);
