-- One table of letters. The outbox is renamed, so that no id is given twice: ids make the Message-ID. What was decided
-- is told by how it stands; where no decision was noted (up to version 14), by the one by which it stands.
alter table outbox rename to letters;
drop index outbox_next;
alter table letters rename column next_ms to at_ms;
alter table letters add column state text not null default 'waiting';
update letters set state = 'failed', at_ms = failed_ms where failed_ms is not null;
update letters set kind = 'state', detail = iif(detail <> '', detail,
    coalesce((select decided from changes c where c.reference = letters.subject and c.state in ('asked', 'applied', 'refused') order by id desc limit 1), ''))
  where kind in ('question', 'changed', 'approved', 'rejected');
alter table letters drop column failed_ms;
alter table letters drop column revision;
insert into letters (kind, subject, detail, queued_ms, at_ms, state)
  select iif(kind in ('question', 'changed', 'approved', 'rejected'), 'state', kind), '', reader, at_ms, at_ms, 'sent' from mail_sent;
insert into letters (kind, subject, detail, queued_ms, at_ms, state)
  select iif(name = 'digest', 'digest', 'reminder'), day, '', 0, 0, 'run' from mail_runs;
drop table mail_sent;
drop table mail_runs;
create index letters_at on letters (state, at_ms);
create unique index letters_run on letters (kind) where state = 'run';
