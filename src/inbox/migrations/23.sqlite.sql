-- Pictures are in uploads.db by then, and what they leave is to be compacted.
drop table upload_uses;
drop table uploads;
drop trigger message_gone;
drop table unswept;
insert into secrets select 'erased', randomblob(16)
  where exists (select 1 from submissions) or exists (select 1 from corrections);
