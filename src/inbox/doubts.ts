// The table of doubts: what was taken in beyond what is usual.
import type { Inbox } from './open.ts';

/** What was sent in is doubtful from now on. */
export function putDoubt(inbox: Inbox, reference: string): void {
  inbox.prepare('insert into doubts values (?) on conflict do nothing').run(reference);
}
