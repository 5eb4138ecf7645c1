// The table of doubts: what came in a flood or beyond what a day brings, and of how large a crowd.
import type { Inbox } from './open.ts';

/** What was sent in is doubtful from now on: it came with so many of the same network. */
export function putDoubt(inbox: Inbox, reference: string, crowd: number): void {
  inbox
    .prepare(
      'insert into doubts values (?, ?) on conflict do update set crowd = max(crowd, excluded.crowd)',
    )
    .run(reference, crowd);
}

/** The crowd of all that a network sent since `from_ms` and that is doubtful has grown. */
export function growCrowd(inbox: Inbox, network: string, from_ms: number, crowd: number): void {
  inbox
    .prepare(
      `update doubts set crowd = max(crowd, ?) where reference in
         (select reference from submission_senders where network = ? and at_ms > ?)`,
    )
    .run(crowd, network, from_ms);
}
