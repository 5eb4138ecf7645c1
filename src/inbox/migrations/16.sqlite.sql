create index submissions_state on submissions (state, received_at, reference, asks);
