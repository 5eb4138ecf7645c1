drop table claims;
alter table doubts drop column crowd;
