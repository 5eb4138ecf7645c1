drop table submission_senders;
create table submission_senders (
  sender text not null, network text not null, channel text not null, reference text not null, at_ms integer not null
);
create index submission_senders_at on submission_senders (at_ms);
create index submission_senders_sender on submission_senders (sender, at_ms);
create index submission_senders_network on submission_senders (network, at_ms);
create index submission_senders_reference on submission_senders (reference);
create table doubts (reference text primary key, crowd integer not null) without rowid;
