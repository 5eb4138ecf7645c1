// The table of secrets: random bytes that belong to this file alone, by name.
import type { Inbox } from './open.ts';

export function getSecret(inbox: Inbox, name: string): Buffer | null {
  const value: unknown = inbox
    .prepare('select value from secrets where name = ?')
    .pluck()
    .get(name);
  return Buffer.isBuffer(value) ? value : null;
}

/** Leaves a secret that is there as it is. */
export function insertSecret(inbox: Inbox, name: string, value: Buffer): void {
  inbox.prepare('insert into secrets values (?, ?) on conflict do nothing').run(name, value);
}
