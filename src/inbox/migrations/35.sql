-- Alerts are identified within their source, so each identifier begins with its key.
alter table sources add column senders text not null default '{}';
update changes set uid = (
    select min(key) from sources where url = record -> 'sources' -> 0 ->> 'url'
  ) || ':' || uid
  where kind = 'notice' and door = 'source' and uid is not null
    and exists (select 1 from sources where url = record -> 'sources' -> 0 ->> 'url');
update changes set uid_digest = (
    select min(key) from sources where url = record -> 'sources' -> 0 ->> 'url'
  ) || ':' || uid_digest
  where kind = 'notice' and door = 'source' and uid_digest is not null
    and exists (select 1 from sources where url = record -> 'sources' -> 0 ->> 'url');
