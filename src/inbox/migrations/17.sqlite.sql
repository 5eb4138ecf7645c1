create table unswept (erasure integer primary key autoincrement);
insert into unswept select 1 where exists (select 1 from submissions) or exists (select 1 from corrections);
create trigger message_gone after update of message on submissions when old.message is not null and new.message is not old.message
  begin insert into unswept values (null); end;
