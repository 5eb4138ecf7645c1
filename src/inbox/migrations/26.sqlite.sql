-- Attempts are known by an id, as PostgreSQL knows them.
drop table login_attempts;
create table login_attempts (id integer primary key autoincrement, who text not null, at_ms integer not null);
create index login_attempts_at on login_attempts (at_ms);
