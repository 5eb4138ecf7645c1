alter table submissions add column dates text;
